//! The live library: published by rename, loaded by `LibReloader`, pinned by a second handle of ours.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use weft_core::clock::Instant;

use hot_lib_reloader::LibReloader;
use sim_api::Api;
use xxhash_rust::xxh3::xxh3_64;

use weft_core::{files, project::Project};
use weft_engine::generation::{Generation, KeptFile};

use super::Refusal;
use crate::places;

/// How long `LibReloader` waits for the watched file to settle. Publishing is one rename, so hardly at all.
const DEBOUNCE: Duration = Duration::from_millis(4);
/// Its watcher may have begun after a file came: then that comes again, and it has seen it for certain.
const AGAIN: Duration = Duration::from_millis(100);
const SEEN: Duration = Duration::from_secs(10);

pub(super) struct HotLib {
    /// Holds the watched file and the loader's copies.
    folder: PathBuf,
    /// Built on the first published library: its watcher dies for good on a file that does not exist.
    reloader: Option<LibReloader>,
    /// Loads `LibReloader` has done so far; its copies are numbered by it.
    loads: u32,
    /// Number of the last generation.
    number: u32,
    /// Published and not loaded yet.
    published: Option<Vec<u8>>,
    /// Content of the library that runs, to tell a build that changed nothing.
    running: Arc<Vec<u8>>,
    mapped: u64,
}

impl HotLib {
    pub(super) fn new(project: &Project) -> Result<Self, String> {
        let folder = project.live_folder();
        let saves = places::folder(Some(project));
        folder.parent().iter().for_each(|live| remove_stale(live, &saves));
        files::make_folder(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
        Ok(Self {
            folder,
            reloader: None,
            loads: 0,
            number: 0,
            published: None,
            running: Arc::default(),
            mapped: 0,
        })
    }

    /// Loads the library of an earlier process at once, under the number it had there; the next one follows on `last`.
    pub(super) fn adopt(
        &mut self,
        bytes: Vec<u8>,
        number: u32,
        last: u32,
    ) -> Result<Arc<Generation>, Refusal> {
        self.number = number.saturating_sub(1);
        let loaded = if bytes == *self.running { self.pin(bytes) } else { self.load(&bytes) };
        self.number = self.number.max(last);
        loaded
    }

    /// Publishes a library and waits until it is loaded.
    fn load(&mut self, bytes: &[u8]) -> Result<Arc<Generation>, Refusal> {
        let start = Instant::now();
        while start.elapsed() < SEEN {
            self.offer(bytes.to_vec())?;
            let offered = Instant::now();
            while offered.elapsed() < AGAIN {
                if let Some(loaded) = self.update() {
                    return loaded;
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        Err(Refusal::Broken("the loader did not see it".into()))
    }

    /// The library that runs; `None` while it is the code that is linked in.
    pub(super) fn running(&self) -> Option<&Arc<Vec<u8>>> {
        (!self.running.is_empty()).then_some(&self.running)
    }

    /// Publishes a library that passed the probe and says when; `None` if it is byte for byte what runs already.
    pub(super) fn offer(&mut self, bytes: Vec<u8>) -> Result<Option<Instant>, Refusal> {
        let unchanged = bytes == *self.running;
        if unchanged && self.published.is_none() {
            return Ok(None);
        }
        let (next, watched) = (self.file("next"), self.watched());
        // A `cargo clean` takes the folder away under a running program.
        files::make_folder(&self.folder)
            .and_then(|()| fs::write(&next, &bytes))
            .and_then(|()| fs::rename(&next, &watched))
            .map_err(|e| Refusal::Broken(format!("cannot publish {}: {e}", watched.display())))?;
        if unchanged {
            // Back to what runs before the other one was loaded: the loader sees no change and must not be waited for.
            self.published = None;
            return Ok(None);
        }
        self.published = Some(bytes);
        Ok(Some(Instant::now()))
    }

    /// Swaps in what was published, if `LibReloader` has seen it. Call between two frames, on the main thread.
    pub(super) fn update(&mut self) -> Option<Result<Arc<Generation>, Refusal>> {
        self.published.as_ref()?;
        let loaded = match &mut self.reloader {
            Some(reloader) => reloader.update(),
            None => LibReloader::new(&self.folder, "sim", Some(DEBOUNCE), None).map(|reloader| {
                self.reloader = Some(reloader);
                true
            }),
        };
        match loaded {
            Ok(false) => None,
            Ok(true) => Some(self.take()),
            Err(e) => {
                self.published = None;
                // A reloader that exists has counted this try.
                self.loads += u32::from(self.reloader.is_some());
                Some(Err(Refusal::Broken(format!("the library did not load: {e}"))))
            }
        }
    }

    /// Libraries that were loaded so far.
    pub(super) fn loaded(&self) -> u32 {
        self.loads
    }

    /// Bytes of all pinned libraries.
    pub(super) fn mapped(&self) -> u64 {
        self.mapped
    }

    fn take(&mut self) -> Result<Arc<Generation>, Refusal> {
        self.loads += 1;
        let bytes = self.published.take().unwrap_or_default();
        self.pin(bytes)
    }

    /// The library that was loaded last, as the next generation; `bytes` is what it holds.
    fn pin(&mut self, bytes: Vec<u8>) -> Result<Arc<Generation>, Refusal> {
        let copy = self.file(&format!("hot-{}", self.loads.saturating_sub(1)));
        // The second handle is leaked: `LibReloader` closes its own on the next swap, this one keeps the code mapped.
        // SAFETY: the file is the copy that is loaded already; opening it again runs nothing.
        let pinned = unsafe { libloading::Library::new(&copy) }
            .map_err(|e| Refusal::Broken(format!("cannot pin {}: {e}", copy.display())))?;
        // SAFETY: this is the type of the export in every version of the contract.
        let entry = unsafe { pinned.get::<unsafe extern "C" fn() -> *const Api>(sim_api::entry_name()) };
        let api = match entry {
            // SAFETY: the export takes nothing and returns the address of a static.
            Ok(entry) => unsafe { entry() },
            Err(e) => return Err(Refusal::Broken(format!("the library lost its export: {e}"))),
        };
        std::mem::forget(pinned);
        self.mapped += bytes.len() as u64;
        // SAFETY: the library behind `api` was pinned above.
        let mut generation = unsafe { Generation::from_api(api, self.number + 1, bytes.len() as u64) }?;
        self.number += 1;
        generation.hash = xxh3_64(&bytes);
        generation.file = self.keep(&copy);
        self.running = Arc::new(bytes);
        Ok(Arc::new(generation))
    }

    /// The loader removes its copy with the next load; this one stays for a process that goes on from here.
    fn keep(&self, copy: &Path) -> Option<KeptFile> {
        let kept = self.file(&format!("kept-{}", self.number));
        let _ = fs::remove_file(&kept);
        let linked = fs::hard_link(copy, &kept).or_else(|_| fs::copy(copy, &kept).map(|_| ()));
        linked.ok().map(|()| KeptFile(kept))
    }

    fn watched(&self) -> PathBuf {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.folder.join(format!("{prefix}sim{suffix}"))
    }

    fn file(&self, what: &str) -> PathBuf {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.folder.join(format!("{prefix}sim-{what}{suffix}"))
    }
}

impl Drop for HotLib {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Removes folders of processes that are gone, except for those that another process may go on from.
fn remove_stale(live: &Path, saves: &Path) {
    for folder in fs::read_dir(live).into_iter().flatten().flatten() {
        let name = folder.file_name();
        let alive = Path::new("/proc").join(&name).exists();
        let saved = name
            .to_str()
            .and_then(|name| name.parse().ok())
            .is_some_and(|process| places::file(saves, process).exists());
        if Path::new("/proc/self").exists() && !alive && !saved {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}
