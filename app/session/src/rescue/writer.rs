//! Writes autosaves on a thread of its own. While it is busy, a newer one is left out: nothing piles up.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Sender, channel},
    },
    thread::{self, JoinHandle},
};

use crate::autosave::{Autosave, write_atomically};
use weft_core::say;
use weft_scene::Scene;

/// An autosave whose scenes are still to be put into words.
pub(super) struct Draft {
    pub save: Autosave,
    pub file: Scene,
    pub scene: Scene,
}

impl Draft {
    pub(super) fn written(self) -> Autosave {
        Autosave { file: weft_scene::write(&self.file), scene: weft_scene::write(&self.scene), ..self.save }
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
    /// Writes to `path`; the first one that is written there takes the place of `replaced`.
    pub(super) fn start(path: PathBuf, replaced: Option<PathBuf>) -> Result<Self, String> {
        let folder = path.parent().unwrap_or(&path).to_path_buf();
        fs::create_dir_all(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
        let (drafts, incoming) = channel::<Draft>();
        let busy = Arc::new(AtomicBool::new(false));
        let memory = Arc::new(Mutex::new(Vec::new()));
        let (shared, used) = (Arc::clone(&busy), Arc::clone(&memory));
        let write = move || {
            let mut replaced = replaced.filter(|replaced| *replaced != path);
            let mut failed = false;
            while let Ok(draft) = incoming.recv() {
                let save = draft.written();
                match write_atomically(&path, &save.to_bytes()) {
                    Ok(()) => {
                        replaced.take().into_iter().for_each(|old| _ = fs::remove_file(old));
                        failed = false;
                    }
                    // Said once for each time that it begins to fail: a full disk stays full for a while.
                    Err(e) if !std::mem::replace(&mut failed, true) => {
                        say::warn(format_args!("[rescue] cannot write {}: {e}", path.display()));
                    }
                    Err(_) => {}
                }
                *used.lock().unwrap_or_else(PoisonError::into_inner) = save.run.state;
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
    /// Waits for the draft that is being written, and takes no more.
    pub(super) fn finish(&mut self) {
        self.drafts = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
