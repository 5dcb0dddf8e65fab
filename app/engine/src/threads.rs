//! The host's threads, lent to the hot code: those of a rayon pool behind the contract's [`Par`]. Its own parallel loops
//! cost several microseconds each, of which a step has hundreds; [`Team`] begins and ends them in less than one.

mod team;

use std::{ffi::c_void, ptr};

use sim_api::{Job, Par};
use team::Team;

use crate::guard::Kept;

/// More threads than any machine this was meant for.
const MOST: usize = 1024;

pub struct Threads {
    /// `None`: everything runs on the calling thread.
    pool: Option<(rayon::ThreadPool, Box<Team>)>,
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
        Ok(Self { pool: Some((pool, Box::new(Team::new(count)))) })
    }

    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, |(pool, _)| pool.current_num_threads())
    }

    /// What the hot code gets. Use it inside [`Threads::run`] only.
    pub fn par(&self) -> Par {
        match &self.pool {
            // SAFETY: the team lives as long as these threads do, calls each job once and waits for all.
            Some((_, team)) => unsafe { Par::new(ptr::from_ref(&**team).cast(), run) },
            None => Par::serial(),
        }
    }

    /// Runs a step; its parallel loops run on all threads.
    pub fn run<R: Send>(&self, step: impl FnOnce() -> R + Send) -> R {
        let kept = || {
            let _kept = Kept::new();
            step()
        };
        match &self.pool {
            Some((pool, team)) => team.run(pool, kept),
            None => kept(),
        }
    }
}

/// # Safety
/// `context` is the team of [`Threads::par`], which lives; else as for [`Par::run`].
unsafe extern "C" fn run(context: *const c_void, count: usize, job: Job, data: *const c_void) {
    // SAFETY: vouched for by the caller.
    unsafe { (*context.cast::<Team>()).each(count, job, data) }
}
