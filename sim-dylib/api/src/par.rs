//! Threads lent by the host. Work is cut into fixed blocks, never by thread count, so a result has the same bits
//! on every number of threads.

use std::{
    any::Any,
    ffi::c_void,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use crate::{SharedMut, panic_site};

/// Rows of one block: the unit that is handed to a thread and the unit of a reduction.
pub const BLOCK: usize = 1024;

/// The host's parallel for.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Par {
    context: *const c_void,
    /// Calls `job(data, i)` once for each `i` in `0..count`, on any thread, and returns when all are done.
    run: Run,
}

/// `run(context, count, job, data)`, see [`Par::new`].
type Run = unsafe extern "C" fn(*const c_void, usize, Job, *const c_void);

/// `job(data, i)`. It does not unwind: [`Par::each`] catches on the hot side.
pub type Job = unsafe extern "C" fn(*const c_void, usize);

// SAFETY: the host's pool behind `context` may be used from any thread.
unsafe impl Sync for Par {}
// SAFETY: as above.
unsafe impl Send for Par {}

impl Par {
    /// A host's threads.
    ///
    /// # Safety
    /// `run` may be called with this context from any thread. It calls `job(data, i)` once for each `i` in `0..count`, on any
    /// thread, and returns when all are done.
    pub const unsafe fn new(context: *const c_void, run: Run) -> Self {
        Self { context, run }
    }

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
    #[inline(always)]
    pub fn each<F: Fn(usize) + Sync>(&self, count: usize, f: F) {
        self.each_at::<F, F>(count, f);
    }

    /// [`Par::each`], compiled where `H` is.
    #[inline(always)]
    fn each_at<H, F: Fn(usize) + Sync>(&self, count: usize, f: F) {
        let caught = Caught { f, panic: Mutex::new(None) };
        // SAFETY: `H::call::<F>` fits `caught`, which lives until `launch` returns.
        unsafe { self.launch(count, <H as Home>::call::<F>, (&raw const caught).cast()) };
        raise(caught.panic);
    }

    /// # Safety
    /// `job(data, i)` may be called for each `i` in `0..count`, on any thread.
    unsafe fn launch(&self, count: usize, job: Job, data: *const c_void) {
        // SAFETY: vouched for by the caller.
        unsafe {
            match count {
                0 => {}
                1 => job(data, 0),
                _ => (self.run)(self.context, count, job, data),
            }
        }
    }

    /// Calls `f(range)` for each block of `range`.
    #[inline(always)]
    pub fn blocks<F: Fn(Range<usize>) + Sync>(&self, range: Range<usize>, f: F) {
        self.blocks_at::<F, F>(range, f);
    }

    #[inline(always)]
    fn blocks_at<H, F: Fn(Range<usize>) + Sync>(&self, range: Range<usize>, f: F) {
        self.each_at::<H, _>(range.len().div_ceil(BLOCK), |block| {
            let start = range.start + block * BLOCK;
            f(start..(start + BLOCK).min(range.end));
        });
    }

    /// The sum of `f(range)` over all blocks of `0..count`, added in the order of the blocks.
    #[inline(always)]
    pub fn sum<F: Fn(Range<usize>) -> f64 + Sync>(&self, count: usize, f: F) -> f64 {
        self.sum_at::<F, F>(count, f)
    }

    #[inline(always)]
    fn sum_at<H, F: Fn(Range<usize>) -> f64 + Sync>(&self, count: usize, f: F) -> f64 {
        let [sum] = self.sums_at::<H, 1, _>(count, |range| [f(range)]);
        sum
    }

    /// As [`Par::sum`] for several sums at once.
    #[inline(always)]
    pub fn sums<const N: usize, F: Fn(Range<usize>) -> [f64; N] + Sync>(
        &self,
        count: usize,
        f: F,
    ) -> [f64; N] {
        self.sums_at::<F, N, F>(count, f)
    }

    #[inline(always)]
    fn sums_at<H, const N: usize, F: Fn(Range<usize>) -> [f64; N] + Sync>(
        &self,
        count: usize,
        f: F,
    ) -> [f64; N] {
        /// Blocks whose sums fit on the stack at a time.
        const AT_ONCE: usize = 512;
        let mut total = [0.0; N];
        for first in (0..count.div_ceil(BLOCK)).step_by(AT_ONCE) {
            let blocks = (count.div_ceil(BLOCK) - first).min(AT_ONCE);
            let mut sums = [[0.0; N]; AT_ONCE];
            let parts = SharedMut::new(&mut sums);
            self.each_at::<H, _>(blocks, |block| {
                let start = (first + block) * BLOCK;
                // SAFETY: each block writes its own place.
                unsafe { parts.set(block, f(start..(start + BLOCK).min(count))) };
            });
            for part in &sums[..blocks] {
                for (total, part) in total.iter_mut().zip(part) {
                    *total += part;
                }
            }
        }
        total
    }

    /// As [`Par::rows`], and the sum of what `f` returns, added in the order of the blocks.
    #[inline(always)]
    pub fn rows_sum<T: Copy + Send, F: Fn(usize, &mut [T]) -> f64 + Sync>(
        &self,
        column: &mut [T],
        f: F,
    ) -> f64 {
        let (count, column) = (column.len(), SharedMut::new(column));
        // SAFETY: blocks do not overlap.
        self.sum_at::<F, _>(count, |range| f(range.start, unsafe { column.rows_mut(range) }))
    }

    /// As [`Par::rows2`], and the sum of what `f` returns, added in the order of the blocks.
    #[inline(always)]
    pub fn rows2_sum<A: Copy + Send, B: Copy + Send, F: Fn(usize, &mut [A], &mut [B]) -> f64 + Sync>(
        &self,
        a: &mut [A],
        b: &mut [B],
        f: F,
    ) -> f64 {
        assert_eq!(a.len(), b.len(), "columns of one table have the same number of rows");
        let (count, a, b) = (a.len(), SharedMut::new(a), SharedMut::new(b));
        // SAFETY: blocks do not overlap.
        self.sum_at::<F, _>(count, |range| unsafe {
            f(range.start, a.rows_mut(range.clone()), b.rows_mut(range))
        })
    }

    /// Gives all rows of a column one value.
    pub fn fill<T: Copy + Send + Sync>(&self, column: &mut [T], value: T) {
        self.rows(column, |_, rows| rows.fill(value));
    }

    /// Whether `f` is true of any block of `0..count`; it may not be asked of all.
    #[inline(always)]
    pub fn any<F: Fn(Range<usize>) -> bool + Sync>(&self, count: usize, f: F) -> bool {
        let any = AtomicBool::new(false);
        self.blocks(0..count, |range| {
            if !any.load(Relaxed) && f(range) {
                any.store(true, Relaxed);
            }
        });
        any.into_inner()
    }

    /// Calls `f(first row, rows)` for each block of one column.
    #[inline(always)]
    pub fn rows<T: Copy + Send, F: Fn(usize, &mut [T]) + Sync>(&self, column: &mut [T], f: F) {
        self.rows_at::<F, T, F>(column, f);
    }

    #[inline(always)]
    fn rows_at<H, T: Copy + Send, F: Fn(usize, &mut [T]) + Sync>(&self, column: &mut [T], f: F) {
        let count = column.len();
        let column = SharedMut::new(column);
        // SAFETY: blocks do not overlap.
        self.blocks_at::<H, _>(0..count, |range| f(range.start, unsafe { column.rows_mut(range) }));
    }

    /// Calls `f(first row, rows of a, rows of b)` for each block of two columns of one table.
    #[inline(always)]
    pub fn rows2<A, B, F>(&self, a: &mut [A], b: &mut [B], f: F)
    where
        A: Copy + Send,
        B: Copy + Send,
        F: Fn(usize, &mut [A], &mut [B]) + Sync,
    {
        assert_eq!(a.len(), b.len(), "columns of one table have the same number of rows");
        let b = SharedMut::new(b);
        // SAFETY: blocks do not overlap.
        self.rows_at::<F, _, _>(a, |start, a| f(start, a, unsafe { b.rows_mut(start..start + a.len()) }));
    }

    /// As [`Par::rows2`] for three columns.
    #[inline(always)]
    pub fn rows3<A, B, C, F>(&self, a: &mut [A], b: &mut [B], c: &mut [C], f: F)
    where
        A: Copy + Send,
        B: Copy + Send,
        C: Copy + Send,
        F: Fn(usize, &mut [A], &mut [B], &mut [C]) + Sync,
    {
        let same = a.len() == b.len() && a.len() == c.len();
        assert!(same, "columns of one table have the same number of rows");
        let (b, c) = (SharedMut::new(b), SharedMut::new(c));
        self.rows_at::<F, _, _>(a, |start, a| {
            let rows = start..start + a.len();
            // SAFETY: blocks do not overlap.
            unsafe { f(start, a, b.rows_mut(rows.clone()), c.rows_mut(rows)) };
        });
    }

    /// As [`Par::rows2`] for four columns.
    #[inline(always)]
    pub fn rows4<A, B, C, D, F>(&self, a: &mut [A], b: &mut [B], c: &mut [C], d: &mut [D], f: F)
    where
        A: Copy + Send,
        B: Copy + Send,
        C: Copy + Send,
        D: Copy + Send,
        F: Fn(usize, &mut [A], &mut [B], &mut [C], &mut [D]) + Sync,
    {
        let same = a.len() == b.len() && a.len() == c.len() && a.len() == d.len();
        assert!(same, "columns of one table have the same number of rows");
        let (b, c, d) = (SharedMut::new(b), SharedMut::new(c), SharedMut::new(d));
        self.rows_at::<F, _, _>(a, |start, a| {
            let rows = start..start + a.len();
            // SAFETY: blocks do not overlap.
            unsafe { f(start, a, b.rows_mut(rows.clone()), c.rows_mut(rows.clone()), d.rows_mut(rows)) };
        });
    }

    /// As [`Par::rows2`] for five columns.
    #[inline(always)]
    pub fn rows5<A, B, C, D, E, F>(
        &self,
        a: &mut [A],
        b: &mut [B],
        c: &mut [C],
        d: &mut [D],
        e: &mut [E],
        f: F,
    ) where
        A: Copy + Send,
        B: Copy + Send,
        C: Copy + Send,
        D: Copy + Send,
        E: Copy + Send,
        F: Fn(usize, &mut [A], &mut [B], &mut [C], &mut [D], &mut [E]) + Sync,
    {
        assert_eq!(a.len(), e.len(), "columns of one table have the same number of rows");
        let e = SharedMut::new(e);
        self.rows4(a, b, c, d, |start, a, b, c, d| {
            // SAFETY: blocks do not overlap.
            f(start, a, b, c, d, unsafe { e.rows_mut(start..start + a.len()) });
        });
    }
}

/// A closure on its way through the threads, and the first panic of its calls.
struct Caught<F> {
    f: F,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Raises the panic that was kept, if any.
fn raise(panic: Mutex<Option<Box<dyn Any + Send>>>) {
    let panic = panic.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

/// Where a loop is compiled: with `Self`, the closure that the caller wrote.
///
/// An incremental build puts a generic function into the unit of the module that defines it, so the loops of all
/// solvers would be one unit, built anew (8 s) for an edit of any. A provided method of a trait goes where `Self` is.
trait Home {
    /// # Safety
    /// `data` points to a `Caught<F>`.
    unsafe extern "C" fn call<F: Fn(usize) + Sync>(data: *const c_void, i: usize) {
        // SAFETY: vouched for by the caller.
        let caught = unsafe { &*data.cast::<Caught<F>>() };
        let _watch = panic_site::Watch::start();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (caught.f)(i))) {
            let mut first = caught.panic.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            first.get_or_insert(panic);
        }
    }
}

impl<H> Home for H {}

layout! { Par { context, run } }
