//! What the page around the window asks for, and what it is told.

use std::fmt::Write;

use weft_core::{clock::Instant, state::StateHash};
use weft_draw::Camera;
use weft_scene::Edit;
use weft_session::{Notice, Options, rescue::Resume, states};

use super::{App, WindowOptions, open};
use crate::{
    page::{self, Asked, Told},
    ui::Action,
};

/// Memory for frames to go back to [MB].
const HISTORY: usize = 64;

/// What the page knows.
pub(super) struct Known {
    /// Path, solver and text of the scene.
    scene: Option<(std::path::PathBuf, String, String)>,
    problems: Vec<(String, String)>,
}

/// Opens the scene that the page asked for first.
pub fn start() {
    let options = WindowOptions {
        session: Options { scene: page::first(), threads: 0, live: true, ..Options::default() },
        gpu: None,
        device: weft_gpu::GpuOptions::default(),
        record: None,
        recording: None,
        frames: None,
        history: HISTORY,
        size: None,
        fresh: true,
        resume: Resume::default(),
        named: true,
        at: None,
    };
    if let Err(why) = open(options).map_err(|error| error.to_string()) {
        page::tell(&Told::Notice { kind: "start", text: &why, good: false });
    }
}

impl Known {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        page::tell_panics();
        Self { scene: None, problems: Vec::new() }
    }
}

impl App {
    /// Once a frame.
    pub(super) fn obey(&mut self) {
        for asked in page::asked() {
            self.stir();
            match asked {
                Asked::Open(path) => self.act(Action::Scene(path)),
                Asked::Solver(name) => self.session.choose_solver(&name),
                Asked::Pause(paused) => self.session.set_paused(paused),
                Asked::Reset => self.act(Action::Reset),
                Asked::Steps(count) => self.steps_asked(count),
                Asked::Link => self.tell_link(),
                Asked::Camera(camera) => self.look(camera),
                Asked::Mesh => self.tell_mesh(),
                Asked::State => self.act(Action::SaveState(self.state_name())),
                Asked::LoadState(name) => self.take_state(&name),
                Asked::Film => self.act(Action::Film),
                Asked::Picture => self.act(Action::Picture),
                Asked::Texture(file) => self.dress(&file),
            }
        }
        self.tell_scene();
    }

    fn dress(&mut self, file: &str) {
        let cloths: Vec<String> = self.session.scene().cloths.iter().map(|cloth| cloth.id.clone()).collect();
        for id in cloths {
            let edited =
                self.session.edit(&format!("cloths.{id}.look.texture"), &Edit::Text(file.to_string()));
            if let Err(why) = edited {
                self.notify(Notice::bad("texture", why));
            }
        }
    }

    /// Told once, and whenever it changes.
    fn tell_scene(&mut self) {
        let setup = self.session.setup();
        let (path, scene) = (setup.path(), setup.scene());
        let (solver, text) = (&scene.solver.name, setup.text());
        let same = |known: &(_, String, String)| known.0 == path && known.1 == *solver && known.2 == text;
        if !self.known.scene.as_ref().is_some_and(same) {
            let solvers = self.session.solvers().iter().map(|solver| solver.name.as_str()).collect();
            page::tell(&Told::Scene { path, title: &scene.title, text, solver, solvers });
            self.known.scene = Some((path.to_path_buf(), solver.clone(), text.to_string()));
        }
        let problems = self.session.problems().list();
        if problems != self.known.problems {
            page::tell(&Told::Problems(problems.clone()));
            self.known.problems = problems;
        }
    }

    fn steps_asked(&mut self, count: u64) {
        self.session.set_paused(true);
        let start = Instant::now();
        for _ in 0..count {
            match self.session.step() {
                Ok(notices) => notices.into_iter().for_each(|notice| self.notify(notice)),
                Err(error) => self.notify(Notice::bad("step", error.to_string())),
            }
        }
        let ms = start.elapsed().as_secs_f64() * 1e3 / count.max(1) as f64;
        let run = self.session.run();
        let hash = StateHash::of(&run.state).to_string();
        let threads = self.session.engine().threads().count();
        let beside = self.session.timeline().beside().twins().len();
        page::tell(&Told::Hash { frame: run.frame, hash, ms, threads, beside });
    }

    fn tell_link(&mut self) {
        let setup = self.session.setup();
        let Camera { target, distance, yaw, pitch, fov_y } = self.camera;
        let camera = [target.x, target.y, target.z, distance, yaw, pitch, fov_y];
        let scene = weft_scene::write(setup.scene());
        page::tell(&Told::Link { scene, path: setup.path(), frame: self.session.run().frame, camera });
    }

    /// Positions in world space [m], one object for each cloth.
    fn tell_mesh(&mut self) {
        let text = weft_session::export::obj(&self.session.surface());
        let name = self.session.setup().path().with_extension("obj");
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        page::keep_bytes(&name, text.as_bytes());
    }

    /// One that was opened: what is none is forgotten.
    fn take_state(&mut self, name: &str) {
        let taken = self.load_state(name);
        if taken.is_err() {
            let _ = states::delete(&self.session, name);
        }
        self.notify(match taken {
            Ok(text) => Notice::good("state", text),
            Err(why) => Notice::bad("state", why),
        });
    }

    /// Of the state as it is now.
    fn state_name(&self) -> String {
        let stem = self.session.setup().path().file_stem().unwrap_or_default().to_string_lossy();
        // The file of a scene may be named by what no state is.
        let plain =
            |letter: char| if letter.is_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
        let stem: String = stem.chars().map(plain).take(40).collect();
        format!("{stem}-{}", self.session.run().frame)
    }
}
