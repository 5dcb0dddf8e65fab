//! Watches folders, not files: editors that save by renaming, or by truncating first, are all seen.

use std::{
    path::{Path, PathBuf},
    sync::mpsc,
    time::Instant,
};

use notify::{EventKind, RecursiveMode, Watcher as _};

/// A file that was written, renamed into place or removed.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub path: PathBuf,
    pub at: Instant,
}

pub(super) struct Watcher {
    inner: notify::RecommendedWatcher,
    changes: mpsc::Receiver<Change>,
    /// Folders that are watched already.
    watched: Vec<PathBuf>,
}

impl Watcher {
    /// Changes of `.rs` and `.toml` files go to `code` (the builder's own thread), all others to [`Watcher::drain`].
    pub(super) fn new(code: Option<mpsc::Sender<Instant>>) -> Result<Self, String> {
        let (sender, changes) = mpsc::channel();
        let handler = move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if matches!(event.kind, EventKind::Access(_) | EventKind::Other) {
                return;
            }
            let at = Instant::now();
            for path in event.paths {
                let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
                if matches!(extension, "rs" | "toml") {
                    if let Some(code) = &code {
                        let _ = code.send(at);
                    }
                } else if matches!(extension, "wgsl" | "ron" | "obj" | "png" | "jpg" | "jpeg") {
                    let _ = sender.send(Change { path, at });
                }
            }
        };
        let watcher = notify::recommended_watcher(handler).map_err(|e| format!("cannot watch files: {e}"))?;
        Ok(Self { inner: watcher, changes, watched: Vec::new() })
    }

    /// Starts watching a folder and all below it.
    pub(super) fn watch(&mut self, folder: &Path) -> Result<(), String> {
        let folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
        if self.watched.iter().any(|watched| folder.starts_with(watched)) {
            return Ok(());
        }
        self.inner
            .watch(&folder, RecursiveMode::Recursive)
            .map_err(|e| format!("cannot watch {}: {e}", folder.display()))?;
        self.watched.push(folder);
        Ok(())
    }

    /// Each changed file once, with the time of its first change.
    pub(super) fn drain(&mut self) -> Vec<Change> {
        let mut seen: Vec<Change> = Vec::new();
        for change in self.changes.try_iter() {
            if !seen.iter().any(|earlier| earlier.path == change.path) {
                seen.push(change);
            }
        }
        seen
    }
}
