//! The host's threads, lent to the hot code behind the contract's [`Par`]: those of a rayon pool, or in a browser the page's
//! workers. rayon's own parallel loops cost several microseconds each, of which a step has hundreds; [`Team`] begins and ends
//! them in less than one.

mod blocks;
mod counters;
#[cfg_attr(target_arch = "wasm32", path = "threads/workers.rs")]
mod team;

use std::{ffi::c_void, ptr};

use sim_api::{Job, Par};
use team::Team;
use weft_core::command::CommandError;

use crate::guard::{Kept, Marked};

pub struct Threads {
    /// `None`: everything runs on the calling thread.
    team: Option<Box<Team>>,
}

impl Threads {
    /// What the names of the pool's threads begin with.
    pub const NAME: &str = "solver";
    /// More threads than any machine this was meant for.
    pub const MOST: usize = 1024;

    /// `count` threads; 0 means one for each core. A page has as many as it started workers for, and one more.
    pub fn new(count: usize) -> Result<Self, CommandError> {
        let count = if count == 0 { team::cores() } else { count };
        if count > Self::MOST {
            return Err(CommandError::Usage(format!("--threads {count}: at most {}", Self::MOST)));
        }
        let team = if count == 1 { None } else { Some(Box::new(Team::start(count)?)) };
        Ok(Self { team })
    }

    pub fn count(&self) -> usize {
        self.team.as_ref().map_or(1, |team| team.count())
    }

    /// Whether it is counted from now on how long each of several threads is at work.
    pub(crate) fn count_work(&self, wanted: bool) {
        self.team.iter().for_each(|team| team.counters().turn(wanted));
    }

    /// While they count, for each thread a time that grows [ns]: of the first how long it waited for the others, of each other
    /// how long it was at work.
    pub(crate) fn counters(&self) -> impl Iterator<Item = u64> {
        self.team.iter().flat_map(|team| team.counters().read().take(team.count()))
    }

    /// What the hot code gets. Use it inside [`Threads::run`] only.
    pub fn par(&self) -> Par {
        match &self.team {
            // SAFETY: the team lives as long as these threads do, calls each job once and waits for all.
            Some(team) => unsafe { Par::new(ptr::from_ref(&**team).cast(), run) },
            None => Par::serial(),
        }
    }

    /// Runs a step; its parallel loops run on all threads.
    pub fn run<R: Send>(&self, step: impl FnOnce() -> R + Send) -> R {
        let kept = || {
            let _kept = Kept::new();
            step()
        };
        let Some(team) = &self.team else {
            let _marked = Marked::new();
            return kept();
        };
        team.run(kept)
    }
}

/// # Safety
/// `context` is the team of [`Threads::par`], which lives; else as for [`Par::run`].
unsafe extern "C" fn run(context: *const c_void, count: usize, job: Job, data: *const c_void) {
    // SAFETY: vouched for by the caller.
    unsafe { (*context.cast::<Team>()).each(count, job, data) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        mem,
        sync::{
            Barrier,
            atomic::{AtomicUsize, Ordering::Relaxed},
        },
    };

    use super::*;
    use crate::guard::changed_about_signals;

    #[test]
    fn what_a_loop_does_about_signals_is_put_back_on_each_thread_and_told() {
        let (threads, met) = (Threads::new(2).expect("threads"), Barrier::new(2));
        let par = threads.par();
        threads.run(|| ());
        assert_eq!(changed_about_signals().count(), 0);
        // Nobody does both blocks.
        threads.run(|| {
            par.each(2, |_| {
                met.wait();
                take_all();
            });
        });
        let told: Vec<_> = changed_about_signals().collect();
        assert_eq!(told, ["which signals are blocked", "the stack of signal handlers"]);
        let taken = AtomicUsize::new(0);
        threads.run(|| {
            par.each(2, |_| {
                met.wait();
                taken.fetch_add(usize::from(is_taken()), Relaxed);
            });
        });
        assert_eq!((taken.into_inner(), changed_about_signals().count()), (0, 0));
    }

    /// From this thread: its signals, and the stack of their handlers.
    fn take_all() {
        // SAFETY: sets what this thread does about signals.
        unsafe {
            let mut all: libc::sigset_t = mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, ptr::null_mut());
            let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
            libc::sigaltstack(&raw const none, ptr::null_mut());
        }
    }

    fn is_taken() -> bool {
        // SAFETY: asks what this thread does about signals.
        unsafe {
            let (mut mask, mut stack): (libc::sigset_t, libc::stack_t) = (mem::zeroed(), mem::zeroed());
            libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), &raw mut mask);
            libc::sigaltstack(ptr::null(), &raw mut stack);
            libc::sigismember(&raw const mask, libc::SIGSEGV) == 1 || stack.ss_flags == libc::SS_DISABLE
        }
    }
}
