//! Threads lent by the host. Work is cut into fixed blocks, never by thread count, so a result has the same bits
//! on every number of threads.

use std::{
    any::Any,
    ffi::c_void,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Mutex,
};

use crate::{SharedMut, panic_site};

/// Rows of one block: the unit that is handed to a thread and the unit of a reduction.
pub const BLOCK: usize = 1024;

/// The host's parallel for.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Par {
    pub context: *const c_void,
    /// Calls `job(data, i)` once for each `i` in `0..count`, on any thread, and returns when all are done.
    pub run: unsafe extern "C" fn(*const c_void, usize, Job, *const c_void),
}

/// A job must not unwind: [`Par::each`] catches on the hot side.
pub type Job = unsafe extern "C" fn(*const c_void, usize);

// SAFETY: the host's pool behind `context` may be used from any thread.
unsafe impl Sync for Par {}
// SAFETY: as above.
unsafe impl Send for Par {}

impl Par {
    /// Everything on the calling thread.
    pub const fn serial() -> Self {
        unsafe extern "C" fn run(_: *const c_void, count: usize, job: Job, data: *const c_void) {
            for i in 0..count {
                // SAFETY: handed on from the caller of `run`.
                unsafe { job(data, i) };
            }
        }
        Self { context: std::ptr::null(), run }
    }

    /// Calls `f(i)` for each `i` in `0..count`. A panic in one of them is raised again here, after all have ended.
    pub fn each<F: Fn(usize) + Sync>(&self, count: usize, f: F) {
        struct Caught<F> {
            f: F,
            panic: Mutex<Option<Box<dyn Any + Send>>>,
        }
        unsafe extern "C" fn call<F: Fn(usize) + Sync>(data: *const c_void, i: usize) {
            // SAFETY: `each` passes a `Caught<F>` that outlives the run.
            let caught = unsafe { &*data.cast::<Caught<F>>() };
            let _watch = panic_site::Watch::start();
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (caught.f)(i))) {
                let mut first = caught.panic.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                first.get_or_insert(panic);
            }
        }
        if count <= 1 {
            (0..count).for_each(f);
            return;
        }
        let caught = Caught { f, panic: Mutex::new(None) };
        // SAFETY: `call::<F>` fits `caught`, which lives until `run` returns.
        unsafe { (self.run)(self.context, count, call::<F>, (&raw const caught).cast()) };
        let panic = caught.panic.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Calls `f(range)` for each block of `range`.
    pub fn blocks(&self, range: Range<usize>, f: impl Fn(Range<usize>) + Sync) {
        self.each(range.len().div_ceil(BLOCK), |block| {
            let start = range.start + block * BLOCK;
            f(start..(start + BLOCK).min(range.end));
        });
    }

    /// The sum of `f(range)` over all blocks of `0..count`, added in the order of the blocks.
    pub fn sum(&self, count: usize, f: impl Fn(Range<usize>) -> f64 + Sync) -> f64 {
        /// Blocks whose sums fit on the stack at a time: a million rows.
        const AT_ONCE: usize = 1024;
        let mut total = 0.0;
        for first in (0..count.div_ceil(BLOCK)).step_by(AT_ONCE) {
            let blocks = (count.div_ceil(BLOCK) - first).min(AT_ONCE);
            let mut sums = [0.0; AT_ONCE];
            let parts = SharedMut::new(&mut sums);
            self.each(blocks, |block| {
                let start = (first + block) * BLOCK;
                let sum = f(start..(start + BLOCK).min(count));
                // SAFETY: each block writes its own place.
                unsafe { parts.set(block, sum) };
            });
            total += sums[..blocks].iter().sum::<f64>();
        }
        total
    }

    /// As [`Par::rows`], and the sum of what `f` returns, added in the order of the blocks.
    pub fn rows_sum<T: Copy + Send>(
        &self,
        column: &mut [T],
        f: impl Fn(usize, &mut [T]) -> f64 + Sync,
    ) -> f64 {
        let (count, column) = (column.len(), SharedMut::new(column));
        // SAFETY: blocks do not overlap.
        self.sum(count, |range| f(range.start, unsafe { column.rows_mut(range) }))
    }

    /// As [`Par::rows2`], and the sum of what `f` returns, added in the order of the blocks.
    pub fn rows2_sum<A: Copy + Send, B: Copy + Send>(
        &self,
        a: &mut [A],
        b: &mut [B],
        f: impl Fn(usize, &mut [A], &mut [B]) -> f64 + Sync,
    ) -> f64 {
        assert_eq!(a.len(), b.len(), "columns of one table have the same number of rows");
        let (count, a, b) = (a.len(), SharedMut::new(a), SharedMut::new(b));
        // SAFETY: blocks do not overlap.
        self.sum(count, |range| unsafe { f(range.start, a.rows_mut(range.clone()), b.rows_mut(range)) })
    }

    /// Calls `f(first row, rows)` for each block of one column.
    pub fn rows<T: Copy + Send>(&self, column: &mut [T], f: impl Fn(usize, &mut [T]) + Sync) {
        let count = column.len();
        let column = SharedMut::new(column);
        // SAFETY: blocks do not overlap.
        self.blocks(0..count, |range| f(range.start, unsafe { column.rows_mut(range) }));
    }

    /// Calls `f(first row, rows of a, rows of b)` for each block of two columns of one table.
    pub fn rows2<A: Copy + Send, B: Copy + Send>(
        &self,
        a: &mut [A],
        b: &mut [B],
        f: impl Fn(usize, &mut [A], &mut [B]) + Sync,
    ) {
        assert_eq!(a.len(), b.len(), "columns of one table have the same number of rows");
        let b = SharedMut::new(b);
        // SAFETY: blocks do not overlap.
        self.rows(a, |start, a| f(start, a, unsafe { b.rows_mut(start..start + a.len()) }));
    }

    /// As [`Par::rows2`] for four columns.
    pub fn rows4<A: Copy + Send, B: Copy + Send, C: Copy + Send, D: Copy + Send>(
        &self,
        a: &mut [A],
        b: &mut [B],
        c: &mut [C],
        d: &mut [D],
        f: impl Fn(usize, &mut [A], &mut [B], &mut [C], &mut [D]) + Sync,
    ) {
        assert_eq!(a.len(), d.len(), "columns of one table have the same number of rows");
        let d = SharedMut::new(d);
        self.rows3(a, b, c, |start, a, b, c| {
            // SAFETY: blocks do not overlap.
            let d = unsafe { d.rows_mut(start..start + a.len()) };
            f(start, a, b, c, d);
        });
    }

    /// As [`Par::rows2`] for three columns.
    pub fn rows3<A: Copy + Send, B: Copy + Send, C: Copy + Send>(
        &self,
        a: &mut [A],
        b: &mut [B],
        c: &mut [C],
        f: impl Fn(usize, &mut [A], &mut [B], &mut [C]) + Sync,
    ) {
        assert_eq!(a.len(), c.len(), "columns of one table have the same number of rows");
        let c = SharedMut::new(c);
        // SAFETY: blocks do not overlap.
        self.rows2(a, b, |start, a, b| f(start, a, b, unsafe { c.rows_mut(start..start + a.len()) }));
    }
}
