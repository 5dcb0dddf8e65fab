//! SIGINT and SIGTERM as a wish to come to an end, for work that has a report to write.
//!
//! Only Unix has them; elsewhere Ctrl-C ends the program, and the report is that of the last save.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

#[cfg(unix)]
static ASKED: AtomicBool = AtomicBool::new(false);
/// The program that is edited, the leader of its group; 0: none.
#[cfg(unix)]
static CHILD: AtomicI32 = AtomicI32::new(0);

#[cfg(unix)]
extern "C" fn ask(_: libc::c_int) {
    if ASKED.swap(true, Ordering::Relaxed) {
        // Whoever asks a second time does not want to wait.
        let child = CHILD.load(Ordering::Relaxed);
        // SAFETY: both are allowed in a handler; the group is the child's own.
        unsafe {
            if child > 0 {
                libc::kill(-child, libc::SIGKILL);
            }
            libc::_exit(130);
        }
    }
}

/// What goes with this process when it is ended at once.
#[cfg(unix)]
pub(super) fn takes_along(child: u32) {
    CHILD.store(child as i32, Ordering::Relaxed);
}

/// It has ended: its number may be another's.
#[cfg(unix)]
pub(super) fn has_ended(child: u32) {
    let _ = CHILD.compare_exchange(child as i32, 0, Ordering::Relaxed, Ordering::Relaxed);
}

#[cfg(not(unix))]
pub(super) fn takes_along(_: u32) {}

#[cfg(not(unix))]
pub(super) fn has_ended(_: u32) {}

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
