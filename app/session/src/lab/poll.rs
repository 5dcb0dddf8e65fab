//! What changed on disk: code, scene, shaders, textures.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use super::{Lab, Notice, device::Change, passes};
use weft_core::{project::folder_of, state::StateHash};
use weft_engine::generation::Generation;
use weft_scene::ColliderShape;

use crate::live::{self, BuildMessage, Event, Live, Reload, probe::Trial};

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

impl Lab {
    /// Takes in what changed on disk: swaps code and scene, hands shaders and textures on.
    pub fn poll(&mut self) -> Polled {
        let mut polled = Polled { notices: self.rollback.take_notices(), ..Polled::default() };
        if std::mem::take(&mut self.reread) {
            self.reload_scene(Instant::now(), &mut polled);
        }
        for event in self.with_trial(Live::poll) {
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
                Event::Shader(path) | Event::Scene(path, _) if passes::is_pass(&path) => {
                    self.reload_pass(&path, &mut polled);
                }
                Event::Shader(path) => polled.shaders.push(path),
                Event::Scene(path, at) if self.is_scene(&path) => self.reload_scene(at, &mut polled),
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
        self.take_ahead(&mut polled);
        self.keep_device();
        polled.notices.append(&mut self.device.notices);
        polled
    }

    /// Hands what the compiler made to the probe, and what passed it to the loader, without a frame. True if there is
    /// something for [`Lab::poll`].
    pub fn attend(&mut self) -> bool {
        self.with_trial(Live::attend)
    }

    /// Calls `then` with the session and with what a new library is tried on.
    fn with_trial<T>(&mut self, then: impl FnOnce(&mut Live, &mut dyn FnMut() -> Trial) -> T) -> T {
        let (run, gpu, scene) = (&mut self.run, &mut self.gpu, &self.scene);
        let mut trial = || {
            // A device that does not answer is left at the next step.
            let _ = gpu.as_mut().map(|gpu| gpu.fetch(run));
            Self::trial(run, scene, self.grab.as_ref(), self.problems.step.as_ref())
        };
        then(&mut self.live, &mut trial)
    }

    fn is_scene(&self, path: &Path) -> bool {
        let folder = |path: &Path| folder_of(path).canonicalize().ok();
        path.file_name() == self.scene_path.file_name() && folder(path) == folder(&self.scene_path)
    }

    /// Whether a cloth or a collider is made of this file, by its name: the scene is read again to see.
    fn uses_mesh(&self, path: &Path) -> bool {
        let is_it = |file: &str| Path::new(file).file_name() == path.file_name();
        let cloth =
            |shape: &weft_scene::Shape| matches!(shape, weft_scene::Shape::Mesh { file, .. } if is_it(file));
        let collider =
            |shape: &ColliderShape| matches!(shape, ColliderShape::Mesh { file, .. } if is_it(file));
        self.problems.scene.is_some()
            || self.file.cloths.iter().any(|one| cloth(&one.shape))
            || self.file.colliders.iter().any(|one| collider(&one.shape))
    }

    /// Goes on with other code; it is on trial for its first steps.
    pub fn swap_code(&mut self, generation: Arc<Generation>, reload: Reload) -> Notice {
        self.problems.build.clear();
        self.catch_up();
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
                self.device_replaced(Change::Tables);
                self.device.asks_parity = self.gpu.is_some();
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
}

/// The line that closes a reload: how long each part took since the save.
pub(super) fn first_step_notice(reload: &Reload, generation: &Generation, now: Instant) -> Notice {
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
