//! Writes autosaves on a thread of its own. While it is busy, a newer one is left out: nothing piles up.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Sender, channel},
    },
    thread::{self, JoinHandle},
};

use crate::{autosave::Autosave, places};
use weft_core::{files, say};
use weft_scene::{KeptMeshes, Scene};

/// An autosave whose scenes are still to be put into words.
pub(super) struct Draft {
    pub save: Autosave,
    pub file: Scene,
    pub scene: Scene,
}

impl Draft {
    fn written(self) -> Autosave {
        Autosave { file: weft_scene::write(&self.file), scene: weft_scene::write(&self.scene), ..self.save }
    }
}

/// Writes a draft to `path` now.
pub(super) fn write(path: &Path, draft: Draft) -> Result<(), String> {
    let mut files = Files { path: path.to_path_buf(), meshes: KeptMeshes::default(), running: None };
    files.write(draft).1
}

/// The same as one file, its meshes in it.
pub(super) fn write_whole(path: &Path, draft: Draft) -> Result<(), String> {
    let meshes = KeptMeshes::of([&draft.file, &draft.scene]);
    let mut save = draft.written();
    if !meshes.is_empty() {
        save.meshes = postcard::to_allocvec(&meshes).unwrap_or_default();
    }
    files::replace(path, &save.to_bytes()).map_err(|why| format!("cannot write {}: {why}", path.display()))
}

/// An autosave and what lies beside it.
struct Files {
    path: PathBuf,
    /// Those that were written.
    meshes: KeptMeshes,
    /// Number of the generation in the file; `None`: not known.
    running: Option<u32>,
}

impl Files {
    /// Also returns the memory of the state.
    fn write(&mut self, draft: Draft) -> (Vec<u8>, Result<(), String>) {
        let meshes = KeptMeshes::of([&draft.file, &draft.scene]);
        let save = draft.written();
        let written = self.try_write(&save, meshes);
        let place = self.path.display();
        let why = |e| {
            if self.path.is_dir() {
                format!("cannot write {place}: a folder is in its place: remove it")
            } else {
                format!("cannot write {place}: {e}")
            }
        };
        (save.run.state, written.map_err(why))
    }

    fn try_write(&mut self, save: &Autosave, meshes: KeptMeshes) -> std::io::Result<()> {
        // A `cargo clean` takes the folder away under a running program.
        files::make_folder(self.path.parent().unwrap_or(&self.path))?;
        if meshes != self.meshes {
            let bytes = postcard::to_allocvec(&meshes).unwrap_or_default();
            files::replace(&places::meshes(&self.path), &bytes)?;
            self.meshes = meshes;
        }
        if self.running.is_some_and(|running| running != save.running.number) {
            let older = places::older(&self.path);
            let _ = fs::remove_file(&older);
            let _ = fs::hard_link(&self.path, older);
        }
        files::replace(&self.path, &save.to_bytes())?;
        self.running = Some(save.running.number);
        Ok(())
    }
}

pub(super) struct Writer {
    drafts: Option<Sender<Draft>>,
    busy: Arc<AtomicBool>,
    /// Of the last draft.
    memory: Arc<Mutex<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Writes to `path`. `told`: that this fails was said.
    pub(super) fn start(path: PathBuf, told: bool) -> Result<Self, String> {
        let (drafts, incoming) = channel::<Draft>();
        let busy = Arc::new(AtomicBool::new(false));
        let memory = Arc::new(Mutex::new(Vec::new()));
        let (shared, used) = (Arc::clone(&busy), Arc::clone(&memory));
        let write = move || {
            let running = Autosave::read(&path).ok().map(|save| save.running.number);
            let mut failed = told || path.starts_with(super::NOWHERE);
            let mut files = Files { path, meshes: KeptMeshes::default(), running };
            while let Ok(draft) = incoming.recv() {
                let (memory, written) = files.write(draft);
                match written {
                    Ok(()) => failed = false,
                    // Said once for each time that it begins to fail: a full disk stays full for a while.
                    Err(why) if !std::mem::replace(&mut failed, true) => {
                        say::warn(format_args!("[rescue] {why}"));
                    }
                    Err(_) => {}
                }
                *used.lock().unwrap_or_else(PoisonError::into_inner) = memory;
                shared.store(false, Ordering::Release);
            }
        };
        let thread = thread::Builder::new().name("autosave".into()).spawn(write);
        let thread = thread.map_err(|e| format!("cannot start the thread of the autosave: {e}"))?;
        Ok(Self { drafts: Some(drafts), busy, memory, thread: Some(thread) })
    }

    /// Takes a draft; false if the last one is still being written.
    pub(super) fn offer(&self, draft: impl FnOnce(Vec<u8>) -> Draft) -> bool {
        if self.busy.swap(true, Ordering::AcqRel) {
            return false;
        }
        let memory = std::mem::take(&mut *self.memory.lock().unwrap_or_else(PoisonError::into_inner));
        self.drafts.as_ref().is_some_and(|drafts| drafts.send(draft(memory)).is_ok())
    }
}

impl Writer {
    /// Whether its thread is gone: it panicked.
    pub(super) fn ended(&self) -> bool {
        self.thread.as_ref().is_some_and(JoinHandle::is_finished)
    }

    /// Waits for the draft that is being written, and takes no more.
    pub(super) fn finish(&mut self) {
        self.drafts = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
