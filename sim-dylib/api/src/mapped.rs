//! Arrays of a few numbers, such as lanes and the corners of a triangle.

/// `map` of arrays, compiled into its caller.
///
/// The library's own is no `#[inline]` function. Where code is compiled incrementally, as live code is, all callers share one copy:
/// a call for each row, and without the caller's instruction set one more for each operation on lanes. `clippy.toml` refuses it here.
pub trait Mapped<T, const N: usize> {
    /// What `f` makes of each.
    fn mapped<U>(self, f: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> Mapped<T, N> for [T; N] {
    #[inline(always)]
    fn mapped<U>(self, mut f: impl FnMut(T) -> U) -> [U; N] {
        std::array::from_fn(|i| f(self[i]))
    }
}
