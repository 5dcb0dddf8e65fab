//! Threads that work off the parallel loops of one step together.
//!
//! A step has hundreds of loops of some ten microseconds each, so what counts is how fast a loop begins and ends. For the time
//! of a step the members look for work in a short spin; one that finds none for [`SPIN`] sleeps, so that a step which runs
//! alone, or a machine that is busy, is left in peace. Blocks are claimed in shares: who comes late takes none.

use std::{
    cell::Cell,
    ffi::c_void,
    mem::ManuallyDrop,
    ptr,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{
            AtomicBool, AtomicUsize,
            Ordering::{Acquire, SeqCst},
        },
    },
    time::Duration,
};

use weft_core::clock::Instant;

use sim_api::Job;

use super::{
    Threads,
    blocks::{Blocks, Place, Work},
    counters::Counters,
};
use crate::guard::{Lent, Marked};

/// How long a member looks for work before it sleeps: longer than what usually lies between two loops.
const SPIN: Duration = Duration::from_micros(50);
/// Turns of a spin between two looks at the clock, a microsecond or two.
const TURNS: u32 = 32;

thread_local! {
    /// The team whose step this thread runs, while it is outside of its loops.
    static LEADS: Cell<*const Team> = const { Cell::new(ptr::null()) };
}

pub(super) struct Team {
    pool: rayon::ThreadPool,
    /// The loop at work.
    blocks: Blocks,
    counters: Counters,
    /// The step has ended.
    over: AtomicBool,
    /// Members that sleep, or are about to.
    asleep: AtomicUsize,
    /// Held while a member goes to sleep, and while all are woken.
    door: Mutex<()>,
    bell: Condvar,
    /// The leader sleeps until the last block is done, or is about to.
    waits: AtomicBool,
    last: Condvar,
    /// Held for a step.
    step: Mutex<()>,
    /// There are more members than processors: who waits lets another one run.
    crowded: bool,
}

/// Threads that run at once here.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn lock(mutex: &Mutex<()>) -> MutexGuard<'_, ()> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Team {
    /// Threads of a pool of its own.
    pub(super) fn start(members: usize) -> Result<Self, String> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(members)
            .thread_name(|i| format!("{} {i}", Threads::NAME))
            // They run hot code and nothing else, until they end.
            .start_handler(|_| _ = ManuallyDrop::new(Marked::new()))
            .build()
            .map_err(|e| format!("cannot start {members} threads: {e}"))?;
        Ok(Self {
            pool,
            blocks: Blocks::new(),
            counters: Counters::new(members),
            over: AtomicBool::new(false),
            asleep: AtomicUsize::new(0),
            door: Mutex::new(()),
            bell: Condvar::new(),
            waits: AtomicBool::new(false),
            last: Condvar::new(),
            step: Mutex::new(()),
            crowded: std::thread::available_parallelism().is_ok_and(|processors| members > processors.get()),
        })
    }

    pub(super) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Runs a step on all threads.
    pub(super) fn run<R: Send>(&self, step: impl FnOnce() -> R + Send) -> R {
        let _one = lock(&self.step);
        self.over.store(false, SeqCst);
        let (step, result) = (Mutex::new(Some(step)), Mutex::new(None));
        self.pool.broadcast(|member| {
            let _lent = Lent::new();
            if member.index() > 0 {
                return self.serve(member.index());
            }
            let _ends = Ends(self);
            if let Some(step) = step.lock().unwrap_or_else(PoisonError::into_inner).take() {
                LEADS.set(self);
                let done = step();
                *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
            }
        });
        let result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.expect("the first thread runs the step, and a panic of it goes on in `broadcast`")
    }

    /// One loop, from the contract's `Par::run`: all blocks are done when this returns. Inside of another loop, or outside of
    /// a step, the calling thread does them alone.
    ///
    /// # Safety
    /// `job` fits `data` and may be called once for each of `0..count`, on any thread.
    pub(super) unsafe fn each(&self, count: usize, job: Job, data: *const c_void) {
        if LEADS.get() != ptr::from_ref(self) {
            // SAFETY: vouched for by the caller.
            return unsafe { Work { job, data, count }.call(0..count) };
        }
        LEADS.set(ptr::null());
        // SAFETY: vouched for by the caller.
        unsafe { self.hand_out(Work { job, data, count }) };
        LEADS.set(self);
    }

    /// # Safety
    /// As for [`Team::each`], and this thread leads the step.
    unsafe fn hand_out(&self, work: Work) {
        // SAFETY: the loop before ended with its last share; the rest is vouched for by the caller.
        let shares = unsafe { self.blocks.hand_out(work) };
        if self.asleep.load(SeqCst) > 0 {
            self.wake();
        }
        while self.blocks.take(self.place(0)) {}
        let (mut begin, mut turns) = (None, 0_u32);
        while self.blocks.done() < shares {
            turns += 1;
            if turns.is_multiple_of(TURNS) && begin.get_or_insert_with(Instant::now).elapsed() > SPIN {
                // Somebody else has the processor of who is at it, and may want this one.
                self.await_last(shares);
                break;
            }
            self.pass_time();
        }
        // A wait of a microsecond or two is not looked at.
        if let Some(begin) = begin.filter(|_| self.counters.is_on()) {
            self.counters.add(0, begin.elapsed());
        }
    }

    fn await_last(&self, shares: usize) {
        self.waits.store(true, SeqCst);
        let mut door = lock(&self.door);
        while self.blocks.done() < shares {
            door = self.last.wait(door).unwrap_or_else(PoisonError::into_inner);
        }
        drop(door);
        self.waits.store(false, SeqCst);
    }

    fn place(&self, thread: usize) -> Place {
        Place { thread, of: self.count() }
    }

    /// Does one share as a member and wakes the leader that waits for it; `false` if there is none to be taken. `end` is that of
    /// the share before, where one directly was.
    fn take_as(&self, member: usize, end: &mut Option<Instant>) -> bool {
        let count = |share: &mut dyn FnMut()| *end = self.counters.block(member, *end, share);
        let taken = self.blocks.take_within(self.place(member), count);
        if taken && self.waits.load(SeqCst) {
            drop(lock(&self.door));
            self.last.notify_one();
        }
        taken
    }

    /// A member's part in a step.
    fn serve(&self, member: usize) {
        let (mut idle, mut turns, mut end) = (Instant::now(), 0_u32, None);
        while !self.over.load(Acquire) {
            if self.take_as(member, &mut end) {
                (idle, turns) = (end.unwrap_or_else(Instant::now), 0);
                continue;
            }
            end = None;
            turns += 1;
            if turns.is_multiple_of(TURNS) && idle.elapsed() > SPIN {
                self.sleep();
                (idle, turns) = (Instant::now(), 0);
            }
            self.pass_time();
        }
    }

    fn pass_time(&self) {
        if self.crowded { std::thread::yield_now() } else { std::hint::spin_loop() }
    }

    /// Until there is a block to be taken, or the step has ended.
    fn sleep(&self) {
        self.asleep.fetch_add(1, SeqCst);
        let mut door = lock(&self.door);
        while !self.blocks.open() && !self.over.load(SeqCst) {
            door = self.bell.wait(door).unwrap_or_else(PoisonError::into_inner);
        }
        drop(door);
        self.asleep.fetch_sub(1, SeqCst);
    }

    fn wake(&self) {
        drop(lock(&self.door));
        self.bell.notify_all();
    }
}

/// The members go home when the step has ended, however.
struct Ends<'a>(&'a Team);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        LEADS.set(ptr::null());
        self.0.over.store(true, SeqCst);
        self.0.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;

    #[test]
    fn each_block_is_done_once_whatever_the_number() {
        let threads = Threads::new(3).expect("threads");
        let par = threads.par();
        threads.run(|| {
            for count in (0..200).chain([1000, 100_003]) {
                let calls: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
                par.each(count, |i| {
                    calls[i].fetch_add(1, Relaxed);
                });
                assert!(calls.iter().all(|calls| calls.load(Relaxed) == 1), "{count}");
            }
        });
    }

    #[test]
    fn members_that_sleep_are_woken_and_all_come_home() {
        let threads = Threads::new(4).expect("threads");
        let par = threads.par();
        for _ in 0..20 {
            let sum = threads.run(|| {
                let sum = AtomicUsize::new(0);
                for _ in 0..5 {
                    std::thread::sleep(4 * SPIN);
                    par.each(64, |i| {
                        sum.fetch_add(i, Relaxed);
                    });
                }
                sum.into_inner()
            });
            assert_eq!(sum, 5 * 64 * 63 / 2);
        }
    }

    #[test]
    fn who_works_and_who_waits_is_counted_where_somebody_asks() {
        let (threads, met) = (Threads::new(2).expect("threads"), std::sync::Barrier::new(2));
        let par = threads.par();
        // The worker begins its part when the leader has ended its own: what the leader waits is what the worker works,
        // but for what a busy machine takes from the leader between its part and its wait.
        let [long, waited] = [100, 10].map(Duration::from_millis);
        let step = |threads: &Threads| {
            threads.run(|| {
                let leader = std::thread::current().id();
                par.each(2, |_| {
                    // Nobody does both blocks.
                    met.wait();
                    let leads = std::thread::current().id() == leader;
                    met.wait();
                    std::thread::sleep(if leads { Duration::ZERO } else { long });
                });
                // Before the step ends, as a mark of the hot code is.
                threads.counters().collect::<Vec<u64>>()
            })
        };
        assert!(step(&threads).is_empty(), "nobody asked");
        threads.count_work(true);
        let nanos = |time: Duration| time.as_nanos() as u64;
        let first = step(&threads);
        assert!(first.len() == 2 && first[0] >= nanos(waited) && first[1] >= nanos(long), "{first:?}");
        let second = step(&threads);
        assert!(second[1] - first[1] >= nanos(long), "{second:?}");
        threads.count_work(false);
        assert!(step(&threads).is_empty());
    }

    #[test]
    fn a_loop_inside_of_a_loop_and_one_outside_of_a_step_are_done_by_who_calls() {
        let threads = Threads::new(2).expect("threads");
        let par = threads.par();
        let sum = AtomicUsize::new(0);
        let nested = || {
            par.each(10, |_| {
                par.each(10, |i| {
                    sum.fetch_add(i, Relaxed);
                });
            });
        };
        nested();
        threads.run(nested);
        assert_eq!(sum.into_inner(), 2 * 10 * 45);
    }

    #[test]
    fn a_panic_ends_the_step_and_the_next_one_runs() {
        let threads = Threads::new(3).expect("threads");
        let par = threads.par();
        let step =
            std::panic::AssertUnwindSafe(|| threads.run(|| par.each(40, |i| assert!(i != 17, "torn"))));
        assert!(std::panic::catch_unwind(step).is_err());
        let counts = AtomicUsize::new(0);
        threads.run(|| {
            par.each(40, |_| {
                counts.fetch_add(1, Relaxed);
            });
        });
        assert_eq!(counts.into_inner(), 40);
    }

    /// A thread that waits until the sender is dropped.
    #[cfg(target_os = "linux")]
    fn start() -> (std::sync::mpsc::Sender<()>, std::thread::JoinHandle<()>) {
        let ((hold, end), (tell, runs)) = (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel());
        let thread = std::thread::spawn(move || {
            tell.send(()).expect("it is waited for");
            let _ = end.recv();
        });
        runs.recv().expect("it starts");
        (hold, thread)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_a_step_starts_is_told_once_and_others_are_not() {
        let (mut guard, mut held) = (crate::guard::Guard::new(), Vec::new());
        for count in [1, 3] {
            guard.started_in_steps();
            let threads = Threads::new(count).expect("threads");
            held.push(start());
            assert!(!guard.started_in_steps(), "those of the pool and one of the program, {count} threads");
            threads.run(|| ());
            held.push(start());
            assert!(!guard.started_in_steps(), "after a step on {count} threads");
            // One less, so that there are as many as before.
            let (hold, thread) = held.pop().expect("one of the program");
            drop(hold);
            thread.join().expect("no panic");
            held.push(threads.run(start));
            assert!(guard.started_in_steps(), "in a step on {count} threads");
            assert!(!guard.started_in_steps(), "told before");
            // Wherever a loop runs.
            let (par, started) = (threads.par(), Mutex::new(Vec::new()));
            threads.run(|| par.each(2, |_| started.lock().expect("no panic").push(start())));
            assert!(guard.started_in_steps(), "in a loop on {count} threads");
            held.extend(started.into_inner().expect("no panic"));
        }
    }
}
