//! Watches folders, not files: editors that save by renaming, or by truncating first, are all seen. The system watches what a
//! path led to at first, so that a folder which is taken away and made again is looked for by its name.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
    time::{Duration, SystemTime},
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

/// How often folders are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// What a path leads to: where it really is, the number of its folder, and when that was made. Numbers are used again.
#[derive(Clone, PartialEq)]
struct Identity {
    folder: PathBuf,
    number: u64,
    made: Option<SystemTime>,
}

impl Identity {
    /// `None`: there is no folder of this name.
    fn of(path: &Path) -> Option<Self> {
        let folder = path.canonicalize().ok()?;
        let data = folder.metadata().ok().filter(fs::Metadata::is_dir)?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&data);
        #[cfg(not(unix))]
        let number = 0;
        Some(Self { folder, number, made: data.created().ok() })
    }
}

/// A folder that is watched, by the name that it was asked for with.
struct Watched {
    path: PathBuf,
    /// With all below it.
    deep: bool,
    /// What the system watches; `None`: there is no such folder.
    there: Option<Identity>,
    /// It was there before.
    known: bool,
}

pub(super) struct Watcher {
    inner: notify::RecommendedWatcher,
    changes: mpsc::Receiver<Change>,
    watched: Vec<Watched>,
    looked: Instant,
    /// Folder of the hot code, and who builds it.
    code: Option<(PathBuf, mpsc::Sender<Instant>)>,
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
        let kept = code.clone();
        let handler = move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            let at = Instant::now();
            let build = || code.iter().for_each(|(_, code)| _ = code.send(at));
            let changed = |path: PathBuf| _ = sender.send(Change { path, at });
            sort(event, root.as_deref(), &build, &changed);
        };
        let watcher = notify::recommended_watcher(handler).map_err(|e| format!("cannot watch files: {e}"))?;
        Ok(Self { inner: watcher, changes, watched: Vec::new(), looked: Instant::now(), code: kept })
    }

    /// Starts watching a folder, and all below it if `deep`.
    pub(super) fn watch(&mut self, folder: &Path, deep: bool) -> Result<(), String> {
        let there = Identity::of(folder);
        let covers = |watched: &Watched| match (&watched.there, &there) {
            (Some(outer), Some(inner)) if watched.deep => inner.folder.starts_with(&outer.folder),
            _ => watched.deep >= deep && watched.path == folder,
        };
        if self.watched.iter().any(covers) {
            return Ok(());
        }
        if let Some(there) = &there {
            self.attach(&there.folder, deep)?;
        }
        let known = there.is_some();
        self.watched.push(Watched { path: folder.to_path_buf(), deep, there, known });
        Ok(())
    }

    fn attach(&mut self, folder: &Path, deep: bool) -> Result<(), String> {
        let mode = if deep { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        self.inner.watch(folder, mode).map_err(|e| format!("cannot watch {}: {e}", folder.display()))
    }

    /// Folders that were watched and are gone.
    pub(super) fn missing(&self) -> impl Iterator<Item = &Path> {
        self.watched
            .iter()
            .filter(|watched| watched.there.is_none() && watched.known)
            .map(|watched| &*watched.path)
    }

    /// Watches folders again that were taken away and made again, and hands over all that lies in them.
    fn look(&mut self) -> Vec<PathBuf> {
        let mut made = Vec::new();
        if self.looked.elapsed() < LOOK_EVERY {
            return made;
        }
        self.looked = Instant::now();
        for at in 0..self.watched.len() {
            let Watched { path, deep, there, .. } = &self.watched[at];
            let (now, deep) = (Identity::of(path), *deep);
            if now == *there {
                continue;
            }
            // Of one that is gone the system knows nothing any more; of one with another name it does.
            if let Some(before) = there {
                let _ = self.inner.unwatch(&before.folder);
            }
            let now = now.filter(|now| self.attach(&now.folder, deep).is_ok());
            made.extend(now.iter().map(|now| now.folder.clone()));
            if let Some((_, builds)) = self.code.as_ref().filter(|(root, _)| *root == self.watched[at].path) {
                let _ = builds.send(self.looked);
            }
            let watched = &mut self.watched[at];
            watched.known |= now.is_some();
            watched.there = now;
        }
        made
    }

    /// Each changed file once, with the time of its first change.
    pub(super) fn drain(&mut self) -> Vec<Change> {
        let mut seen: Vec<Change> = Vec::new();
        let mut add = |change: Change| {
            if !seen.iter().any(|earlier| earlier.path == change.path) {
                seen.push(change);
            }
        };
        let made = self.look().into_iter().map(|path| Change { path, at: self.looked });
        for Change { path, at } in made.chain(self.changes.try_iter()) {
            let watched = |watched: &Watched| Some((watched.there.as_ref()?.folder.clone(), watched.deep));
            let mut folders: Vec<(PathBuf, bool)> = match path.as_os_str().is_empty() {
                true => self.watched.iter().filter_map(watched).collect(),
                false if path.is_dir() => {
                    if is_read(&path) {
                        // It has the place of a file.
                        add(Change { path: path.clone(), at });
                    }
                    let own = self.watched.iter().filter_map(watched).find(|(folder, _)| *folder == path);
                    vec![own.unwrap_or((path, true))]
                }
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
    fn a_folder_that_is_taken_away_and_made_again_is_watched_again() {
        let root = std::env::temp_dir().join(format!("weft-watch-again-{}", std::process::id()));
        let (code, scenes) = (root.join("code"), root.join("scenes"));
        fs::create_dir_all(&code).expect("a folder");
        fs::create_dir_all(&scenes).expect("a folder");
        let (sender, builds) = mpsc::channel();
        let mut watcher = Watcher::new(Some((code.clone(), sender))).expect("a watcher");
        watcher.watch(&code, true).expect("watched");
        watcher.watch(&scenes, false).expect("watched");
        watcher.watch(&root.join("meshes"), false).expect("not there yet");
        assert_eq!(watcher.missing().count(), 0, "nobody had it");
        let patience = Duration::from_secs(10);
        let sees = |watcher: &mut Watcher, name: &str| {
            let end = Instant::now() + patience;
            while !watcher.drain().iter().any(|change| change.path.ends_with(name)) {
                assert!(Instant::now() < end, "{name} is not seen");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let again = |folder: &Path, away: &dyn Fn(&Path)| {
            // Folders that are made within one tick of the system's clock could be one by number and time.
            std::thread::sleep(Duration::from_millis(50));
            away(folder);
            fs::create_dir(folder).expect("made again");
        };
        // As if the folder had been gone for less time than passes between two looks.
        again(&scenes, &|folder| fs::remove_dir_all(folder).expect("removed"));
        fs::write(scenes.join("a.ron"), "1").expect("written");
        sees(&mut watcher, "a.ron");
        fs::write(scenes.join("b.ron"), "1").expect("written");
        sees(&mut watcher, "b.ron");
        again(&scenes, &|folder| fs::rename(folder, root.join("old")).expect("renamed"));
        fs::write(scenes.join("c.ron"), "1").expect("written");
        sees(&mut watcher, "scenes/c.ron");
        // The folder's own event told of it; until the next look the system watches the old one.
        std::thread::sleep(LOOK_EVERY * 2);
        watcher.drain();
        fs::write(root.join("old/d.ron"), "1").expect("written");
        fs::write(scenes.join("e.ron"), "1").expect("written");
        let end = Instant::now() + patience;
        let mut seen = Vec::new();
        while !seen.iter().any(|path: &PathBuf| path.ends_with("e.ron")) && Instant::now() < end {
            seen.extend(watcher.drain().into_iter().map(|change| change.path));
        }
        assert!(!seen.iter().any(|path| path.ends_with("d.ron")), "{seen:?}");
        // Gone for longer: said, and code is built when it is back.
        while builds.try_recv().is_ok() {}
        fs::rename(&code, root.join("away")).expect("renamed");
        let end = Instant::now() + patience;
        while watcher.missing().all(|folder| folder != code) && Instant::now() < end {
            watcher.drain();
        }
        assert_eq!(watcher.missing().collect::<Vec<_>>(), [&*code]);
        while builds.try_recv().is_ok() {}
        fs::rename(root.join("away"), &code).expect("renamed");
        fs::create_dir(root.join("meshes")).expect("a folder");
        fs::write(root.join("meshes/a.obj"), "v 0 0 0").expect("written");
        sees(&mut watcher, "a.obj");
        assert_eq!(watcher.missing().count(), 0);
        assert!(builds.recv_timeout(patience).is_ok());
        while builds.try_recv().is_ok() {}
        fs::write(code.join("x.rs"), "").expect("written");
        assert!(builds.recv_timeout(patience).is_ok(), "saves in it are seen again");
        let _ = fs::remove_dir_all(root);
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
        fs::remove_file(scenes.join("b.ron")).expect("removed");
        fs::create_dir(scenes.join("b.ron")).expect("a folder in its place");
        let end = Instant::now() + patience;
        while !watcher.drain().iter().any(|change| change.path.ends_with("b.ron")) {
            assert!(Instant::now() < end, "it is not told of");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let _ = fs::remove_dir_all(root);
    }
}
