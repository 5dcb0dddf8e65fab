//! Two children that wait for an order, and what the host hears of them.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
    process::{self, ChildStdin, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::{
    Fault, Trial, limits,
    wire::{self, Ask, Order, Say},
};
use weft_core::child::{Work, work};

/// Threads of the first and of the second child.
pub(super) const THREADS: [usize; 2] = [1, 2];
/// Set for children: a probe starts no probes, whatever program it is.
const MARK: &str = "WEFT_PROBE";
/// What is kept of a child's standard error [bytes].
const MOST_SAID: usize = 4096;
/// A child that closed its output ends within this time, or is made to.
const TO_END: Duration = Duration::from_millis(300);

/// Something a child said, or its end.
pub(super) enum Heard {
    Say(Say),
    End,
}

pub(super) struct Pair {
    children: Vec<Child>,
    /// Index of the child, and what it said.
    pub heard: mpsc::Receiver<(usize, Heard)>,
}

struct Child {
    process: process::Child,
    input: ChildStdin,
    /// What it wrote to its standard error, and a word when that was closed.
    errors: (Arc<Mutex<Vec<u8>>>, mpsc::Receiver<()>),
}

impl Pair {
    pub(super) fn start(program: &Path) -> io::Result<Self> {
        if std::env::var_os(MARK).is_some() {
            return Err(io::Error::other("this is a probe"));
        }
        let (sender, heard) = mpsc::channel();
        let mut pair = Self { children: Vec::new(), heard };
        for (index, threads) in THREADS.into_iter().enumerate() {
            pair.children.push(Child::start(program, index, threads, &sender)?);
        }
        Ok(pair)
    }

    /// Sends each child its order, and the images to all that have one.
    pub(super) fn order(&mut self, orders: &[Order], trial: &Trial) -> io::Result<()> {
        let send = |child: &mut Child, order: &Order| -> io::Result<()> {
            wire::send(&mut child.input, order)?;
            for image in trial.runs.iter().filter_map(|run| run.image.as_ref()) {
                wire::send_bytes(&mut child.input, &image.state)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let children = self.children.iter_mut().zip(orders);
            let sends: Vec<_> = children.map(|(child, order)| scope.spawn(|| send(child, order))).collect();
            let dead = || Err(io::Error::other("the writing thread"));
            sends.into_iter().try_for_each(|sent| sent.join().unwrap_or_else(|_| dead()))
        })
    }

    pub(super) fn ask(&mut self, child: usize, ask: &Ask) -> io::Result<()> {
        wire::send(&mut self.children[child].input, ask)
    }

    /// Whether a child's process is gone, which nobody hears of while a process that it started holds its output open.
    pub(super) fn is_over(&mut self, child: usize) -> bool {
        matches!(self.children[child].process.try_wait(), Ok(Some(_)))
    }

    /// What a child did so far, and whether it sleeps.
    pub(super) fn work(&self, child: usize) -> Option<Work> {
        work(self.children[child].process.id())
    }

    /// Why a child ended that should not have; `memory` is what it was allowed [bytes].
    pub(super) fn death(&mut self, child: usize, memory: u64) -> Fault {
        let child = &mut self.children[child];
        let status = child.ended();
        // A process that the child started may hold it open for ever.
        let _ = child.errors.1.recv_timeout(TO_END);
        let said = child.errors.0.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&said).into_owned();
        if said.contains("has overflowed its stack") {
            return Fault::StackOverflow;
        }
        if said.contains("memory allocation of") {
            return Fault::Memory(memory);
        }
        match status.and_then(signal) {
            Some(signal) => Fault::Signal(signal, in_one_line(&said)),
            None => Fault::Exited(status.and_then(|status| status.code())),
        }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.process.kill();
        }
        for child in &mut self.children {
            let _ = child.process.wait();
        }
    }
}

impl Child {
    fn start(
        program: &Path,
        index: usize,
        threads: usize,
        sender: &mpsc::Sender<(usize, Heard)>,
    ) -> io::Result<Self> {
        let mut process = Command::new(program)
            .args(["probe", "--threads", &threads.to_string()])
            .env(MARK, "1")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, output, errors) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(input), Some(mut output), Some(mut errors)) = (input, output, errors) else {
            return Err(io::Error::other("no pipes"));
        };
        limits::widen(&input);
        let sender = sender.clone();
        thread::spawn(move || {
            while let Ok(say) = wire::receive(&mut output).and_then(|frame| wire::read(&frame)) {
                if sender.send((index, Heard::Say(say))).is_err() {
                    return;
                }
            }
            let _ = sender.send((index, Heard::End));
        });
        let said = Arc::new(Mutex::new(Vec::new()));
        let (kept, (closed, end)) = (Arc::clone(&said), mpsc::channel());
        thread::spawn(move || {
            let mut part = [0; 512];
            // The rest is read away: a child must not wait for somebody to listen.
            while let Ok(count @ 1..) = errors.read(&mut part) {
                let mut said = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MOST_SAID.saturating_sub(said.len());
                said.extend_from_slice(&part[..count.min(room)]);
            }
            let _ = closed.send(());
        });
        Ok(Self { process, input, errors: (said, end) })
    }

    /// How it ended, or `None` if it had to be killed.
    fn ended(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + TO_END;
        while Instant::now() < end {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        None
    }
}

/// This very program, even if its file was replaced by a build since.
#[cfg(target_os = "linux")]
pub fn this_program() -> PathBuf {
    "/proc/self/exe".into()
}

/// The file of this program, whatever it is now.
#[cfg(not(target_os = "linux"))]
pub fn this_program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "weft".into())
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// What was printed, short enough for a line.
fn in_one_line(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
    lines.join(" ").chars().take(300).collect()
}
