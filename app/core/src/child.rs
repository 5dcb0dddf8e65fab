//! Processes that this one starts and waits for, and what they are doing.

use std::process::Command;

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
}
