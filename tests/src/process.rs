//! The program as a child. Its lines are events: a test waits for the one it needs, with a time limit.

use std::{
    path::Path,
    process::{Command, ExitStatus, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use weft_proof::soak::program::{Load, Program};

use super::places;

/// Longest wait for an event. A build of the hot library on a busy machine is the slowest of them.
pub const PATIENCE: Duration = Duration::from_mins(5);

/// Runs `weft` to its end in `folder`.
pub fn weft(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(places::weft());
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.output().unwrap_or_else(|e| panic!("{}: {e}", places::weft().display()))
}

/// A program that runs on. Dropping it ends it.
pub struct Running(pub Program);

impl Running {
    /// Starts `weft` in `folder`.
    pub fn weft(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(places::weft());
        command.args(arguments).current_dir(folder);
        Self::start(command)
    }

    pub fn start(command: Command) -> Self {
        Self(Program::start(command).unwrap_or_else(|e| panic!("{e}")))
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// The next line that holds all of `parts`; lines before it are passed over.
    pub fn wait_for(&mut self, parts: &[&str]) -> String {
        let holds = |line: &str| parts.iter().all(|part| line.contains(part)).then(|| line.to_string());
        self.find(&format!("{parts:?}"), holds)
    }

    /// What `wanted` makes of the next line that it takes; lines before it are passed over.
    pub fn find<T>(&mut self, what: &str, wanted: impl Fn(&str) -> Option<T>) -> T {
        let found = self.0.wait(PATIENCE, wanted);
        found.unwrap_or_else(|| panic!("no line for {what}"))
    }

    /// All lines so far.
    pub fn seen(&mut self) -> &[String] {
        self.0.seen()
    }

    pub fn load(&self) -> Load {
        self.0.load().expect("a process that runs, and /proc")
    }

    pub fn alive(&mut self) -> bool {
        self.0.ended().is_none()
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill {id}");
    }

    /// Waits for the end of the program.
    pub fn end(&mut self, limit: Duration) -> ExitStatus {
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = self.0.ended() {
                return status;
            }
            assert!(Instant::now() < end, "still running after {limit:?}");
            // A child's end is no event that can be waited for with a limit.
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    /// A test that fails shows what the program said.
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the program said:\n{}", self.seen().join("\n"));
        }
    }
}

/// Tries until `found` has an answer.
pub fn poll<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE / 2;
    loop {
        if let Some(answer) = found() {
            return answer;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// [`poll`] for what follows a gesture, which is made, and again every 15 s: where all cores are taken it can be lost.
pub fn poll_doing<T>(what: &str, gesture: impl Fn(), mut found: impl FnMut() -> Option<T>) -> T {
    let mut next = Instant::now();
    poll(what, || {
        if Instant::now() >= next {
            gesture();
            next += Duration::from_secs(15);
        }
        found()
    })
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

/// Sends a signal by its name without `SIG`.
pub fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill {process}");
}

/// Children of `parent` that have ended and that nobody waits for in two seconds (Linux).
pub fn zombies(parent: u32) -> usize {
    let count = || {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        let of = |stat: &String| {
            let mut fields = stat.rsplit_once(") ").map_or("", |(_, tail)| tail).split(' ');
            fields.next() == Some("Z") && fields.next() == Some(parent.to_string().as_str())
        };
        stats.filter(of).count()
    };
    // One that ended just now is still to be waited for.
    for _ in 0..20 {
        if count() == 0 {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    count()
}
