//! Processes that this one starts and waits for.

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
