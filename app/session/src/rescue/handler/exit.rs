//! `exit` by the hot code: the program ends without a signal, and what it says is that all is well.

use std::sync::Once;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn at_quick_exit(end: extern "C" fn()) -> libc::c_int;
}

extern "C" fn at_exit() {
    // Nothing is prepared any more where the program ends in order.
    super::restart("EXIT", false);
}

/// From here on an `exit` with a restart prepared is a crash.
pub(super) fn watch() {
    static ONCE: Once = Once::new();
    // SAFETY: the function stays as long as the process.
    ONCE.call_once(|| unsafe {
        libc::atexit(at_exit);
        #[cfg(target_os = "linux")]
        at_quick_exit(at_exit);
    });
}
