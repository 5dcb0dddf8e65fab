//! The laboratory: one scene, one run and everything that may change under it. Window and headless runs share it.
//!
//! A frame, as `app.rs` and `headless.rs` call it:
//! [`Lab::poll`] (code, scene and shader changes) → holds and colliders → [`Lab::step`] → readings → drawing.

mod began;
mod colliders;
mod compare;
mod device;
mod edit;
mod hold;
mod notice;
mod options;
mod problems;
mod replay;
mod resume;
mod rewind;
mod rollback;
mod swap;
mod trial;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    assemble::{self, Assembly, Object},
    gpu::GpuRun,
    history::{self, History, Replay, Twin},
    live::{self, BuildMessage, Event, Generation, Live, Project, Reload, folder_of},
    readings::{Measured, Meter},
    run::{Run, StepError, StepInput},
    scene::{self, Diagnostic, Scene},
    stability::Watch,
    state::{State, StateHash},
    threads::Threads,
};

pub use began::{Began, spacing};
pub use colliders::Drag;
pub use hold::Grab;
pub use notice::{Notice, announce};
pub use options::Options;
pub use problems::{Problems, Rejected};
pub use rollback::Rollback;

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
    /// Moves the run instead of its own code; the state follows at [`Lab::fetch`].
    pub gpu: Option<GpuRun>,
    pub live: Live,
    pub problems: Problems,
    /// Which code is known to be good.
    pub rollback: Rollback,
    pub paused: bool,
    /// Particles in the hand.
    pub grab: Option<Grab>,
    /// Readings of the last step.
    pub measured: Measured,
    /// Largest frequency and step of explicit schemes, about once a second while watched.
    pub stability: Watch,
    /// Positions before the last step, for drawing in between.
    pub previous: Vec<[f32; 4]>,
    /// Changes whenever the surface of a cloth does.
    pub topology: u64,
    /// Moments to go back to; off until it gets a budget.
    pub history: History,
    /// The frames that repeat, while they do.
    pub replay: Option<Replay>,
    /// Where a blow-up began, while it is shown.
    pub began: Option<Began>,
    /// Frame in which the energy was seen to run away.
    pub alarm: Option<u64>,
    energy_watch: history::energy::Watch,
    /// The code before beside the present one, while they are compared.
    pub twin: Option<Box<Twin>>,
    /// The generation that ran before the present one.
    code_before: Option<Arc<Generation>>,
    /// Particles that the last step held, while history is on.
    held: Vec<u32>,
    /// Where colliders were dragged, one for each.
    drags: Vec<Drag>,
    /// `--solver` and `--set`: laid over the file each time it is read.
    overrides: Vec<(String, String)>,
    meter: Meter,
    /// A swap whose first step is still to come.
    first_step: Option<(Reload, Arc<Generation>)>,
    /// The scene's file is not the one that runs: to be read at the next poll.
    reread: bool,
    /// How long the last swap took.
    pub last_swap: Option<LastSwap>,
    /// Crashed too often: paused until a good save.
    waits_for_save: bool,
}

/// Parts of the time from a save to the first step.
#[derive(Clone, Copy, Debug)]
pub struct LastSwap {
    /// From the end of the build to the verdict of the probe.
    pub probe: Duration,
    /// From publishing the library to the end of its first step.
    pub to_running: Duration,
}

/// What a lab begins with.
struct Parts {
    project: Option<Project>,
    threads: Threads,
    scene: Scene,
    file: Scene,
    scene_path: PathBuf,
    objects: Vec<Object>,
    run: Run,
    rollback: Rollback,
    live: Live,
    stability: Watch,
    drags: Vec<Drag>,
    overrides: Vec<(String, String)>,
}

/// What a poll found: lines for the user, and files for the renderer.
#[derive(Default)]
pub struct Polled {
    pub notices: Vec<Notice>,
    /// Shader files that were saved.
    pub shaders: Vec<PathBuf>,
    /// Pictures that were saved.
    pub textures: Vec<PathBuf>,
    /// The camera of the file changed.
    pub view_changed: bool,
}

impl Lab {
    /// Loads the scene and builds its state. Watches nothing if `options.live` is false.
    pub fn open(options: Options) -> Result<Self, String> {
        let generation = Generation::built_in();
        let project = Project::find();
        let mut infos = assemble::solver_infos(generation.solvers());
        if options.live && project.is_some() && !options.names_solver_of(&infos) {
            // One saved since this program was built comes with the first live library; until then nothing is checked.
            infos.clear();
        }
        let loaded = scene::load(&options.scene, &infos);
        // Nobody edits a run that is not live: what would wait for a save there is an error here.
        let loaded = loaded.and_then(|loaded| if options.live { Ok(loaded) } else { loaded.strict() });
        let loaded = loaded.map_err(|errors| errors.to_string())?;
        let (overrides, mut scene) = (options.overrides(), loaded.scene.clone());
        options::lay_over(&mut scene, &overrides, &infos, folder_of(&options.scene))?;
        let Assembly { blueprint, objects } = assemble::assemble(&scene);
        let mut run = Run::new(Arc::clone(&generation), blueprint, &scene.solver.name)?;
        run.log.extend(loaded.notes);
        let live = if options.live {
            Live::start(project.as_ref(), Some(&options.scene), options.carry)
        } else {
            Live::off()
        };
        let mut lab = Self::of(Parts {
            project,
            threads: Threads::new(options.threads)?,
            drags: vec![Drag::default(); scene.colliders.len()],
            file: loaded.scene,
            scene_path: options.scene,
            objects,
            run,
            rollback: Rollback::new(generation),
            stability: Watch::new(options.live),
            live,
            overrides,
            scene,
        });
        lab.problems.pending = loaded.pending;
        lab.use_solver();
        lab.settle();
        Ok(lab)
    }

    /// A lab of these parts; what is not among them is empty.
    fn of(parts: Parts) -> Self {
        let Parts { project, threads, drags, file, scene_path, objects, run, rollback, stability, .. } =
            parts;
        Self {
            project,
            threads,
            drags,
            file,
            scene_path,
            objects,
            run,
            rollback,
            stability,
            live: parts.live,
            overrides: parts.overrides,
            scene: parts.scene,
            gpu: None,
            problems: Problems::default(),
            paused: false,
            grab: None,
            measured: Measured::default(),
            previous: Vec::new(),
            topology: 1,
            history: History::default(),
            replay: None,
            began: None,
            alarm: None,
            energy_watch: history::energy::Watch::default(),
            twin: None,
            code_before: None,
            held: Vec::new(),
            meter: Meter::default(),
            first_step: None,
            reread: false,
            waits_for_save: false,
            last_swap: None,
        }
    }

    /// The folder of the scene file: textures are looked up from here.
    pub fn folder(&self) -> PathBuf {
        folder_of(&self.scene_path).to_path_buf()
    }

    /// Positions of all particles [m].
    pub fn positions(&self) -> &[[f32; 4]] {
        self.run.state.column("particle", "position")
    }

    /// Particles, and rows of all constraint tables.
    pub fn sizes(&self) -> (usize, usize) {
        let state = &self.run.state;
        let particles = state.table("particle").map_or(0, |table| table.rows);
        (particles, state.constraints().iter().map(|(_, rows)| rows).sum())
    }

    /// Takes in what changed on disk: swaps code and scene, hands shaders and textures on.
    pub fn poll(&mut self) -> Polled {
        let mut polled = Polled { notices: self.rollback.take_notices(), ..Polled::default() };
        if std::mem::take(&mut self.reread) {
            self.reload_scene(Instant::now(), &mut polled);
        }
        let (run, scene) = (&self.run, &self.scene);
        let trial = || Self::trial(run, scene, self.grab.as_ref(), self.problems.step.as_ref());
        for event in self.live.poll(trial) {
            match event {
                Event::Swapped(generation, reload) => {
                    let notice = self.swap_code(generation, reload);
                    if notice.good {
                        self.go_on();
                        if self.problems.scene.is_some() {
                            // Code and scene saved together: the scene may have waited for this solver.
                            self.reload_scene(reload.saved, &mut polled);
                        }
                    }
                    polled.notices.push(notice);
                }
                Event::BuildFailed(messages) => polled.notices.push(self.build_failed(messages)),
                Event::Refused(refusal) => {
                    let place = refusal.place().unwrap_or_default().to_string();
                    self.problems.build =
                        vec![BuildMessage { place, ..BuildMessage::plain(refusal.to_string()) }];
                    polled.notices.push(Notice::bad("reload", format!("refused: {refusal}")));
                }
                Event::Off(why) => polled.notices.push(Notice::bad("reload", format!("off: {why}"))),
                Event::Unchanged if let Some(notice) = self.try_again() => polled.notices.push(notice),
                Event::Unchanged => {
                    self.problems.build.clear();
                    polled.notices.push(Notice::good("reload", "built: the same code as before"));
                }
                Event::Scene(path, at) if self.is_scene(&path) => self.reload_scene(at, &mut polled),
                Event::Shader(path) => polled.shaders.push(path),
                Event::Mesh(path, at) if self.uses_mesh(&path) => self.reload_scene(at, &mut polled),
                Event::Scene(..) | Event::Mesh(..) => {}
                Event::Texture(path, at) => {
                    polled.textures.push(path);
                    if self.problems.scene.is_some() {
                        // The scene may have waited for this picture.
                        self.reload_scene(at, &mut polled);
                    }
                }
            }
        }
        polled
    }

    fn is_scene(&self, path: &Path) -> bool {
        let folder = |path: &Path| folder_of(path).canonicalize().ok();
        path.file_name() == self.scene_path.file_name() && folder(path) == folder(&self.scene_path)
    }

    /// Whether a cloth is made of this file, by its name: the scene is read again to see.
    fn uses_mesh(&self, path: &Path) -> bool {
        let is_it = |shape: &scene::Shape| match shape {
            scene::Shape::Mesh { file, .. } => Path::new(file).file_name() == path.file_name(),
            _ => false,
        };
        self.problems.scene.is_some() || self.file.cloths.iter().any(|cloth| is_it(&cloth.shape))
    }

    /// Goes on with other code; it is on trial for its first steps.
    pub fn swap_code(&mut self, generation: Arc<Generation>, reload: Reload) -> Notice {
        self.problems.build.clear();
        let (number, before) = (generation.number, StateHash::of(&self.run.state));
        let code_before = Arc::clone(&self.run.generation);
        match self.run.swap(Arc::clone(&generation)) {
            Ok(report) => {
                let state = if StateHash::of(&self.run.state) == before { "unchanged" } else { "CHANGED" };
                self.use_solver();
                self.recheck_params();
                // A pose column that is new holds the pose of time 0.
                self.place_colliders();
                self.code_swapped(code_before);
                self.first_step = Some((reload, generation));
                self.rollback.begin();
                (self.problems.code, self.problems.restarted) = (None, None);
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
    /// Returns what the hot code logged and, after a reload, how long it took.
    pub fn step(&mut self) -> Result<Vec<Notice>, StepError> {
        self.limit_step();
        self.begin_step();
        self.previous.clear();
        self.previous.extend_from_slice(self.run.state.column::<[f32; 4]>("particle", "position"));
        self.move_colliders();
        let world = assemble::world(&self.scene);
        let positions = self.run.state.column_mut("particle", "position");
        let holds = match (&mut self.replay, self.history.at().and_then(|at| self.history.moment(at))) {
            (Some(replay), Some(recorded)) => replay.holds(recorded, positions),
            _ => self.grab.as_mut().map_or(&[][..], |grab| grab.holds(positions)),
        };
        rewind::note(&mut self.history, &mut self.held, holds);
        let input = StepInput { dt: self.scene.step, world, holds, guarded: true };
        let (twin, gravity) = (self.twin.as_deref_mut(), self.scene.gravity);
        let (frame, time) = (self.run.frame, self.run.time);
        let stepped = if let Some(gpu) = &mut self.gpu {
            gpu.step(&mut self.run, &input)
        } else {
            let stepped = compare::step(&mut self.run, twin, &self.threads, &input, gravity);
            stepped.and_then(|took| {
                let judged = self.judge(took);
                if judged.is_err() {
                    self.run.take_back(frame, time);
                }
                judged
            })
        };
        if let Err(error) = stepped {
            self.place_colliders();
            self.paused = true;
            // The live answer may still be on its way when a run blows up at once.
            self.stability.ask(&self.run, self.scene.air_damping, self.scene.step);
            self.problems.unstable = self.stability.danger();
            self.problems.step = Some(error.clone());
            self.roll_back(&error);
            return Err(error);
        }
        if let Some(grab) = &mut self.grab {
            grab.moved();
        }
        self.keep_step();
        let wild = self.watch_energy().map(|text| Notice::bad("energy", text));
        self.problems.step = None;
        let first_step = self.first_step.take();
        let first_step = first_step.map(|(reload, generation)| {
            let now = Instant::now();
            self.last_swap = Some(LastSwap {
                probe: reload.probed - reload.built,
                to_running: now.saturating_duration_since(reload.published),
            });
            first_step_notice(&reload, &generation, now)
        });
        let (air, dt) = (self.scene.air_damping, self.scene.step);
        let unstable = self.stability.update(&self.run, air, dt).map(|text| Notice::bad("stability", text));
        let log = self.run.log.drain(..).map(|line| Notice::good("log", line));
        Ok(log.chain(first_step).chain(unstable).chain(wild).collect())
    }

    /// Reads what the panel shows; part of the frame's stage `readings`.
    pub fn read(&mut self) {
        self.measured = self.meter.read(&self.run.state, self.scene.gravity);
    }

    /// Back to the start of the scene, with the code, solver and values as they are now.
    pub fn reset(&mut self) -> Result<(), String> {
        self.grab = None;
        self.forget();
        self.drags.fill(Drag::default());
        self.run.state = State::build(&self.run.generation.schema, &self.run.blueprint)?;
        (self.run.frame, self.run.time) = (0, 0.0);
        self.settle();
        self.go_on();
        Ok(())
    }

    /// Brings everything that follows from the state in line with it, after it was replaced.
    fn settle(&mut self) {
        self.place_colliders();
        self.previous = self.positions().to_vec();
        self.restart_twin();
        self.energy_watch.jumped();
        self.read();
    }

    /// A failed step paused the lab; something changed since.
    fn go_on(&mut self) {
        let waited = std::mem::take(&mut self.waits_for_save);
        self.paused &= self.problems.step.is_none() && !waited;
        self.problems.step = None;
    }

    /// Problems of the scene's solver parameters.
    pub fn pending(&self) -> &[Diagnostic] {
        &self.problems.pending
    }
}

/// The line that closes a reload: how long each part took since the save.
fn first_step_notice(reload: &Reload, generation: &Generation, now: Instant) -> Notice {
    let ms = |at: Instant| at.saturating_duration_since(reload.saved).as_secs_f64() * 1e3;
    Notice::good(
        "first step",
        format!(
            "generation {} stepped {:.0} ms after the save (built {:.0}, probed {:.0}{}, published {:.0})",
            generation.number,
            ms(now),
            ms(reload.built),
            ms(reload.probed),
            if reload.small { " on a small cloth" } else { "" },
            ms(reload.published)
        ),
    )
}
