//! The laboratory: one scene, one run and everything that may change under it. Window and headless runs share it.
//!
//! A frame, as `app.rs` and `headless.rs` call it:
//! [`Lab::poll`] (code, scene and shader changes) → holds and colliders → [`Lab::step`] → readings → drawing.

mod colliders;
mod edit;
mod hold;
mod options;
mod problems;
mod swap;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use crate::{
    assemble::{self, Assembly, Object},
    live::{self, BuildMessage, Event, Generation, Live, Project, Reload},
    record::{Stretch, StretchMeter},
    run::{Run, StepError, StepInput},
    scene::{self, Diagnostic, Scene, SceneErrors},
    state::StateHash,
    threads::Threads,
};

pub use hold::Grab;
pub use options::Options;
pub use problems::Problems;

pub struct Lab {
    pub project: Option<Project>,
    pub threads: Threads,
    /// The scene as it runs: the file, `--set`, and what the panel changed since.
    pub scene: Scene,
    /// The scene as last read from its file.
    pub file: Scene,
    pub scene_path: PathBuf,
    pub objects: Vec<Object>,
    pub run: Run,
    pub live: Live,
    pub problems: Problems,
    pub paused: bool,
    /// Particles in the hand.
    pub grab: Option<Grab>,
    /// Readings of the last step.
    pub stretch: Stretch,
    /// Positions before the last step, for drawing in between.
    pub previous: Vec<[f32; 4]>,
    /// Changes whenever the surface of a cloth does.
    pub topology: u64,
    /// How far colliders were dragged from the scene's place [m].
    dragged: Vec<glam::Vec3>,
    /// `--set` on the command line: laid over the file each time it is read.
    overrides: Vec<(String, String)>,
    meter: StretchMeter,
    /// A swap whose first step is still to come.
    first_step: Option<(Reload, Arc<Generation>)>,
}

/// Something the user should see: a line in the panel, the terminal and the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// `reload`, `scene`, `shader`, `texture`, `build`, `step` or `log`.
    pub kind: &'static str,
    pub text: String,
    pub good: bool,
}

impl Notice {
    pub fn good(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), good: true }
    }

    pub fn bad(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), good: false }
    }
}

/// What a poll found: lines for the user, and files for the renderer.
#[derive(Default)]
pub struct Polled {
    pub notices: Vec<Notice>,
    /// Shader files that were saved.
    pub shaders: Vec<PathBuf>,
    /// Pictures that were saved.
    pub textures: Vec<PathBuf>,
    /// The camera or light of the file changed.
    pub view_changed: bool,
}

impl Lab {
    /// Loads the scene and builds its state. Watches nothing yet if `options.live` is false.
    pub fn open(options: Options) -> Result<Self, String> {
        let generation = Generation::built_in();
        let infos = assemble::solver_infos(generation.solvers());
        let loaded = scene::load(&options.scene, &infos).map_err(|errors| errors.to_string())?;
        if let (false, Some(pending)) = (options.live, loaded.pending.first()) {
            let errors = SceneErrors {
                name: options.scene.display().to_string(),
                text: loaded.text,
                list: vec![pending.clone()],
            };
            return Err(errors.to_string());
        }
        let file = loaded.scene;
        let mut scene = file.clone();
        options.apply(&mut scene, &infos)?;
        let Assembly { blueprint, objects } = assemble::assemble(&scene);
        let run = Run::new(generation, blueprint, &scene.solver.name)?;
        let (project, watched) = (Project::find(), options.scene.as_path());
        let live = if options.live { Live::start(project.as_ref(), Some(watched)) } else { Live::off() };
        let mut lab = Self {
            project,
            threads: Threads::new(options.threads)?,
            dragged: vec![glam::Vec3::ZERO; scene.colliders.len()],
            file,
            scene_path: options.scene.clone(),
            objects,
            run,
            live,
            problems: Problems { pending: loaded.pending, ..Problems::default() },
            paused: false,
            grab: None,
            stretch: Stretch::default(),
            previous: Vec::new(),
            topology: 1,
            overrides: options.overrides,
            meter: StretchMeter::default(),
            first_step: None,
            scene,
        };
        lab.use_solver();
        lab.previous = lab.positions().to_vec();
        lab.read();
        Ok(lab)
    }

    /// Positions of all particles [m].
    pub fn positions(&self) -> &[[f32; 4]] {
        self.run.state.column("particle", "position")
    }

    /// Takes in what changed on disk: swaps code and scene, hands shaders and textures on.
    pub fn poll(&mut self) -> Polled {
        let mut polled = Polled::default();
        for event in self.live.poll() {
            match event {
                Event::Swapped(generation, reload) => {
                    polled.notices.push(self.swap_code(generation, reload));
                    self.paused &= self.problems.step.is_none();
                    self.problems.step = None;
                    if self.problems.scene.is_some() {
                        // Code and scene saved together: the scene may have waited for this solver.
                        self.reload_scene(reload.saved, &mut polled);
                    }
                }
                Event::BuildFailed(messages) => polled.notices.push(self.build_failed(messages)),
                Event::Refused(refusal) => {
                    self.problems.build = vec![BuildMessage::plain(refusal.to_string())];
                    polled.notices.push(Notice::bad("reload", format!("refused: {refusal}")));
                }
                Event::Unchanged => {
                    self.problems.build.clear();
                    polled.notices.push(Notice::good("reload", "built: the same code as before"));
                }
                Event::Scene(path, at) if self.is_scene(&path) => self.reload_scene(at, &mut polled),
                Event::Scene(..) => {}
                Event::Shader(path, _) => polled.shaders.push(path),
                Event::Texture(path) => {
                    polled.textures.push(path);
                }
            }
        }
        let log = self.run.log.drain(..).map(|line| Notice::good("log", line));
        polled.notices.extend(log);
        polled
    }

    fn is_scene(&self, path: &Path) -> bool {
        path.file_name() == self.scene_path.file_name()
            && path.parent().and_then(|dir| dir.canonicalize().ok())
                == self.scene_path.parent().map(live::folder_or_here).and_then(|dir| dir.canonicalize().ok())
    }

    fn swap_code(&mut self, generation: Arc<Generation>, reload: Reload) -> Notice {
        self.problems.build.clear();
        let (number, before) = (generation.number, StateHash::of(&self.run.state));
        match self.run.swap(Arc::clone(&generation)) {
            Ok(report) => {
                let state = if StateHash::of(&self.run.state) == before { "unchanged" } else { "CHANGED" };
                self.use_solver();
                self.recheck_params();
                self.first_step = Some((reload, generation));
                Notice::good("reload", format!("generation {number} runs: {report}; state {before} {state}"))
            }
            Err(why) => {
                self.problems.build = vec![BuildMessage::plain(why.clone())];
                Notice::bad("reload", format!("generation {number} refused: {why}"))
            }
        }
    }

    fn build_failed(&mut self, messages: Vec<BuildMessage>) -> Notice {
        let errors = messages.iter().filter(|m| m.level == live::Level::Error).count();
        let first = messages.iter().find(|m| m.level == live::Level::Error);
        let first = first.map_or_else(String::new, |m| format!(": {} {}", m.place, m.message));
        self.problems.build = messages;
        Notice::bad("build", format!("{errors} compile error(s){first}"))
    }

    /// One fixed step with the newest code. On an error the state stays as it was and the lab pauses.
    pub fn step(&mut self) -> Result<Option<Notice>, StepError> {
        self.previous.clear();
        self.previous.extend_from_slice(self.run.state.column::<[f32; 4]>("particle", "position"));
        self.move_colliders();
        let world = assemble::world(&self.scene);
        let positions = self.run.state.column_mut("particle", "position");
        let holds = self.grab.as_mut().map_or(&[][..], |grab| grab.holds(positions));
        let input = StepInput { dt: self.scene.step, world, holds, guarded: true };
        if let Err(error) = self.run.step(&self.threads, &input) {
            self.place_colliders();
            self.paused = true;
            self.problems.step = Some(error.clone());
            return Err(error);
        }
        if let Some(grab) = &mut self.grab {
            grab.moved();
        }
        self.problems.step = None;
        Ok(self.first_step.take().map(|(reload, generation)| first_step_notice(&reload, &generation)))
    }

    /// Reads what the panel shows; part of the frame's stage `readings`.
    pub fn read(&mut self) {
        self.stretch = self.meter.read(&self.run.state);
    }

    /// Back to the start of the scene, with the code, solver and values as they are now.
    pub fn reset(&mut self) -> Result<(), String> {
        self.grab = None;
        self.dragged.fill(glam::Vec3::ZERO);
        self.run.state = crate::state::State::build(&self.run.generation.schema, &self.run.blueprint)?;
        (self.run.frame, self.run.time) = (0, 0.0);
        self.previous = self.positions().to_vec();
        self.paused &= self.problems.step.is_none();
        self.problems.step = None;
        self.read();
        Ok(())
    }

    /// Problems of the scene's solver parameters.
    pub fn pending(&self) -> &[Diagnostic] {
        &self.problems.pending
    }
}

/// The line that closes a reload: how long each part took since the save.
fn first_step_notice(reload: &Reload, generation: &Generation) -> Notice {
    let ms = |at: Instant| at.saturating_duration_since(reload.saved).as_secs_f64() * 1e3;
    Notice::good(
        "first step",
        format!(
            "generation {} stepped {:.0} ms after the save (built {:.0}, published {:.0})",
            generation.number,
            ms(Instant::now()),
            ms(reload.built),
            ms(reload.published)
        ),
    )
}
