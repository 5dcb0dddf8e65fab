//! The program as a child. Its lines are events: a test waits for the one it needs, with a time limit.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::places;

/// Longest wait for an event. A build of the hot library on a busy machine is the slowest of them.
pub const PATIENCE: Duration = Duration::from_mins(3);

/// Runs `weft` to its end in `folder`.
pub fn weft(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(places::weft());
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.output().unwrap_or_else(|e| panic!("{}: {e}", places::weft().display()))
}

/// A program that runs on. Dropping it ends it.
pub struct Running {
    child: Child,
    lines: mpsc::Receiver<String>,
    /// All lines so far, for messages.
    seen: Vec<String>,
}

impl Running {
    /// Starts `weft` in `folder`.
    pub fn weft(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(places::weft());
        command.args(arguments).current_dir(folder);
        Self::start(command)
    }

    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let (sender, lines) = mpsc::channel();
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|out| Box::new(out) as Box<dyn Read + Send>),
            child.stderr.take().map(|out| Box::new(out) as Box<dyn Read + Send>),
        ];
        for output in outputs.into_iter().flatten() {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Self { child, lines, seen: Vec::new() }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line that holds all of `parts`; lines before it are passed over.
    pub fn wait_for(&mut self, parts: &[&str]) -> String {
        let holds = |line: &str| parts.iter().all(|part| line.contains(part)).then(|| line.to_string());
        self.find(&format!("{parts:?}"), holds)
    }

    /// What `wanted` makes of the next line that it takes; lines before it are passed over.
    pub fn find<T>(&mut self, what: &str, wanted: impl Fn(&str) -> Option<T>) -> T {
        let found = self.find_within(PATIENCE, wanted);
        found.unwrap_or_else(|| panic!("no line for {what}; there were:\n{}", self.seen.join("\n")))
    }

    /// As [`Running::find`]; `None` if there was none in time.
    pub fn find_within<T>(&mut self, limit: Duration, wanted: impl Fn(&str) -> Option<T>) -> Option<T> {
        let end = Instant::now() + limit;
        loop {
            let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
            let found = wanted(&line);
            self.seen.push(line);
            if found.is_some() {
                return found;
            }
        }
    }

    /// All lines so far.
    pub fn seen(&mut self) -> &[String] {
        self.seen.extend(self.lines.try_iter());
        &self.seen
    }

    pub fn alive(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_none())
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill {id}");
    }

    /// Waits for the end of the program.
    pub fn end(&mut self, limit: Duration) -> ExitStatus {
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            let lines = self.seen().join("\n");
            assert!(Instant::now() < end, "still running after {limit:?}:\n{lines}");
            // A child's end is no event that can be waited for with a limit.
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tries until `found` has an answer.
pub fn poll<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE / 4;
    loop {
        if let Some(answer) = found() {
            return answer;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Process ids of the direct children of `parent` that are called `name` (Linux).
pub fn children(parent: u32, name: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|id| id.parse().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // pid (name) state ppid …
        let Some((head, tail)) = stat.rsplit_once(") ") else { continue };
        let of = tail.split(' ').nth(1).and_then(|ppid| ppid.parse().ok());
        if of == Some(parent) && head.ends_with(&format!("({name}")) {
            found.push(id);
        }
    }
    found
}

/// Whether a process runs (a zombie does not).
pub fn runs(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, tail)| !tail.starts_with('Z'))
}
