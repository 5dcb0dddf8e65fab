//! A crash that a test asks for, at a time that only a driver or hot code would choose: `WEFT_FAULT=draw:30:3` is a SIGSEGV in
//! the 30th picture, of this process and of the two after it.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use super::Phase;

struct Fault {
    phase: Phase,
    /// Which time that the phase is entered, counted from 1.
    entry: u64,
}

/// A phase begins.
pub fn at(phase: Phase) {
    static ASKED: OnceLock<Option<Fault>> = OnceLock::new();
    static ENTRIES: AtomicU64 = AtomicU64::new(0);
    let Some(asked) = ASKED.get_or_init(asked).as_ref().filter(|asked| asked.phase == phase) else { return };
    if ENTRIES.fetch_add(1, Ordering::Relaxed) + 1 == asked.entry {
        #[cfg(unix)]
        // SAFETY: a signal to this process.
        unsafe {
            libc::raise(libc::SIGSEGV)
        };
        #[cfg(not(unix))]
        std::process::abort();
    }
}

fn asked() -> Option<Fault> {
    let text = std::env::var("WEFT_FAULT").ok()?;
    let mut parts = text.split(':');
    let phase = Phase::of_name(parts.next()?)?;
    let (entry, times) =
        (parts.next()?.parse().ok()?, parts.next().map_or(Some(1), |times| times.parse().ok())?);
    // Each crash is a record on the command line of the processes after it.
    let before: usize = std::env::args().map(|argument| argument.matches("phase=").count()).sum();
    (before < times).then_some(Fault { phase, entry })
}
