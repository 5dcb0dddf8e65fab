//! Threads for the hot code that a sanitizer follows: started for each loop and joined at its end. A pool that sleeps and wakes
//! inside of a standard library without instrumentation looks like a race.

use std::{ffi::c_void, ptr::without_provenance, thread};

use sim_api::{Job, Par};

/// Loops on so many threads; job `i` always runs on the same one.
pub(crate) fn par(threads: usize) -> Par {
    if threads < 2 {
        return Par::serial();
    }
    // SAFETY: `run` calls each job once and waits for all.
    unsafe { Par::new(without_provenance(threads), run) }
}

unsafe extern "C" fn run(threads: *const c_void, count: usize, job: Job, data: *const c_void) {
    /// The job's own data, which may be used from any thread.
    #[derive(Clone, Copy)]
    struct Data(*const c_void);
    // SAFETY: promised by the caller of `run`.
    unsafe impl Send for Data {}

    let (threads, data) = (threads.addr().min(count), Data(data));
    let turn = move |first: usize, data: Data| {
        for i in (first..count).step_by(threads) {
            // SAFETY: each number is of one thread, and the caller waits.
            unsafe { job(data.0, i) };
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|first| scope.spawn(move || turn(first, data))).collect();
        turn(0, data);
        // Joined one by one: the end of a scope alone is seen by the standard library only.
        for other in others {
            other.join().expect("a job does not unwind");
        }
    });
}
