//! What changed on disk: code, scene, shaders, textures.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use weft_core::clock::Instant;

use super::{Notice, Session, engine, problems::folder_gone, swap::shapes, trial};
use weft_core::{
    project::{Project, folder_of},
    state::StateHash,
};
use weft_engine::generation::Generation;
use weft_gpu::ReadbackScope;

use crate::live::{self, BuildMessage, Event, Live, Reload, is_fresh, probe::Trial};

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
    /// A scene that was asked for runs now: its meshes are read.
    pub opened: Option<PathBuf>,
}

impl Polled {
    /// Whether there is anything in it.
    pub fn is_news(&self) -> bool {
        let files = self.shaders.len() + self.textures.len() + self.notices.len();
        files > 0 || self.view_changed || self.opened.is_some()
    }
}

impl Session {
    /// Takes in what changed on disk: swaps code and scene, hands shaders and textures on.
    pub fn poll(&mut self) -> Polled {
        let mut polled = Polled { notices: self.report.take_notices(), ..Polled::default() };
        if std::mem::take(&mut self.reread) {
            self.reload_scene(Instant::now(), &mut polled);
        }
        for event in self.with_trial(Live::poll) {
            match event {
                Event::Swapped(generation, reload) => {
                    let notice = self.swap_code(generation, reload);
                    if notice.good {
                        self.go_on();
                        if self.report.problems.scene.is_some() || !self.report.problems.pending.is_empty() {
                            // Code and scene saved together: the scene may have waited for this solver, or for its parameters.
                            self.reload_scene(reload.saved, &mut polled);
                        }
                    }
                    polled.notices.push(notice);
                }
                Event::BuildFailed(messages) => polled.notices.push(self.build_failed(messages)),
                Event::Refused(refusal) => {
                    let place = refusal.place().unwrap_or_default().to_string();
                    self.report.problems.build =
                        vec![BuildMessage { place, ..BuildMessage::plain(refusal.to_string()) }];
                    polled.notices.push(Notice::bad("reload", format!("refused: {refusal}")));
                }
                Event::Off(why) => polled.notices.push(Notice::bad("reload", format!("off: {why}"))),
                Event::Unchanged if let Some(notice) = self.try_again() => polled.notices.push(notice),
                Event::Unchanged => polled.notices.push(self.built_the_same()),
                Event::Shader(path) | Event::Scene(path, _) if engine::is_pass(&path) => {
                    self.reload_pass(&path, &mut polled);
                }
                Event::Shader(path) => polled.shaders.push(path),
                Event::Scene(path, at) if self.is_scene(&path) => self.reload_scene(at, &mut polled),
                // Half a mesh or half a picture is no mistake of anybody's.
                Event::Mesh(path, at) if is_fresh(&path) => self.live.again(Event::Mesh(path, at)),
                Event::Texture(path, at) if is_fresh(&path) => self.live.again(Event::Texture(path, at)),
                Event::Mesh(path, at) if self.uses_mesh(&path) => self.reload_scene(at, &mut polled),
                Event::Scene(..) | Event::Mesh(..) => {}
                Event::Folders(folders) => polled.notices.extend(self.miss(folders)),
                Event::Texture(path, at) => {
                    polled.textures.push(path);
                    if self.report.problems.scene.is_some() {
                        // The scene may have waited for this picture.
                        self.reload_scene(at, &mut polled);
                    }
                }
            }
        }
        self.take_loaded(&mut polled);
        self.sync_gpu();
        polled.notices.append(&mut self.report.take_notices());
        polled
    }

    /// Hands what the compiler made to the probe, and what passed it to the loader, without a frame. True if there is
    /// something for [`Session::poll`].
    pub fn attend(&mut self) -> bool {
        self.with_trial(Live::attend)
    }

    /// Calls `then` with the session and with what a new library is tried on.
    fn with_trial<T>(&mut self, then: impl FnOnce(&mut Live, &mut dyn FnMut() -> Trial) -> T) -> T {
        let Self { setup, engine, hand, report, live, .. } = self;
        let mut trial = || {
            // A device that does not answer is left at the next step.
            let _ = engine.read(ReadbackScope::All);
            trial::of(engine.run(), &setup.scene, hand.grab(), report.problems.step.as_ref())
        };
        then(live, &mut trial)
    }

    /// Watched folders that are gone now; tells of those that were there before, and of those that are back.
    fn miss(&mut self, folders: Vec<PathBuf>) -> Vec<Notice> {
        let before = std::mem::replace(&mut self.report.problems.folders, folders);
        let now = &self.report.problems.folders;
        let lost = now
            .iter()
            .filter(|folder| !before.contains(folder))
            .map(|folder| Notice::bad("folder", folder_gone(folder)));
        let back = before.iter().filter(|folder| !now.contains(folder));
        let back = back.map(|folder| Notice::good("folder", format!("{} is there again", folder.display())));
        lost.chain(back).collect()
    }

    fn is_scene(&self, path: &Path) -> bool {
        let folder = |path: &Path| folder_of(path).canonicalize().ok();
        let is_it = |file: &Path| path.file_name() == file.file_name() && folder(path) == folder(file);
        is_it(self.setup.path()) || self.setup.included.iter().any(|file| is_it(file))
    }

    /// Whether a cloth, a collider or strands are made of this file, by its name: the scene is read again to see.
    fn uses_mesh(&self, path: &Path) -> bool {
        let is_it = |file: &str| Path::new(file).file_name() == path.file_name();
        self.report.problems.scene.is_some() || shapes(&self.setup.file).any(is_it)
    }

    /// Goes on with other code; it is on trial for its first steps.
    pub fn swap_code(&mut self, generation: Arc<Generation>, reload: Reload) -> Notice {
        self.report.problems.build.clear();
        // A loop begins anew with other code.
        self.restart_pass();
        let (number, before) = (generation.number, StateHash::of(self.read_all()));
        match self.use_code(Arc::clone(&generation)) {
            Ok(report) => {
                let same = StateHash::of(&self.engine.run().state) == before;
                let state = if same { "unchanged" } else { "CHANGED" };
                self.engine.ask_parity();
                self.recovery.begin_trial(reload, generation);
                (self.report.problems.code, self.report.problems.restarted) = (None, None);
                Notice::good("reload", format!("generation {number} runs: {report}; state {before} {state}"))
            }
            Err(why) => {
                self.report.problems.build = vec![BuildMessage::plain(why.clone())];
                Notice::bad("reload", format!("generation {number} refused: {why}"))
            }
        }
    }

    /// What runs is what the files say.
    fn built_the_same(&mut self) -> Notice {
        self.report.problems.build.clear();
        self.report.problems.restarted = None;
        let mut text = "built: the same code as before".to_string();
        for name in self.project().map_or_else(Vec::new, Project::unlisted_solvers) {
            text.push_str(&format!(
                "; solvers/{name}.rs is no part of it: list `{name}` in sim-dylib/src/solvers.rs"
            ));
        }
        Notice::good("reload", text)
    }

    fn build_failed(&mut self, messages: Vec<BuildMessage>) -> Notice {
        let errors = messages.iter().filter(|m| m.level == live::Level::Error).count();
        let first = BuildMessage::first_error(&messages);
        let first = first.map_or_else(String::new, |m| format!(": {} {}", m.place, m.message));
        self.report.problems.build = messages;
        Notice::bad("build", format!("{errors} compile error(s){first}"))
    }
}

/// The line that closes a reload: how long each part took since the save.
pub(super) fn first_step_notice(reload: &Reload, generation: &Generation, now: Instant) -> Notice {
    let ms = |at: Instant| at.saturating_duration_since(reload.saved).as_secs_f64() * 1e3;
    // Nobody saved the first one.
    let since = if generation.number == 1 { "its build began" } else { "the save" };
    Notice::good(
        "first step",
        format!(
            "generation {} stepped {:.0} ms after {since} (built {:.0}, probed {:.0}{}, published {:.0})",
            generation.number,
            ms(now),
            ms(reload.built),
            ms(reload.probed),
            if reload.small { " on a small cloth" } else { "" },
            ms(reload.published)
        ),
    )
}
