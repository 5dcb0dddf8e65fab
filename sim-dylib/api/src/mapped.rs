//! Arrays of a few numbers, such as lanes and the corners of a triangle.
//!
//! The library's own `map` and `from_fn` go through functions that are no `#[inline]` ones. Where code is compiled incrementally, as
//! live code is, all callers share one copy of those: a call for each element, and without the caller's instruction set one more
//! for each operation on lanes. `clippy.toml` refuses both in the hot code.

use std::mem::{MaybeUninit, transmute_copy};

/// `std::array::from_fn`, compiled into its caller.
#[inline(always)]
pub fn array_of<U, const N: usize>(mut f: impl FnMut(usize) -> U) -> [U; N] {
    let mut made = [const { MaybeUninit::<U>::uninit() }; N];
    let mut i = 0;
    while i < N {
        made[i].write(f(i));
        i += 1;
    }
    // SAFETY: each was written; `MaybeUninit` has the layout of what it holds, and drops nothing.
    unsafe { transmute_copy(&made) }
}

/// `map` of arrays, compiled into its caller.
pub trait Mapped<T, const N: usize> {
    /// What `f` makes of each.
    fn mapped<U>(self, f: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> Mapped<T, N> for [T; N] {
    #[inline(always)]
    fn mapped<U>(self, mut f: impl FnMut(T) -> U) -> [U; N] {
        array_of(|i| f(self[i]))
    }
}
