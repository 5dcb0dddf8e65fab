//! Watches folders, not files: editors that save by renaming, or by truncating first, are all seen.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
};

use weft_core::clock::Instant;

use notify::{
    EventKind, RecursiveMode, Watcher as _,
    event::{CreateKind, ModifyKind, RemoveKind},
};

/// A file that was written, renamed into place or removed.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub path: PathBuf,
    pub at: Instant,
}

pub(super) struct Watcher {
    inner: notify::RecommendedWatcher,
    changes: mpsc::Receiver<Change>,
    /// Folders that are watched already, and whether with all below them.
    watched: Vec<(PathBuf, bool)>,
}

/// Whether a file with this ending is read from disk while a session runs.
fn is_read(path: &Path) -> bool {
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    matches!(extension, "wgsl" | "ron" | "obj" | "hair" | "png" | "jpg" | "jpeg")
}

/// Whether a folder came, went or has another name. Of one that is gone only the name tells that it was one.
fn is_folder(kind: EventKind, path: &Path) -> bool {
    match kind {
        EventKind::Create(CreateKind::Folder) | EventKind::Remove(RemoveKind::Folder) => true,
        EventKind::Modify(ModifyKind::Name(_)) => path.is_dir() || path.extension().is_none(),
        _ => false,
    }
}

impl Watcher {
    /// Changes of `.rs` and `.toml` files, and of folders of the hot code's, go to `code` (the builder's own thread), all
    /// others to [`Watcher::drain`].
    pub(super) fn new(code: Option<(PathBuf, mpsc::Sender<Instant>)>) -> Result<Self, String> {
        let (sender, changes) = mpsc::channel();
        let root = code.as_ref().and_then(|(root, _)| root.canonicalize().ok());
        let handler = move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            let at = Instant::now();
            let build = || code.iter().for_each(|(_, code)| _ = code.send(at));
            let changed = |path: PathBuf| _ = sender.send(Change { path, at });
            sort(event, root.as_deref(), &build, &changed);
        };
        let watcher = notify::recommended_watcher(handler).map_err(|e| format!("cannot watch files: {e}"))?;
        Ok(Self { inner: watcher, changes, watched: Vec::new() })
    }

    /// Starts watching a folder, and all below it if `deep`.
    pub(super) fn watch(&mut self, folder: &Path, deep: bool) -> Result<(), String> {
        let folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
        let known = |(watched, below): &(PathBuf, bool)| {
            folder == *watched && *below >= deep || *below && folder.starts_with(watched)
        };
        if self.watched.iter().any(known) {
            return Ok(());
        }
        let mode = if deep { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        self.inner.watch(&folder, mode).map_err(|e| format!("cannot watch {}: {e}", folder.display()))?;
        self.watched.push((folder, deep));
        Ok(())
    }

    /// Each changed file once, with the time of its first change.
    pub(super) fn drain(&mut self) -> Vec<Change> {
        let mut seen: Vec<Change> = Vec::new();
        let mut add = |change: Change| {
            if !seen.iter().any(|earlier| earlier.path == change.path) {
                seen.push(change);
            }
        };
        for Change { path, at } in self.changes.try_iter() {
            let mut folders = match path.as_os_str().is_empty() {
                true => self.watched.clone(),
                false if path.is_dir() => vec![(path, true)],
                false => {
                    add(Change { path, at });
                    continue;
                }
            };
            while let Some((folder, deep)) = folders.pop() {
                for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
                    if is_read(&path) {
                        add(Change { path, at });
                    } else if deep && path.is_dir() {
                        folders.push((path, true));
                    }
                }
            }
        }
        seen
    }
}

/// Hands an event to what it concerns: code below `root` to `build`, other files to `changed`.
fn sort(event: notify::Event, root: Option<&Path>, build: &dyn Fn(), changed: &dyn Fn(PathBuf)) {
    if event.need_rescan() {
        // The system's list ran over: anything may have changed.
        build();
        return changed(PathBuf::new());
    }
    if matches!(event.kind, EventKind::Access(_) | EventKind::Other) {
        return;
    }
    for path in event.paths {
        let code = path.extension().is_some_and(|end| end == "rs" || end == "toml");
        let folder = is_folder(event.kind, &path);
        if code || folder && root.is_some_and(|root| path.starts_with(root)) {
            build();
        } else if is_read(&path) || folder && path.is_dir() {
            changed(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_the_systems_list_ran_over_everything_is_looked_at() {
        let (builds, changes) = (std::cell::Cell::new(0), std::cell::RefCell::new(Vec::new()));
        let event = notify::Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
        sort(event, None, &|| builds.set(builds.get() + 1), &|path| changes.borrow_mut().push(path));
        assert_eq!((builds.get(), changes.take()), (1, vec![PathBuf::new()]));
        let other = notify::Event::new(EventKind::Other).add_path("a.ron".into());
        sort(other, None, &|| panic!("nothing changed"), &|path| panic!("{}", path.display()));
    }

    #[test]
    fn folders_that_get_another_name_are_seen() {
        let root = std::env::temp_dir().join(format!("weft-watch-{}", std::process::id()));
        let (code, scenes) = (root.join("code"), root.join("scenes"));
        fs::create_dir_all(code.join("solvers")).expect("a folder");
        fs::create_dir_all(scenes.join("deep")).expect("a folder");
        let (sender, builds) = mpsc::channel();
        let mut watcher = Watcher::new(Some((code.clone(), sender))).expect("a watcher");
        watcher.watch(&code, true).expect("watched");
        watcher.watch(&scenes, false).expect("watched");
        let patience = std::time::Duration::from_secs(10);
        fs::rename(code.join("solvers"), code.join("solverz")).expect("renamed");
        assert!(builds.recv_timeout(patience).is_ok(), "the code has other files now");
        fs::write(scenes.join("deep/a.ron"), "1").expect("written");
        fs::write(scenes.join("b.ron"), "1").expect("written");
        let end = Instant::now() + patience;
        let mut seen = Vec::new();
        while seen.is_empty() && Instant::now() < end {
            seen = watcher.drain();
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let names: Vec<_> = seen.iter().filter_map(|change| change.path.file_name()).collect();
        assert_eq!(names, ["b.ron"], "what lies deeper is nobody's");
        let _ = fs::remove_dir_all(root);
    }
}
