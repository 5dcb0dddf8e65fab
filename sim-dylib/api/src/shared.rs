//! A slice that several jobs write at the same time, at rows that the colouring keeps apart.

use std::{cell::UnsafeCell, marker::PhantomData};

/// Whether the hot code looks at its rows, colours and orders while it runs: where this crate has debug assertions. Those of the hot
/// code's own crates would look at each pointer of the standard library as well, and take two to three times as long.
pub const CHECKED: bool = cfg!(debug_assertions);

/// `assert!` where [`CHECKED`].
#[macro_export]
macro_rules! checked {
    ($holds:expr, $($text:tt)+) => {
        if $crate::CHECKED {
            assert!($holds, $($text)+);
        }
    };
}

/// `&mut [T]` that can be shared among jobs. Indices are always checked against the length; that no two jobs touch
/// one row at the same time is the caller's promise, so access is `unsafe`.
#[derive(Clone, Copy)]
pub struct SharedMut<'a, T> {
    cells: &'a [UnsafeCell<T>],
    owner: PhantomData<&'a mut [T]>,
}

// SAFETY: rows are only reached through `unsafe` calls whose callers keep concurrent rows apart.
unsafe impl<T: Send> Sync for SharedMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for SharedMut<'_, T> {}

impl<'a, T: Copy> SharedMut<'a, T> {
    #[inline]
    pub fn new(rows: &'a mut [T]) -> Self {
        // SAFETY: `UnsafeCell<T>` has the layout of `T`, and the exclusive borrow lasts for `'a`.
        let cells = unsafe { &*(std::ptr::from_mut(rows) as *const [UnsafeCell<T>]) };
        Self { cells, owner: PhantomData }
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// # Safety
    /// No other job writes row `index` at the same time.
    #[inline(always)]
    pub unsafe fn get(&self, index: usize) -> T {
        // SAFETY: inside the slice; the caller excludes a concurrent write.
        unsafe { *self.cells[index].get() }
    }

    /// # Safety
    /// No other job reads or writes row `index` at the same time.
    #[inline(always)]
    pub unsafe fn set(&self, index: usize, value: T) {
        // SAFETY: inside the slice; the caller excludes concurrent access.
        unsafe { *self.cells[index].get() = value }
    }

    /// [`Self::get`] without a look at the index.
    ///
    /// # Safety
    /// As for [`Self::get`], and `index` is below [`Self::len`].
    #[inline(always)]
    pub unsafe fn get_unchecked(&self, index: usize) -> T {
        if CHECKED && index >= self.len() {
            outside(index, self.len());
        }
        // SAFETY: vouched for by the caller.
        unsafe { *self.cells.get_unchecked(index).get() }
    }

    /// [`Self::set`] without a look at the index.
    ///
    /// # Safety
    /// As for [`Self::set`], and `index` is below [`Self::len`].
    #[inline(always)]
    pub unsafe fn set_unchecked(&self, index: usize, value: T) {
        if CHECKED && index >= self.len() {
            outside(index, self.len());
        }
        // SAFETY: vouched for by the caller.
        unsafe { *self.cells.get_unchecked(index).get() = value }
    }

    /// # Safety
    /// No other job uses any row of `range` while the result lives.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn rows_mut(&self, range: std::ops::Range<usize>) -> &'a mut [T] {
        let cells = &self.cells[range];
        // SAFETY: the caller has these rows to itself; the layout of `UnsafeCell<T>` is that of `T`.
        unsafe { std::slice::from_raw_parts_mut(cells.as_ptr().cast::<T>().cast_mut(), cells.len()) }
    }
}

/// Out of the loops that would otherwise keep the index in memory, for the text.
#[cold]
#[inline(never)]
fn outside(index: usize, len: usize) -> ! {
    panic!("row {index} of {len}")
}
