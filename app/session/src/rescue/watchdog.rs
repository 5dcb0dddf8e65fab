//! Ends what never ends: a step or a picture that takes longer than it may, and memory that grows without end.
//!
//! Time is counted in ticks of this thread's own, not read from a clock: a process that stands still as a whole
//! (a debugger, SIGSTOP, a laptop that sleeps) makes no ticks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::{handler, memory::Memory};
use weft_core::pulse;

const TICK: Duration = Duration::from_millis(50);

/// Watches until it is dropped.
pub(super) struct Watchdog(Arc<AtomicBool>);

impl Watchdog {
    /// Also waits for the children of the process before this one, which are nobody's: they would stay as zombies.
    pub(super) fn start(left: Vec<i32>) -> Result<Self, String> {
        let ended = Arc::new(AtomicBool::new(false));
        let shared = Arc::clone(&ended);
        let watch = move || {
            let (mut seen, mut ticks) = (0, 0);
            let (mut memory, mut left) = (Memory::default(), left);
            while !shared.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                let (count, limit) = pulse::current();
                ticks = if count == seen { ticks + 1 } else { 0 };
                seen = count;
                if limit > 0 && ticks * TICK.as_millis() as u64 > limit && !debugged() {
                    handler::restart("HANG", false);
                    return;
                }
                if memory.runs_out() && !debugged() {
                    handler::restart("MEMORY", false);
                    return;
                }
                handler::reap(&mut left);
            }
        };
        let thread = thread::Builder::new().name("watchdog".into()).spawn(watch);
        thread.map(|_| Self(ended)).map_err(|e| format!("cannot start the watchdog: {e}"))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether a debugger holds the process (Linux): it may step the main thread alone.
fn debugged() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}
