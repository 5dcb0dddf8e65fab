//! SIGINT and SIGTERM as a wish to come to an end, for work that has a report to write.
//!
//! Only Unix has them; elsewhere Ctrl-C ends the program, and the report is that of the last save.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
static ASKED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
extern "C" fn ask(signal: libc::c_int) {
    ASKED.store(true, Ordering::Relaxed);
    // SAFETY: allowed in a handler; whoever asks a second time does not want to wait.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// From now on these signals are heard instead of ending the process; the second one ends it.
#[cfg(unix)]
pub(super) fn listen() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler stores a flag and sets a handler, nothing else.
        unsafe { libc::signal(signal, ask as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    }
}

#[cfg(not(unix))]
pub fn listen() {}

/// Whether one of them came.
#[cfg(unix)]
pub(super) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

#[cfg(not(unix))]
pub fn asked() -> bool {
    false
}
