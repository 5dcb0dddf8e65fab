//! Processes that this one starts and waits for, and what they are doing.

use std::{
    io,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus},
    sync::atomic::{AtomicU32, Ordering},
};

/// Groups that are known to signal handlers, at most; one beyond them ends with its first process alone.
const GROUPS: usize = 16;

/// Process that each began with; 0: none.
static FIRST: [AtomicU32; GROUPS] = [const { AtomicU32::new(0) }; GROUPS];

/// A process with all that it starts, such as cargo with its compilers: they would go on to their end when it is gone. It ends as a
/// whole where a signal ends this process ([`end_groups`]).
pub struct Group {
    first: Child,
    place: Option<&'static AtomicU32>,
}

impl Group {
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let first = command.spawn()?;
        let take = |place: &&AtomicU32| {
            place.compare_exchange(0, first.id(), Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let place = FIRST.iter().find(take);
        Ok(Self { first, place })
    }

    /// Of its first process.
    pub fn id(&self) -> u32 {
        self.first.id()
    }

    /// What its first process says, where that was asked for; once.
    pub fn said(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.first.stdout.take(), self.first.stderr.take())
    }

    /// Ends all of it.
    pub fn kill(&mut self) {
        #[cfg(unix)]
        end_group(self.id());
        let _ = self.first.kill();
    }

    /// For the end of its first process.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        self.first.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            place.store(0, Ordering::Release);
        }
    }
}

#[cfg(unix)]
fn end_group(first: u32) {
    // SAFETY: plain numbers.
    unsafe { libc::kill(-(first as libc::pid_t), libc::SIGKILL) };
}

/// Ends all groups: for signal handlers, it makes system calls only.
#[cfg(unix)]
pub fn end_groups() {
    FIRST.iter().map(|first| first.load(Ordering::Acquire)).filter(|first| *first != 0).for_each(end_group);
}

/// Ends the process with this one, however that ends: what it was to do is wanted by nobody then (Linux). The thread that starts it
/// has to live as long as the process.
pub fn ends_with_us(command: &mut Command) -> &mut Command {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::{CommandExt, parent_id};
        let us = std::process::id();
        let ask = move || {
            // SAFETY: plain numbers.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
            // It may have ended before it was asked: then nobody would end this one.
            if parent_id() == us { Ok(()) } else { Err(std::io::ErrorKind::NotFound.into()) }
        };
        // SAFETY: two system calls, which a process that was just split off may make.
        unsafe { command.pre_exec(ask) };
    }
    command
}

/// What a process did so far, and what it is doing.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Processor time of all its threads [s].
    pub seconds: f64,
    /// None of its threads runs, is ready to or reads a disk.
    pub sleeps: bool,
}

/// Of a process; `None` where the system does not say.
pub fn work(process: u32) -> Option<Work> {
    let folder = format!("/proc/{process}");
    let stat = stat(&folder)?;
    let ticks: Option<f64> = stat.get(11..13)?.iter().map(|ticks| ticks.parse::<f64>().ok()).sum();
    let threads = std::fs::read_dir(format!("{folder}/task")).ok()?.flatten();
    let busy = |thread: std::fs::DirEntry| {
        let stat = thread.path().to_str().and_then(self::stat);
        stat.is_some_and(|stat| matches!(stat.first().map(String::as_str), Some("R" | "D")))
    };
    // Linux counts in hundredths of a second here on every common architecture.
    Some(Work { seconds: ticks? / 100.0, sleeps: !threads.into_iter().any(busy) })
}

/// The fields of a process or thread from its state on: pid (name) state ppid …
pub(crate) fn stat(folder: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("{folder}/stat")).ok()?;
    Some(text.rsplit_once(") ")?.1.split_whitespace().map(String::from).collect())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        io::{BufRead, BufReader},
        process::Stdio,
    };

    use super::*;

    #[test]
    fn a_process_that_sleeps_is_told_from_one_that_works() {
        let start = std::time::Instant::now();
        while start.elapsed().as_secs_f64() < 0.1 {}
        let own = work(std::process::id()).expect("Linux says");
        assert!(!own.sleeps && own.seconds > 0.0, "{own:?}");
        let mut child = Command::new("sleep").arg("60").spawn().expect("it starts");
        let asleep = || work(child.id()).is_some_and(|work| work.sleeps && work.seconds < 1.0);
        while start.elapsed().as_secs() < 30 && !asleep() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(asleep());
        child.kill().and_then(|()| child.wait()).expect("it ends");
        assert!(work(child.id()).is_none());
    }

    #[test]
    fn a_group_ends_as_a_whole_and_is_forgotten_then() {
        let mut group =
            Group::start(Command::new("sh").args(["-c", "sleep 100 & echo $!; wait"]).stdout(Stdio::piped()))
                .expect("a shell");
        let mut line = String::new();
        let said = group.said().0.expect("a pipe");
        BufReader::new(said).read_line(&mut line).expect("its child");
        let inner: u32 = line.trim().parse().expect("a number");
        let id = group.id();
        assert!(FIRST.iter().any(|first| first.load(Ordering::Acquire) == id), "handlers know it");
        group.kill();
        assert_eq!(group.wait().expect("its end").code(), None);
        assert!(FIRST.iter().all(|first| first.load(Ordering::Acquire) != id));
        let ended = || stat(&format!("/proc/{inner}")).is_none_or(|stat| stat[0] == "Z");
        let start = std::time::Instant::now();
        while start.elapsed().as_secs() < 30 && !ended() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(ended(), "it sleeps for 100 s");
    }
}
