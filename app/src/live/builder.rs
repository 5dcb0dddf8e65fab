//! Builds the hot library with cargo on a thread of its own, in a target folder of its own.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Project, Refusal, gate};

/// Saves that come within this time belong together (an editor writing several files).
const SETTLE: Duration = Duration::from_millis(8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
}

/// One message of the compiler.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildMessage {
    pub level: Level,
    /// `file:line:column`, from the project's root; empty for a message without a place.
    pub place: String,
    pub message: String,
    /// As the compiler prints it, with source lines.
    pub rendered: String,
}

impl BuildMessage {
    /// An error without a place.
    pub fn plain(message: String) -> Self {
        Self { level: Level::Error, place: String::new(), rendered: message.clone(), message }
    }
}

pub enum Report {
    Started,
    Finished(Outcome),
}

pub struct Outcome {
    /// When the first file of this build was saved.
    pub saved: Instant,
    pub finished: Instant,
    pub library: Result<Vec<u8>, Failure>,
    pub messages: Vec<BuildMessage>,
}

/// Why a build gave no library to publish.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// The compiler says why, in the messages.
    Compile,
    /// cargo did not run or failed without a message.
    Cargo(String),
    /// The library did not pass the gate.
    Gate(Refusal),
}

/// The builder's thread. Dropping it ends a build in progress.
pub struct Builder {
    requests: mpsc::Sender<Instant>,
    pub reports: mpsc::Receiver<Report>,
    child: Arc<Mutex<Option<Child>>>,
}

impl Builder {
    pub fn start(project: Project) -> Self {
        let (requests, incoming) = mpsc::channel::<Instant>();
        let (outgoing, reports) = mpsc::channel();
        let child = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&child);
        thread::spawn(move || {
            while let Ok(saved) = incoming.recv() {
                while incoming.recv_timeout(SETTLE).is_ok() {}
                if outgoing.send(Report::Started).is_err() {
                    return;
                }
                // The library is read and checked here, before another build may write over it.
                let (library, messages) = build(&project, &shared);
                let library = library.and_then(|path| gate::read(&path).map_err(Failure::Gate));
                let outcome = Outcome { saved, finished: Instant::now(), library, messages };
                if outgoing.send(Report::Finished(outcome)).is_err() {
                    return;
                }
            }
        });
        Self { requests, reports, child }
    }

    /// For the watcher: a time sent here starts a build.
    pub fn requests(&self) -> mpsc::Sender<Instant> {
        self.requests.clone()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        if let Some(child) = self.child.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            let _ = child.kill();
        }
    }
}

fn build(project: &Project, running: &Mutex<Option<Child>>) -> (Result<PathBuf, Failure>, Vec<BuildMessage>) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let spawned = Command::new(cargo)
        .args(["rustc", "--quiet", "--package", "sim", "--lib", "--crate-type", "cdylib"])
        .args(["--profile", "hot", "--message-format", "json"])
        .arg("--target-dir")
        .arg(project.root.join("target/hot"))
        .current_dir(&project.root)
        // A jobserver of the cargo that started us is gone by now.
        .env_remove("CARGO_MAKEFLAGS")
        .env_remove("MAKEFLAGS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(e) => return (Err(Failure::Cargo(format!("cannot start cargo: {e}"))), Vec::new()),
    };
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    *running.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    let errors = thread::spawn(move || stderr.map(std::io::read_to_string).and_then(Result::ok));
    let lines = stdout.map(std::io::read_to_string).and_then(Result::ok).unwrap_or_default();
    let errors = errors.join().ok().flatten().unwrap_or_default();
    let child = running.lock().unwrap_or_else(PoisonError::into_inner).take();
    let success = child.is_some_and(|mut child| child.wait().is_ok_and(|status| status.success()));

    let (mut library, mut messages) = (None, Vec::new());
    for line in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        match line["reason"].as_str() {
            Some("compiler-message") => messages.extend(read_message(&line["message"])),
            Some("compiler-artifact") if line["target"]["name"] == "sim" => {
                let files = line["filenames"].as_array().into_iter().flatten();
                library = files
                    .filter_map(Value::as_str)
                    .map(PathBuf::from)
                    .find(|path| is_library(path))
                    .or(library);
            }
            _ => {}
        }
    }
    let library = match library {
        Some(path) if success => Ok(path),
        _ if messages.iter().any(|message| message.level == Level::Error) => Err(Failure::Compile),
        _ => Err(Failure::Cargo(format!("cargo failed: {}", errors.trim()))),
    };
    (library, messages)
}

fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION)
}

/// A message with a place, or an error without one; notes and summaries are left out.
fn read_message(message: &Value) -> Option<BuildMessage> {
    let level = match message["level"].as_str()? {
        "error" => Level::Error,
        "warning" => Level::Warning,
        _ => return None,
    };
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().find(|span| span["is_primary"] == true);
    let text = message["message"].as_str()?.to_string();
    if primary.is_none() && (level == Level::Warning || text.starts_with("aborting due to")) {
        return None;
    }
    let place = primary.map_or_else(String::new, |span| {
        let file = span["file_name"].as_str().unwrap_or("?");
        format!("{file}:{}:{}", span["line_start"], span["column_start"])
    });
    let rendered = message["rendered"].as_str().unwrap_or(&text).to_string();
    Some(BuildMessage { level, place, message: text, rendered })
}
