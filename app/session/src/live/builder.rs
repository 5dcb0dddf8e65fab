//! Builds the hot library, with cargo or by its command alone, on a thread of its own, in a target folder of its own.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, SystemTime},
};

use weft_core::clock::Instant;

use super::{
    BuildMessage, Refusal,
    cargo::{self, cargo},
    contract,
    direct::{Direct, Others},
    gate,
    overseer::{self, Build, Ended},
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
        let shared = Arc::clone(&build);
        overseer::start(saves, forward, Arc::clone(&build));
        thread::spawn(move || {
            let folder = project.root.join("target/hot");
            let folder = folder.to_string_lossy();
            let arguments =
                ["rustc", "--package", "sim", "--lib", "--crate-type", "cdylib", "--profile", "hot"];
            let arguments = [&arguments[..], &["--target-dir", &folder]].concat();
            let mut direct: Option<Direct> = None;
            let mut last: Option<(Others, SystemTime)> = None;
            while let Ok(saved) = incoming.recv() {
                let latest = Instant::now() + LONGEST;
                while incoming.recv_timeout(SETTLE).is_ok() && Instant::now() < latest {}
                if outgoing.send(Report::Started).is_err() {
                    return;
                }
                poller.unpark();
                let _alone = alone(&project);
                let stands = direct.as_ref().filter(|direct| direct.stands(&project));
                shared.begin(PATIENCE);
                let built = stands.and_then(|direct| direct.build(&project, &shared.child));
                let mut built = built.unwrap_or_else(|| {
                    shared.begin(PATIENCE_OF_CARGO);
                    let others = Others::of(&project);
                    let before = last.replace((others.clone(), SystemTime::now()));
                    if before.is_some_and(|(before, built)| others.overlooked(&before, built)) {
                        forget(&project, &folder, &shared.child);
                    }
                    let built = cargo(&project, &arguments, "sim", &shared.child, |crates| {
                        let _ = outgoing.send(Report::Progress(crates));
                    });
                    let before = direct.take().filter(|_| built.files.is_ok());
                    direct = match before {
                        Some(before) if !built.log.contains("--crate-name sim ") => {
                            Some(before.again(others))
                        }
                        _ => Direct::after(&built.log, others).filter(|_| built.files.is_ok()),
                    };
                    built
                });
                match shared.end() {
                    Some(Ended::Overtaken) => continue,
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
                let contract = contract::changes(&project);
                let outcome = Outcome { saved, finished, library, messages: built.messages, contract };
                if outgoing.send(Report::Finished(outcome)).is_err() {
                    return;
                }
                poller.unpark();
            }
        });
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

/// Lets cargo build the hot code anew: it goes by the times of files, which `mv`, `cp -p` and archives set back.
fn forget(project: &Project, folder: &str, running: &Mutex<Option<Child>>) {
    let mut cargo = cargo::command(project);
    cargo.arg("clean").args(["--profile", "hot", "--target-dir", folder]);
    cargo.args(["sim", "sim_kernels", "sim_api"].map(|name| format!("--package={name}")));
    if let Ok(child) = cargo.stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
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
