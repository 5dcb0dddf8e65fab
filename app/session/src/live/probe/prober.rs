//! The prober's thread: it keeps a pair of children ready and tries one library after the other.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use super::{
    Trial,
    pair::Pair,
    watch::{self, Physics, Stop},
};
use crate::live::Refusal;

/// A library to try.
struct Candidate {
    number: u64,
    library: Vec<u8>,
    /// The library that runs; `None`: the code that is linked in.
    running: Option<Arc<Vec<u8>>>,
    trial: Trial,
}

/// What came of a library.
pub struct Verdict {
    pub number: u64,
    /// The library, if it may be published.
    pub library: Result<Vec<u8>, Refusal>,
    /// Tried on the small cloth, for want of an image.
    pub small: bool,
}

/// Dropping it ends the probe in progress and the children.
pub struct Prober {
    candidates: Option<mpsc::Sender<Candidate>>,
    pub verdicts: mpsc::Receiver<Verdict>,
    /// Number of the library that counts; a probe of an older one is given up.
    newest: Arc<AtomicU64>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Prober {
    /// Libraries are tried as files in `folder`, by children that run `program`: a `weft` like this one. The thread that
    /// calls this is woken by every verdict.
    pub fn start(program: PathBuf, folder: PathBuf) -> Self {
        let poller = thread::current();
        let (candidates, incoming) = mpsc::channel();
        let (outgoing, verdicts) = mpsc::channel();
        let newest = Arc::new(AtomicU64::new(0));
        let number = Arc::clone(&newest);
        let thread = thread::spawn(move || {
            let ready = Pair::start(&program).ok();
            let mut worker = Worker { ready, used: None, program, folder, newest: number };
            for candidate in incoming {
                if let Some(verdict) = worker.judge(candidate) {
                    if outgoing.send(verdict).is_err() {
                        return;
                    }
                    poller.unpark();
                }
                // After the verdict: ending and starting processes takes a while.
                worker.used = None;
                worker.ready = Pair::start(&worker.program).ok();
            }
        });
        Self { candidates: Some(candidates), verdicts, newest, thread: Some(thread) }
    }

    /// Tries a library; one that is being tried is given up. Returns the number that the verdict will have.
    pub fn probe(&self, library: Vec<u8>, running: Option<Arc<Vec<u8>>>, trial: Trial) -> u64 {
        let number = self.give_up();
        if let Some(candidates) = &self.candidates {
            let _ = candidates.send(Candidate { number, library, running, trial });
        }
        number
    }

    /// No verdict on what is being tried is wanted any more.
    pub fn give_up(&self) -> u64 {
        self.newest.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Drop for Prober {
    fn drop(&mut self) {
        self.give_up();
        self.candidates = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    program: PathBuf,
    folder: PathBuf,
    /// Children that wait.
    ready: Option<Pair>,
    /// Those that tried a library.
    used: Option<Pair>,
    newest: Arc<AtomicU64>,
}

impl Worker {
    /// `None`: a newer library came.
    fn judge(&mut self, candidate: Candidate) -> Option<Verdict> {
        let Candidate { number, library, running, trial } = candidate;
        let newest = Arc::clone(&self.newest);
        let superseded = || newest.load(Ordering::Relaxed) != number;
        if superseded() {
            return None;
        }
        let library = match self.judge_library(&library, running.as_deref(), &trial, &superseded) {
            Err(Stop::Superseded) => return None,
            _ if superseded() => return None,
            Ok(()) => Ok(library),
            Err(Stop::Refused(refusal)) => Err(refusal),
            Err(Stop::NoProbe(why)) => Err(Refusal::NotProbed(why)),
        };
        Some(Verdict { number, library, small: trial.small() })
    }

    fn judge_library(
        &mut self,
        library: &[u8],
        running: Option<&Vec<u8>>,
        trial: &Trial,
        superseded: &dyn Fn() -> bool,
    ) -> Result<(), Stop> {
        let file = Aside::write(&self.folder, "probe", library)?;
        // The solvers that do not run are shared out.
        let orders = [Some(0), Some(1)].map(|others| watch::order(Some(&file.path), trial, others));
        let pair = self.ready.take().map_or_else(|| self.start(), Ok)?;
        let pair = self.used.insert(pair);
        let physics = watch::carry_out(pair, (&orders, trial), superseded)?;
        for (run, failure) in physics {
            if !self.excuses(run, running, trial, superseded)? {
                return Err(Stop::Refused(Refusal::Failed(failure.into())));
            }
        }
        Ok(())
    }

    /// Whether the code that runs now fails as well from the same image, so that the fault is in the scene or the step.
    fn excuses(
        &self,
        run: usize,
        running: Option<&Vec<u8>>,
        trial: &Trial,
        superseded: &dyn Fn() -> bool,
    ) -> Result<bool, Stop> {
        let Some(tried) = trial.runs.get(run) else { return Ok(false) };
        if tried.stopped {
            return Ok(true);
        }
        let alone = Trial { runs: vec![tried.clone()] };
        let file = running.map(|library| Aside::write(&self.folder, "running", library)).transpose()?;
        let order = watch::order(file.as_ref().map(|file| file.path.as_path()), &alone, None);
        match watch::carry_out(&mut self.start()?, (&[order], &alone), superseded) {
            Ok(physics) => Ok(!Physics::is_empty(&physics)),
            // It runs here and does not run there: no measure for the other.
            Err(Stop::Refused(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn start(&self) -> Result<Pair, Stop> {
        Pair::start(&self.program).map_err(|e| Stop::NoProbe(format!("cannot start a probe: {e}")))
    }
}

/// A library in a file that is removed at the end.
struct Aside {
    path: PathBuf,
}

impl Aside {
    fn write(folder: &Path, name: &str, library: &[u8]) -> Result<Self, Stop> {
        let path = folder.join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
        // A `cargo clean` takes the folder away under a running program.
        weft_core::files::make_folder(folder)
            .and_then(|()| fs::write(&path, library))
            .map_err(|e| Stop::NoProbe(format!("cannot write {}: {e}", path.display())))?;
        Ok(Self { path })
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
