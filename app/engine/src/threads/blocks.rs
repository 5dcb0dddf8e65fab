//! The blocks of one parallel loop, claimed one by one by whoever has time: one that comes late takes none, and changes no
//! result.

use std::{
    cell::UnsafeCell,
    ffi::c_void,
    ptr,
    sync::atomic::{
        AtomicU64, AtomicUsize,
        Ordering::{Acquire, Relaxed, SeqCst},
    },
};

use sim_api::Job;

use crate::guard::Kept;

/// Most blocks that are handed out at once: their number and the next one share a word with the number of the loop.
pub(super) const MOST: usize = u16::MAX as usize;

/// The loop at work, and what is left of it.
pub(super) struct Blocks {
    /// The loop's number (32 bits), its blocks (16) and the next one of them to be taken (16).
    at: AtomicU64,
    /// Blocks of it that are done.
    done: AtomicUsize,
    /// What its blocks are. Written by the leader between two loops.
    work: UnsafeCell<Work>,
}

/// A call for each block, from block `first` on.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) job: Job,
    pub(super) data: *const c_void,
    pub(super) first: usize,
}

// SAFETY: `work` is written by the leader while no block is left to be taken or to be done, and read by who has taken one;
// `at` and `done` order the two. What `data` points to may be shared between threads (contract of `Par::run`).
unsafe impl Sync for Blocks {}
// SAFETY: as above.
unsafe impl Send for Blocks {}

/// The next block to be taken, if there is one.
fn next(at: u64) -> Option<usize> {
    let (blocks, next) = ((at >> 16 & 0xFFFF) as usize, (at & 0xFFFF) as usize);
    (next < blocks).then_some(next)
}

impl Blocks {
    pub(super) const fn new() -> Self {
        unsafe extern "C" fn nothing(_: *const c_void, _: usize) {}
        Self {
            at: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            work: UnsafeCell::new(Work { job: nothing, data: ptr::null(), first: 0 }),
        }
    }

    /// Opens a loop of `blocks` for all who take.
    ///
    /// # Safety
    /// All blocks of the loop before are done, one thread hands out, and `work` may be called once for each block on any thread.
    pub(super) unsafe fn hand_out(&self, work: Work, blocks: usize) {
        // SAFETY: nobody has a block of the loop before, and nobody can take one.
        unsafe { *self.work.get() = work };
        self.done.store(0, Relaxed);
        let number = (self.at.load(Relaxed) >> 32) as u32;
        self.at.store(u64::from(number.wrapping_add(1)) << 32 | (blocks as u64) << 16, SeqCst);
    }

    /// A block is left to be taken.
    pub(super) fn open(&self) -> bool {
        next(self.at.load(SeqCst)).is_some()
    }

    /// Does one block; `false` if there is none to be taken.
    pub(super) fn take(&self) -> bool {
        self.take_within(|block| block())
    }

    /// The same inside of `around`, which calls what it gets: it is over before the block counts as done.
    pub(super) fn take_within(&self, around: impl FnOnce(&mut dyn FnMut())) -> bool {
        let mut at = self.at.load(Acquire);
        while let Some(block) = next(at) {
            match self.at.compare_exchange_weak(at, at + 1, Acquire, Acquire) {
                Ok(_) => {
                    // SAFETY: written before this loop was handed out, and its end waits for this block.
                    let work = unsafe { *self.work.get() };
                    let mut left = Some(block);
                    around(&mut || {
                        if let Some(block) = left.take() {
                            // SAFETY: who handed out vouches for the job; this block was taken once.
                            unsafe { work.call(block) };
                        }
                    });
                    debug_assert!(left.is_none(), "a block that was taken is done");
                    self.done.fetch_add(1, SeqCst);
                    return true;
                }
                Err(now) => at = now,
            }
        }
        false
    }

    /// Blocks of the loop that are done.
    pub(super) fn done(&self) -> usize {
        self.done.load(SeqCst)
    }
}

impl Work {
    /// # Safety
    /// The job fits its data and may be called for this block here.
    pub(super) unsafe fn call(self, block: usize) {
        let _kept = Kept::new();
        // SAFETY: vouched for by the caller.
        unsafe { (self.job)(self.data, self.first + block) }
    }
}
