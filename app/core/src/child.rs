//! Processes that this one starts and waits for.

use std::process::Command;

/// Ends the process with this one, however that ends: what it was to do is wanted by nobody then (Linux). The thread that starts it
/// has to live as long as the process.
pub fn ends_with_us(command: &mut Command) -> &mut Command {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let ask = || {
            // SAFETY: plain numbers.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
            Ok(())
        };
        // SAFETY: one system call, which a process that was just split off may make.
        unsafe { command.pre_exec(ask) };
    }
    command
}
