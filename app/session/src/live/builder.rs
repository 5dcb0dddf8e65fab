//! Builds the hot library, with cargo or by its command alone, on a thread of its own, in a target folder of its own.

use std::{
    fs::File,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use weft_core::{child::Group, clock::Instant};

use super::{
    BuildMessage, Refusal,
    cargo::{self, Built, cargo},
    contract,
    direct::{Direct, Others},
    gate,
    overseer::{self, Build, Ended},
    sources::Sources,
};
use weft_core::project::Project;

/// Saves that come within this time belong together (an editor writing several files).
const SETTLE: Duration = Duration::from_millis(4);
/// Saves that never end are built after this time.
const LONGEST: Duration = Duration::from_millis(100);
/// A build gives way to a newer save after this time: of one crate, and of all.
const PATIENCE: Duration = Duration::from_secs(10);
const PATIENCE_OF_CARGO: Duration = Duration::from_secs(90);

pub(super) enum Report {
    Started,
    /// So many crates of this build are done.
    Progress(usize),
    Finished(Outcome),
}

pub(super) struct Outcome {
    /// When the first file of this build was saved.
    pub saved: Instant,
    pub finished: Instant,
    pub library: Result<Vec<u8>, Failure>,
    pub messages: Vec<BuildMessage>,
    /// What differs in the contract, if it does.
    pub contract: Vec<String>,
}

/// Why a build gave no library to publish.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    /// cargo failed.
    Build(cargo::Failure),
    /// The library did not pass the gate.
    Gate(Refusal),
    /// The builder itself, on its thread.
    Panicked,
}

/// The builder's thread. Dropping it ends a build in progress.
pub(super) struct Builder {
    requests: mpsc::Sender<Instant>,
    pub reports: mpsc::Receiver<Report>,
    build: Arc<Build>,
}

impl Builder {
    /// The thread that calls this is woken by every report.
    pub(super) fn start(project: Project) -> Self {
        let poller = thread::current();
        let (requests, saves) = mpsc::channel::<Instant>();
        let (forward, incoming) = mpsc::channel::<Instant>();
        let (outgoing, reports) = mpsc::channel();
        let build = Arc::new(Build::default());
        overseer::start(saves, forward, Arc::clone(&build));
        let work = Work::new(project, Arc::clone(&build), outgoing.clone());
        thread::spawn(move || serve(&incoming, &outgoing, &poller, work, Work::is_new, Work::build));
        Self { requests, reports, build }
    }

    /// For the watcher: a time sent here starts a build.
    pub(super) fn requests(&self) -> mpsc::Sender<Instant> {
        self.requests.clone()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.build.kill();
    }
}

/// Builds for each save that is new, and reports to the thread `poller`, until one of the two ends. A build that panics is reported,
/// too.
fn serve<W>(
    saves: &mpsc::Receiver<Instant>,
    reports: &mpsc::Sender<Report>,
    poller: &thread::Thread,
    mut work: W,
    is_new: impl Fn(&mut W) -> bool,
    build: impl Fn(&mut W, Instant) -> Option<Outcome>,
) {
    while let Ok(saved) = saves.recv() {
        let latest = Instant::now() + LONGEST;
        while saves.recv_timeout(SETTLE).is_ok() && Instant::now() < latest {}
        if !is_new(&mut work) {
            continue;
        }
        if reports.send(Report::Started).is_err() {
            return;
        }
        poller.unpark();
        let built = panic::catch_unwind(AssertUnwindSafe(|| build(&mut work, saved)));
        let Some(outcome) = built.unwrap_or_else(|_| Some(Outcome::panicked(saved))) else { continue };
        if reports.send(Report::Finished(outcome)).is_err() {
            return;
        }
        poller.unpark();
    }
}

impl Outcome {
    fn panicked(saved: Instant) -> Self {
        let library = Err(Failure::Panicked);
        Self { saved, finished: Instant::now(), library, messages: Vec::new(), contract: Vec::new() }
    }
}

/// What the thread builds with.
struct Work {
    project: Project,
    folder: String,
    shared: Arc<Build>,
    reports: mpsc::Sender<Report>,
    /// The compiler's command, once cargo has shown it.
    direct: Option<Direct>,
    /// What the last build began with, if it came to an end of its own.
    built_from: Option<Sources>,
}

impl Work {
    fn new(project: Project, shared: Arc<Build>, reports: mpsc::Sender<Report>) -> Self {
        let folder = project.root.join("target/hot").to_string_lossy().into_owned();
        Self { project, folder, shared, reports, direct: None, built_from: None }
    }

    /// Whether a file was saved since the last build began.
    fn is_new(&mut self) -> bool {
        let now = Some(Sources::of(&self.project));
        let is_new = now != self.built_from;
        self.built_from = now;
        is_new
    }

    /// `None`: there is a newer save, which is built instead.
    fn build(&mut self, saved: Instant) -> Option<Outcome> {
        let from = self.built_from.take();
        let _alone = alone(&self.project);
        let _ends = Ends(Arc::clone(&self.shared));
        let overlooked = from.as_ref().is_some_and(|from| from.are_overlooked(Path::new(&self.folder)));
        let shared = &self.shared;
        let stands = self.direct.as_ref().filter(|direct| direct.stands(&self.project));
        shared.begin(PATIENCE);
        let built = stands.and_then(|direct| direct.build(&self.project, &shared.child));
        let mut built = built.unwrap_or_else(|| self.build_with_cargo(overlooked));
        match self.shared.end() {
            Some(Ended::Overtaken) => return None,
            Some(Ended::Memory(bytes)) => {
                let taken = bytes as f64 / f64::from(1 << 30);
                built.files = Err(cargo::Failure::Cargo(format!(
                    "the compiler took {taken:.1} GB, the last of this machine's memory, and was ended"
                )));
            }
            None => {}
        }
        let finished = Instant::now();
        // The library is read and checked here, before another build may write over it.
        let library = built.files.map_err(Failure::Build).and_then(library);
        let library = library.and_then(|path| gate::read(&path).map_err(Failure::Gate));
        let contract = contract::changes(&self.project);
        // One that failed for want of something else is built again by whatever comes.
        self.built_from = from.filter(|_| !matches!(library, Err(Failure::Build(cargo::Failure::Cargo(_)))));
        Some(Outcome { saved, finished, library, messages: built.messages, contract })
    }

    /// `overlooked`: cargo alone would not see what is new.
    fn build_with_cargo(&mut self, overlooked: bool) -> Built {
        let (project, shared) = (&self.project, &self.shared);
        shared.begin(PATIENCE_OF_CARGO);
        let others = Others::of(project);
        if overlooked {
            forget(project, &self.folder, &shared.child);
        }
        let arguments = ["rustc", "--package", "sim", "--lib", "--crate-type", "cdylib", "--profile", "hot"];
        let arguments = [&arguments[..], &["--target-dir", &self.folder]].concat();
        let built = cargo(project, &arguments, "sim", &shared.child, |crates| {
            let _ = self.reports.send(Report::Progress(crates));
        });
        let before = self.direct.take().filter(|_| built.files.is_ok());
        self.direct = match before {
            Some(before) if !built.log.contains("--crate-name sim ") => Some(before.again(others)),
            _ => Direct::after(&built.log, others).filter(|_| built.files.is_ok()),
        };
        built
    }
}

/// A build that panics leaves no compiler that runs.
struct Ends(Arc<Build>);

impl Drop for Ends {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.kill();
            self.0.end();
        }
    }
}

/// Lets cargo build the hot code anew: it goes by the times of files, which `mv`, `cp -p` and archives set back.
fn forget(project: &Project, folder: &str, running: &Mutex<Option<Group>>) {
    let mut cargo = cargo::command(project);
    cargo.arg("clean").args(["--profile", "hot", "--target-dir", folder]);
    cargo.args(["sim", "sim_kernels", "sim_api"].map(|name| format!("--package={name}")));
    if let Ok(child) = Group::start(cargo.stdout(Stdio::null()).stderr(Stdio::null())) {
        cargo::hold(running, child);
        cargo::wait(running);
    }
}

/// Keeps other windows on this tree from building into the same files until it is dropped.
fn alone(project: &Project) -> Option<File> {
    let folder = project.root.join("target/hot");
    weft_core::files::make_folder(&folder).ok()?;
    let file = File::create(folder.join("build.lock")).ok()?;
    file.lock().ok().map(|()| file)
}

/// The library's file, as one of those that cargo names.
fn library(files: Vec<PathBuf>) -> Result<PathBuf, Failure> {
    let none = || cargo::Failure::Cargo("cargo built no library".into());
    files.into_iter().find(|path| is_library(path)).ok_or_else(none).map_err(Failure::Build)
}

fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_panics_is_reported_and_the_next_save_is_built() {
        let ((requests, saves), (outgoing, reports)) = (mpsc::channel(), mpsc::channel());
        let poller = thread::current();
        let builder = thread::spawn(move || {
            let build = |builds: &mut u8, saved| {
                *builds += 1;
                assert!(*builds > 1, "torn");
                Some(Outcome { library: Ok(vec![*builds]), ..Outcome::panicked(saved) })
            };
            serve(&saves, &outgoing, &poller, 0_u8, |_| true, build);
        });
        for library in [Err(Failure::Panicked), Ok(vec![2])] {
            requests.send(Instant::now()).expect("a builder");
            let report = || reports.recv_timeout(Duration::from_mins(1)).expect("a report");
            assert!(matches!(report(), Report::Started));
            let Report::Finished(outcome) = report() else { panic!("no end") };
            assert_eq!(outcome.library, library);
        }
        drop(requests);
        builder.join().expect("it ends with who asks it");
    }

    #[test]
    fn what_was_not_saved_since_is_not_built_again() {
        let root = std::env::temp_dir().join(format!("weft-builder-{}", std::process::id()));
        let file = root.join("sim-dylib/src/lib.rs");
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, "one").expect("written");
        let mut work =
            Work::new(Project { root: root.clone() }, Arc::new(Build::default()), mpsc::channel().0);
        assert!(work.is_new() && !work.is_new());
        let data = std::fs::metadata(&file).expect("written");
        std::fs::set_permissions(&file, data.permissions()).expect("its own mode");
        assert!(!work.is_new(), "its mode is not what is built");
        let at = data.modified().expect("a time");
        let write = |text: &str, at| {
            std::fs::write(&file, text).expect("written");
            File::options().write(true).open(&file).and_then(|file| file.set_modified(at)).expect("a time");
        };
        write("two", at);
        assert!(work.is_new(), "another text, within one tick of the clock");
        write("two", at + Duration::from_millis(10));
        assert!(work.is_new(), "the same, saved again");
        let _ = std::fs::remove_dir_all(root);
    }
}
