//! A crash that a test asks for, at a time that only a driver or hot code would choose: `WEFT_FAULT=draw:30:3` is a SIGSEGV in
//! the 30th picture, of this process and of the two after it; `draw:25s:3` in the first after 25 s of each.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::clock::Instant;

use super::Phase;

struct Fault {
    phase: Phase,
    when: When,
}

enum When {
    /// Which time that the phase is entered, counted from 1.
    Entry(u64),
    /// The first time after it.
    After(Instant),
}

/// A phase begins.
pub fn at(phase: Phase) {
    static ASKED: OnceLock<Option<Fault>> = OnceLock::new();
    static ENTRIES: AtomicU64 = AtomicU64::new(0);
    let Some(asked) = ASKED.get_or_init(asked).as_ref().filter(|asked| asked.phase == phase) else { return };
    let entry = ENTRIES.fetch_add(1, Ordering::Relaxed) + 1;
    let now = match asked.when {
        When::Entry(wanted) => entry == wanted,
        When::After(time) => Instant::now() >= time,
    };
    if now {
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
    let when = parts.next()?;
    let when = match when.strip_suffix('s') {
        Some(seconds) => When::After(Instant::now() + Duration::from_secs(seconds.parse().ok()?)),
        None => When::Entry(when.parse().ok()?),
    };
    let times = parts.next().map_or(Some(1), |times| times.parse().ok())?;
    // Each crash is a record on the command line of the processes after it.
    let before: usize = std::env::args().map(|argument| argument.matches("phase=").count()).sum();
    (before < times).then_some(Fault { phase, when })
}
