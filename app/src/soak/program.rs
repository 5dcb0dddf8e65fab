//! The program under test as a child: its lines are events.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

pub struct Program {
    child: Child,
    lines: mpsc::Receiver<String>,
    /// The last lines, for the report of a death.
    pub tail: Vec<String>,
}

/// What a process takes from the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Resident [MB].
    pub memory: f64,
    pub threads: usize,
}

impl Program {
    /// This program with other arguments, in `folder`.
    pub fn start(folder: &Path, arguments: &[&str]) -> Result<Self, String> {
        let exe = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(exe);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start the program: {e}"))?;
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
        Ok(Self { child, lines, tail: Vec::new() })
    }

    /// The next line that `wanted` takes, with what it makes of it; `None` after `limit` or at the program's end.
    pub fn wait<T>(&mut self, limit: Duration, wanted: impl Fn(&str) -> Option<T>) -> Option<T> {
        let end = Instant::now() + limit;
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            let found = wanted(&line);
            self.tail.push(line);
            if self.tail.len() > 30 {
                self.tail.remove(0);
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<String> {
        self.child.try_wait().ok().flatten().map(|status| status.to_string())
    }

    /// `None` where the system has no /proc.
    pub fn load(&self) -> Option<Load> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let value = |name: &str| -> Option<f64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Some(Load { memory: value("VmRSS:")? / 1024.0, threads: value("Threads:")? as usize })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
