//! Large meshes of a scene that is wanted: read and built on a thread of their own, while the last scene runs on.
//!
//! What comes of a file is kept as long as somebody holds it (`scene/src/obj/files.rs`). The thread holds it, and the scene is
//! then read as any other.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
};

use weft_core::clock::Instant;

use super::{Notice, Polled, Session};
use weft_scene::{MeshFiles, ReadWork, WorkNow};

/// What the meshes are for.
#[derive(Clone, PartialEq)]
enum Wanted {
    /// Another scene.
    Open(PathBuf),
    /// The scene that runs was saved, or one of its meshes.
    Save(Instant),
}

/// Whether meshes have to be waited for: a page has one thread.
const NO_THREADS: bool = cfg!(target_arch = "wasm32");

pub(super) struct AsyncLoad {
    wanted: Wanted,
    work: Arc<ReadWork>,
    thread: Option<JoinHandle<MeshFiles>>,
}

impl AsyncLoad {
    fn start(wanted: Wanted, mut files: MeshFiles) -> Result<Self, String> {
        let work = Arc::<ReadWork>::default();
        let lent = Arc::clone(&work);
        let read = move || {
            files.read(&lent);
            files
        };
        let thread = thread::Builder::new().name("meshes".into()).spawn(read);
        let thread = thread.map_err(|error| format!("no thread to read the meshes: {error}"))?;
        Ok(Self { wanted, work, thread: Some(thread) })
    }
}

impl Drop for AsyncLoad {
    fn drop(&mut self) {
        self.work.leave();
    }
}

impl Session {
    /// Opens another scene from its start, now or, if its meshes are large and not read yet, when they are: [`Session::poll`]
    /// tells. On an error the present one runs on. Returns whether it is open.
    pub fn ask_scene(&mut self, path: &Path) -> Result<bool, String> {
        self.report.problems.asked = None;
        let files = weft_scene::unread_meshes(path);
        if files.is_empty() || NO_THREADS {
            // What was asked for before is not wanted any more.
            self.async_load = None;
            return self.open_scene(path).map(|()| true);
        }
        self.async_load = Some(AsyncLoad::start(Wanted::Open(path.to_path_buf()), files)?);
        Ok(false)
    }

    /// What is being read for a scene that does not run yet.
    pub fn reading(&self) -> Option<WorkNow> {
        self.async_load.as_ref().map(|load| load.work.now())
    }

    /// Whether the saved scene has to wait for its meshes.
    pub(super) fn reads_async(&mut self, saved: Instant) -> Result<bool, String> {
        let files = weft_scene::unread_meshes(self.setup.path());
        if files.is_empty() || NO_THREADS {
            return Ok(false);
        }
        self.async_load = Some(AsyncLoad::start(Wanted::Save(saved), files)?);
        Ok(true)
    }

    /// Goes on with a scene whose meshes are read.
    pub(super) fn take_loaded(&mut self, polled: &mut Polled) {
        let done = |load: &AsyncLoad| load.thread.as_ref().is_none_or(JoinHandle::is_finished);
        let Some(mut load) = self.async_load.take_if(|load| done(load)) else { return };
        // Held until the scene is read. A thread that panicked left nothing: the scene is read here, and says why.
        let _files = load.thread.take().map(JoinHandle::join);
        match load.wanted.clone() {
            Wanted::Save(saved) => self.reload_scene(saved, polled),
            Wanted::Open(path) => match self.open_scene(&path) {
                Ok(()) => polled.opened = Some(path),
                Err(report) => {
                    polled.notices.push(Notice::report("scene", &report, " (the last scene runs on)"));
                    self.report.problems.asked = Some(report);
                }
            },
        }
    }
}
