//! The blocks of one parallel loop, in shares that threads take, each its own ones first: what they work on is in the cache of the
//! core that had it in the loop before. Who has none left takes those of others; who comes late takes none, and changes no result.

use std::{
    cell::UnsafeCell,
    ffi::c_void,
    ops::Range,
    ptr,
    sync::atomic::{
        AtomicU64, AtomicUsize,
        Ordering::{Acquire, Relaxed, SeqCst},
    },
};

use sim_api::Job;

use crate::guard::Kept;

/// Most shares of a loop: a bit each.
const MOST: usize = u64::BITS as usize;

/// The loop at work, and what is left of it.
pub(super) struct Blocks {
    /// Shares that are left to be taken.
    free: AtomicU64,
    /// How many there are, and how many of them are done.
    shares: AtomicUsize,
    done: AtomicUsize,
    /// What they are. Written by the leader between two loops.
    work: UnsafeCell<Work>,
}

/// A call for each of `count` blocks.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) job: Job,
    pub(super) data: *const c_void,
    pub(super) count: usize,
}

/// A thread among those that take shares.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) thread: usize,
    pub(super) of: usize,
}

// SAFETY: `work` is written by the leader while no share is left to be taken or to be done, and read by who has taken one;
// `free` and `done` order the two. What `data` points to may be shared between threads (contract of `Par::run`).
unsafe impl Sync for Blocks {}
// SAFETY: as above.
unsafe impl Send for Blocks {}

/// So many shares, from the first on.
fn bits(shares: usize) -> u64 {
    u64::MAX.checked_shr((MOST - shares) as u32).unwrap_or(0)
}

impl Place {
    /// Which of the free shares it takes: the first of its own, else of others the one that is farthest behind these.
    fn choose(self, free: u64, shares: usize) -> u32 {
        let [start, end] =
            [self.thread, self.thread + 1].map(|thread| (thread * shares / self.of).min(shares));
        let own = free & bits(end) & !bits(start);
        if own != 0 {
            return own.trailing_zeros();
        }
        let start = start as u32 % u64::BITS;
        (u64::BITS - 1 - free.rotate_right(start).leading_zeros() + start) % u64::BITS
    }
}

impl Blocks {
    pub(super) const fn new() -> Self {
        unsafe extern "C" fn nothing(_: *const c_void, _: usize) {}
        Self {
            free: AtomicU64::new(0),
            shares: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            work: UnsafeCell::new(Work { job: nothing, data: ptr::null(), count: 0 }),
        }
    }

    /// Opens a loop for all who take; returns how many shares it has.
    ///
    /// # Safety
    /// All shares of the loop before are done, one thread hands out, and `work` may be called once for each block on any thread.
    pub(super) unsafe fn hand_out(&self, work: Work) -> usize {
        // SAFETY: nobody has a share of the loop before, and nobody can take one.
        unsafe { *self.work.get() = work };
        let shares = work.count.min(MOST);
        self.done.store(0, Relaxed);
        self.shares.store(shares, Relaxed);
        self.free.store(bits(shares), SeqCst);
        shares
    }

    /// A share is left to be taken.
    pub(super) fn open(&self) -> bool {
        self.free.load(SeqCst) != 0
    }

    /// Does one share; `false` if there is none to be taken.
    pub(super) fn take(&self, place: Place) -> bool {
        self.take_within(place, |share| share())
    }

    /// The same inside of `around`, which calls what it gets: it is over before the share counts as done.
    pub(super) fn take_within(&self, place: Place, around: impl FnOnce(&mut dyn FnMut())) -> bool {
        let mut free = self.free.load(Acquire);
        while free != 0 {
            // That of another loop leads to another choice, which is as good.
            let share = place.choose(free, self.shares.load(Relaxed));
            match self.free.compare_exchange_weak(free, free & !(1 << share), Acquire, Acquire) {
                Ok(_) => {
                    // SAFETY: written before this share was free, and the end of its loop waits for it.
                    let work = unsafe { *self.work.get() };
                    let mut left = Some(share as usize);
                    around(&mut || {
                        if let Some(share) = left.take() {
                            // SAFETY: who handed out vouches for the job; this share was taken once.
                            unsafe { work.call(work.blocks(share)) };
                        }
                    });
                    debug_assert!(left.is_none(), "a share that was taken is done");
                    self.done.fetch_add(1, SeqCst);
                    return true;
                }
                Err(now) => free = now,
            }
        }
        false
    }

    /// Shares of the loop that are done.
    pub(super) fn done(&self) -> usize {
        self.done.load(SeqCst)
    }
}

impl Work {
    /// The blocks of a share.
    fn blocks(self, share: usize) -> Range<usize> {
        let shares = self.count.min(MOST);
        share * self.count / shares..(share + 1) * self.count / shares
    }

    /// # Safety
    /// The job fits its data and may be called for these blocks here.
    pub(super) unsafe fn call(self, blocks: Range<usize>) {
        let _kept = Kept::new();
        for block in blocks {
            // SAFETY: vouched for by the caller.
            unsafe { (self.job)(self.data, block) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_takes_its_own_shares_first_and_then_all_others() {
        for (of, shares) in [(1, 1), (2, 2), (2, 64), (3, 7), (5, 3), (16, 64), (100, 64), (3, 64)] {
            let mut own = 0;
            for thread in 0..of {
                let (place, mut free, mut taken) = (Place { thread, of }, bits(shares), Vec::new());
                while free != 0 {
                    let share = place.choose(free, shares);
                    assert_ne!(free & 1 << share, 0, "share {share} of {free:b} is free");
                    free &= !(1 << share);
                    taken.push(share as usize);
                }
                assert_eq!(taken.len(), shares);
                let mine = thread * shares / of..(thread + 1) * shares / of;
                own += mine.len();
                assert_eq!(&taken[..mine.len()], mine.collect::<Vec<_>>(), "thread {thread} of {of}");
            }
            assert_eq!(own, shares, "each share is some thread's own");
        }
    }

    #[test]
    fn blocks_of_shares_are_all_blocks_once() {
        unsafe extern "C" fn nothing(_: *const c_void, _: usize) {}
        for count in [1, 2, 63, 64, 65, 1000, 100_003] {
            let work = Work { job: nothing, data: ptr::null(), count };
            let all: Vec<usize> = (0..count.min(MOST)).flat_map(|share| work.blocks(share)).collect();
            assert!(all.into_iter().eq(0..count), "{count} blocks");
        }
    }
}
