//! The program as a child: its lines are events to wait for, with a time limit.

use std::{
    io::{self, BufRead, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::stop;

/// From one look at whether to stop to the next.
const TICK: Duration = Duration::from_millis(100);

/// Dropping it ends it.
pub struct Program {
    child: Child,
    lines: mpsc::Receiver<(Instant, String)>,
    seen: Vec<String>,
    /// When each was said.
    times: Vec<Instant>,
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
    pub fn this(folder: &Path, arguments: &[&str]) -> Result<Self, String> {
        let exe = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(exe);
        command.args(arguments).current_dir(folder);
        #[cfg(unix)]
        // Ctrl-C is for the one that reports.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let program = Self::start(command)?;
        stop::takes_along(program.child.id());
        Ok(program)
    }

    /// Neither reads nor writes what the user's windows keep, unless the command says where that is.
    pub fn start(mut command: Command) -> Result<Self, String> {
        if !command.get_envs().any(|(name, _)| name == "WEFT_CONFIG") {
            command.env("WEFT_CONFIG", "");
        }
        // Both outputs are one pipe: two readers may tell of a crash after what the next process said.
        let (output, write) = io::pipe().map_err(|e| format!("no pipe: {e}"))?;
        let stdout = write.try_clone().map_err(|e| format!("no pipe: {e}"))?;
        command.stdin(Stdio::null()).stdout(stdout).stderr(write);
        let child = command.spawn().map_err(|e| format!("cannot start {command:?}: {e}"))?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, lines, seen: Vec::new(), times: Vec::new() })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What `wanted` makes of the next line that it takes; lines before it are passed over. `None` after `limit`, at the
    /// program's end, or when this process is asked to stop.
    pub fn wait<T>(&mut self, limit: Duration, wanted: impl Fn(&str) -> Option<T>) -> Option<T> {
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(TICK)) {
                Ok((at, line)) => {
                    let found = wanted(&line);
                    self.seen.push(line);
                    self.times.push(at);
                    if found.is_some() {
                        return found;
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) if left > TICK && !stop::asked() => {}
                Err(_) => return None,
            }
        }
    }

    /// All lines so far.
    pub fn seen(&mut self) -> &[String] {
        for (at, line) in self.lines.try_iter() {
            self.seen.push(line);
            self.times.push(at);
        }
        &self.seen
    }

    /// When each line was said, of those that were seen.
    pub fn times(&self) -> &[Instant] {
        &self.times
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
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
        stop::has_ended(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
