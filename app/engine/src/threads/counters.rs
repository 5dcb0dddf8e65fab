//! How long threads are at work, counted where somebody asks for it: a look at the clock for each block costs little, and
//! nobody pays for what nobody reads.

use std::{
    sync::atomic::{
        AtomicBool, AtomicU64,
        Ordering::{Acquire, Relaxed, Release},
    },
    time::Duration,
};

use weft_core::clock::Instant;

/// On a line of the cache of its own: each thread writes its one.
#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

/// Ever growing [ns]: of the first thread how long it waited for others, of each other how long it was at work.
pub(super) struct Counters {
    on: AtomicBool,
    all: Box<[Counter]>,
}

impl Counters {
    pub(super) fn new(threads: usize) -> Self {
        Self { on: AtomicBool::new(false), all: (0..threads).map(|_| Counter::default()).collect() }
    }

    pub(super) fn turn(&self, on: bool) {
        self.on.store(on, Release);
    }

    pub(super) fn is_on(&self) -> bool {
        self.on.load(Acquire)
    }

    /// One for each thread while they count, else none.
    pub(super) fn read(&self) -> impl Iterator<Item = u64> {
        let all = if self.is_on() { &self.all[..] } else { &[] };
        all.iter().map(|counter| counter.0.load(Relaxed))
    }

    pub(super) fn add(&self, thread: usize, time: Duration) {
        // Nobody else writes it; that a loop is done orders it before the leader's look.
        let Some(Counter(counter)) = self.all.get(thread) else { return };
        counter.store(counter.load(Relaxed) + time.as_nanos() as u64, Relaxed);
    }

    /// Does a block, and counts it from `begin`, or from now on. Returns when it ended, where that is counted.
    pub(super) fn block(
        &self,
        thread: usize,
        begin: Option<Instant>,
        block: impl FnOnce(),
    ) -> Option<Instant> {
        if !self.is_on() {
            block();
            return None;
        }
        let begin = begin.unwrap_or_else(Instant::now);
        block();
        let end = Instant::now();
        self.add(thread, end.saturating_duration_since(begin));
        Some(end)
    }
}
