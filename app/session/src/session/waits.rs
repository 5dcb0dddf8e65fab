//! How long the threads of a step waited for a processor: a step that is slow because the machine is busy is not to be held
//! against its code, one that sleeps is. Linux; elsewhere nothing is known, and every second counts.

use std::{collections::HashMap, ffi::OsString, fs, time::Duration};
use weft_engine::threads::Threads;

/// Time that each thread of a step has waited so far [ns]: this one, and those of the pool (`Threads`). Others may wait for
/// as long as they like.
#[derive(Default)]
pub(super) struct Waits(HashMap<OsString, u64>);

impl Waits {
    /// A few system calls for each thread.
    pub(super) fn now() -> Self {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let this = fs::read_link("/proc/thread-self").unwrap_or_default();
        let wait = |thread: fs::DirEntry| {
            let name = fs::read_to_string(thread.path().join("comm")).ok()?;
            if this.file_name() != Some(&thread.file_name()) && !name.starts_with(Threads::NAME) {
                return None;
            }
            // Time on a processor, time of waiting for one, turns.
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            Some((thread.file_name(), text.split_whitespace().nth(1)?.parse().ok()?))
        };
        Self(threads.filter_map(wait).collect())
    }

    /// The longest that any thread waited since `before`.
    pub(super) fn longest_since(&self, before: &Self) -> Duration {
        let since = |(thread, now): (&OsString, &u64)| Some(now.saturating_sub(*before.0.get(thread)?));
        Duration::from_nanos(self.0.iter().filter_map(since).max().unwrap_or(0))
    }
}
