//! The host's threads, lent to the hot code: one rayon pool behind the contract's [`Par`].

use std::ffi::c_void;

use rayon::prelude::*;
use sim_api::{Job, Par};

use crate::guard::Kept;

/// More threads than any machine this was meant for.
const MOST: usize = 1024;

pub struct Threads {
    /// `None`: everything runs on the calling thread.
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// What the names of the pool's threads begin with.
    pub const NAME: &str = "solver";

    /// `count` threads; 0 means one for each core.
    pub fn new(count: usize) -> Result<Self, String> {
        let count =
            if count == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { count };
        if count > MOST {
            return Err(format!("--threads {count}: at most {MOST}"));
        }
        if count == 1 {
            return Ok(Self { pool: None });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|i| format!("{} {i}", Self::NAME))
            .build()
            .map_err(|e| format!("cannot start {count} threads: {e}"))?;
        Ok(Self { pool: Some(pool) })
    }

    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// What the hot code gets. Use it inside [`Threads::run`] only.
    pub fn par(&self) -> Par {
        match self.pool {
            // SAFETY: `run` needs no context, calls each job once and waits for all.
            Some(_) => unsafe { Par::new(std::ptr::null(), run) },
            None => Par::serial(),
        }
    }

    /// Runs a step on the pool, so that its parallel loops start without waking the pool each time.
    pub fn run<R: Send>(&self, step: impl FnOnce() -> R + Send) -> R {
        let kept = || {
            let _kept = Kept::new();
            step()
        };
        match &self.pool {
            Some(pool) => pool.install(kept),
            None => kept(),
        }
    }
}

unsafe extern "C" fn run(_: *const c_void, count: usize, job: Job, data: *const c_void) {
    let data = data as usize;
    // SAFETY: `Par::each` passes a job that fits its data, may run on any thread and does not unwind.
    (0..count).into_par_iter().for_each(|i| {
        let _kept = Kept::new();
        unsafe { job(data as *const c_void, i) }
    });
}
