//! Workers of a browser page that do the blocks of a step's parallel loops together with the page's own thread.
//!
//! Before the program starts, the page makes its workers: each runs this program on the same memory, on a stack of its own
//! from [`weft_worker`], and stays in [`weft_serve`] (`worker.js`). A page's own thread must not block: it leads, hands out,
//! takes blocks itself and spins until the last one is done; no lock is taken. Workers look for blocks in a spin of [`SPIN`],
//! then sleep until they are woken. Blocks are claimed in shares, so one that comes late, or never, changes no result.
//! Where the page's memory is not shared there are no workers, and all runs on its own thread.

use std::{
    cell::Cell,
    ffi::c_void,
    ptr,
    sync::{
        LazyLock, OnceLock,
        atomic::{
            AtomicBool, AtomicUsize,
            Ordering::{Relaxed, SeqCst},
        },
    },
    thread::Thread,
    time::Duration,
};

use weft_core::clock::Instant;

use sim_api::Job;

use super::{
    blocks::{Blocks, Place, Work},
    counters::Counters,
};

/// How long a worker looks for a block before it sleeps: longer than what usually lies between two loops.
const SPIN: Duration = Duration::from_micros(50);
/// Turns of a spin between two looks at the clock: the page's costs more than the machine's.
const TURNS: u32 = 256;
/// How long the last block is waited for before its worker counts as lost.
const PATIENCE: Duration = Duration::from_secs(20);
/// More workers than a page starts.
const MOST_WORKERS: usize = 64;

static CREW: Crew = Crew {
    blocks: Blocks::new(),
    asked: AtomicUsize::new(0),
    known: AtomicUsize::new(0),
    asleep: AtomicUsize::new(0),
    sleepers: [const { OnceLock::new() }; MOST_WORKERS],
    lost: AtomicBool::new(false),
};

static COUNTERS: LazyLock<Counters> = LazyLock::new(|| Counters::new(1 + MOST_WORKERS));

thread_local! {
    /// This thread runs a step, and is outside of its loops.
    static LEADS: Cell<bool> = const { Cell::new(false) };
}

struct Crew {
    /// The loop at work.
    blocks: Blocks,
    /// Workers that take part in the step.
    asked: AtomicUsize,
    /// Workers that the page has, started or about to.
    known: AtomicUsize,
    /// Workers that sleep, or are about to.
    asleep: AtomicUsize,
    sleepers: [OnceLock<Thread>; MOST_WORKERS],
    /// A worker ended, which none does by itself.
    lost: AtomicBool,
}

/// Threads that the page has.
pub(super) fn cores() -> usize {
    1 + CREW.known.load(Relaxed)
}

/// The page's own thread and some of its workers.
pub(super) struct Team {
    count: usize,
}

impl Team {
    pub(super) fn start(count: usize) -> Result<Self, String> {
        Ok(Self { count: count.min(cores()) })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn counters(&self) -> &Counters {
        &COUNTERS
    }

    /// Runs a step on the calling thread; workers take part in its loops.
    pub(super) fn run<R: Send>(&self, step: impl FnOnce() -> R + Send) -> R {
        CREW.asked.store(self.count - 1, SeqCst);
        LEADS.set(true);
        let result = step();
        LEADS.set(false);
        result
    }

    /// One loop, from the contract's `Par::run`: all blocks are done when this returns. Inside of another loop, or outside of
    /// a step, the calling thread does them alone.
    ///
    /// # Safety
    /// `job` fits `data` and may be called once for each of `0..count`, on any thread.
    pub(super) unsafe fn each(&self, count: usize, job: Job, data: *const c_void) {
        if !LEADS.replace(false) {
            // SAFETY: vouched for by the caller.
            return unsafe { Work { job, data, count }.call(0..count) };
        }
        // SAFETY: vouched for by the caller.
        unsafe { CREW.hand_out(Work { job, data, count }) };
        LEADS.set(true);
    }
}

impl Crew {
    /// # Safety
    /// As for [`Team::each`], and this thread leads the step.
    unsafe fn hand_out(&self, work: Work) {
        // SAFETY: the loop before ended with its last share; the rest is vouched for by the caller.
        let shares = unsafe { self.blocks.hand_out(work) };
        if self.asleep.load(SeqCst) > 0 {
            // One share is this thread's.
            let asked = self.asked.load(Relaxed).min(shares.saturating_sub(1));
            self.sleepers[..asked].iter().filter_map(OnceLock::get).for_each(Thread::unpark);
        }
        while self.blocks.take(self.place(0)) {}
        let (mut begin, mut turns) = (None, 0_u32);
        while self.blocks.done() < shares {
            turns = turns.wrapping_add(1);
            if turns.is_multiple_of(TURNS) {
                let late = begin.get_or_insert_with(Instant::now).elapsed() > PATIENCE;
                assert!(!late && !self.lost.load(Relaxed), "a worker of the page ended while it computed");
            }
            std::hint::spin_loop();
        }
        if let Some(begin) = begin.filter(|_| COUNTERS.is_on()) {
            COUNTERS.add(0, begin.elapsed());
        }
    }

    fn place(&self, thread: usize) -> Place {
        Place { thread, of: 1 + self.asked.load(Relaxed) }
    }

    /// A worker's life.
    fn serve(&self, worker: usize) {
        self.sleepers[worker].get_or_init(std::thread::current);
        let takes_part = || worker < self.asked.load(SeqCst);
        let (mut idle, mut turns, mut end) = (Instant::now(), 0_u32, None);
        let mut take = |end: &mut Option<Instant>| {
            let count = |share: &mut dyn FnMut()| *end = COUNTERS.block(1 + worker, *end, share);
            self.blocks.take_within(self.place(1 + worker), count)
        };
        loop {
            if takes_part() && take(&mut end) {
                (idle, turns) = (end.unwrap_or_else(Instant::now), 0);
                continue;
            }
            end = None;
            turns += 1;
            if turns.is_multiple_of(TURNS) && idle.elapsed() > SPIN {
                self.asleep.fetch_add(1, SeqCst);
                // Who hands out after this look sees that one sleeps.
                if !(takes_part() && self.blocks.open()) {
                    std::thread::park();
                }
                self.asleep.fetch_sub(1, SeqCst);
                (idle, turns) = (Instant::now(), 0);
            }
            std::hint::spin_loop();
        }
    }
}

/// Memory for a worker's stack and its thread-local values, never freed; null if there are enough workers.
#[unsafe(no_mangle)]
extern "C" fn weft_worker(bytes: usize) -> *mut u8 {
    if CREW.known.load(Relaxed) == MOST_WORKERS {
        return ptr::null_mut();
    }
    CREW.known.fetch_add(1, Relaxed);
    Vec::leak(vec![0_u128; bytes.div_ceil(size_of::<u128>())]).as_mut_ptr().cast()
}

/// What worker number `worker` does; it does not return.
#[unsafe(no_mangle)]
extern "C" fn weft_serve(worker: usize) {
    CREW.serve(worker.min(MOST_WORKERS - 1));
}

/// A worker ended: the step that waits for it ends too.
#[unsafe(no_mangle)]
extern "C" fn weft_lost() {
    CREW.lost.store(true, Relaxed);
}
