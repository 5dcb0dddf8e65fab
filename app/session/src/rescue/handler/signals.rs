//! Signals that end a program unless it handles them, by the names that records of crashes have.

use std::ffi::c_int;

/// A program gets these for what it does.
pub(super) const CRASHES: [(c_int, &str); 7] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGSYS, "SIGSYS"),
];

/// These end a program as well; they are a crash where it sent them to itself.
const SENT: [(c_int, &str); 9] = [
    (libc::SIGALRM, "SIGALRM"),
    (libc::SIGVTALRM, "SIGVTALRM"),
    (libc::SIGPROF, "SIGPROF"),
    (libc::SIGXCPU, "SIGXCPU"),
    (libc::SIGUSR1, "SIGUSR1"),
    (libc::SIGUSR2, "SIGUSR2"),
    (libc::SIGHUP, "SIGHUP"),
    (libc::SIGQUIT, "SIGQUIT"),
    (libc::SIGTERM, "SIGTERM"),
];

/// As those of `SENT`, on Linux.
#[cfg(target_os = "linux")]
const SENT_HERE: [(c_int, &str); 3] =
    [(libc::SIGIO, "SIGIO"), (libc::SIGPWR, "SIGPWR"), (libc::SIGSTKFLT, "SIGSTKFLT")];
#[cfg(not(target_os = "linux"))]
const SENT_HERE: [(c_int, &str); 0] = [];

/// Timers and limits of the process, which nobody else sets off.
const TIMERS: [c_int; 4] = [libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF, libc::SIGXCPU];

/// What a signal that ends programs is called.
pub fn signal_name(signal: c_int) -> Option<&'static str> {
    let named = CRASHES.iter().chain(&SENT).chain(&SENT_HERE).find(|(number, _)| *number == signal);
    named.map(|(_, name)| *name).or_else(|| real_time().contains(&signal).then_some("SIGRT"))
}

/// All that are a crash where the program sent them to itself.
pub(super) fn sent() -> impl Iterator<Item = c_int> {
    SENT.iter().chain(&SENT_HERE).map(|(signal, _)| *signal).chain(real_time())
}

/// Those without a meaning of their own.
fn real_time() -> std::ops::Range<c_int> {
    #[cfg(target_os = "linux")]
    {
        libc::SIGRTMIN()..libc::SIGRTMAX() + 1
    }
    #[cfg(not(target_os = "linux"))]
    {
        0..0
    }
}

/// Whether this process sent it to itself, or set a timer or a limit that did.
///
/// # Safety
/// `info` is the kernel's, of this signal.
pub(super) unsafe fn is_own(signal: c_int, info: *const libc::siginfo_t) -> bool {
    // SAFETY: a signal that a process sent has the number of that process.
    let (code, by) = unsafe { ((*info).si_code, (*info).si_pid()) };
    #[cfg(target_os = "linux")]
    if code == libc::SI_TIMER {
        return true;
    }
    // SAFETY: asks for a number.
    TIMERS.contains(&signal) || code <= 0 && by == unsafe { libc::getpid() }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_that_ends_a_program_has_a_name_of_one_word() {
        let all: Vec<c_int> = CRASHES.iter().map(|(signal, _)| *signal).chain(sent()).collect();
        let names = all.iter().map(|signal| signal_name(*signal).expect("a name"));
        assert!(names.clone().all(|name| name.starts_with("SIG") && !name.contains(char::is_whitespace)));
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        // Asked for, or of children, windows and terminals, which end no program.
        for signal in [libc::SIGKILL, libc::SIGCHLD, libc::SIGCONT, libc::SIGWINCH, libc::SIGTSTP] {
            assert_eq!(signal_name(signal), None, "{signal}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_timer_is_set_off_by_nobody_else_and_a_key_by_a_terminal() {
        // SAFETY: zeros are valid.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        // Ctrl-C comes from the kernel; a process that sent one has another number than this.
        for (code, own) in [(libc::SI_TIMER, true), (libc::SI_KERNEL, false), (libc::SI_USER, false)] {
            info.si_code = code;
            // SAFETY: all of it is there.
            assert_eq!(unsafe { is_own(libc::SIGINT, &raw const info) }, own, "{code}");
        }
        // SAFETY: as above.
        assert!(unsafe { is_own(libc::SIGXCPU, &raw const info) }, "a limit of this process");
    }
}
