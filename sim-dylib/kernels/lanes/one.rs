//! One lane: the rows that are left over, and processors without AVX2.
//!
//! A type of its own, because `f32` names the line of its caller in every `+` (`#[track_caller]`): with it, an edit that
//! shifts lines compiles all sweeps of its file anew, although the code is the same.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Lanes, Real, RowsAt, RowsAtMut, pull::fetched_pairs};

#[derive(Clone, Copy)]
pub(crate) struct One(f32);

macro_rules! operators {
    ($($trait:ident $method:ident $operator:tt),*) => {$(
        impl $trait for One {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
    )*};
}
operators!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for One {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for One {
    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Self(value)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
    #[inline(always)]
    fn where_positive(self, test: Self) -> Self {
        if test.0 > 0.0 { self } else { Self(0.0) }
    }
    #[inline(always)]
    fn where_positive_else(self, test: Self, other: Self) -> Self {
        if test.0 > 0.0 { self } else { other }
    }
}

impl Lanes for One {
    const COUNT: usize = 1;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Self(values[0])
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        values[0] = self.0;
    }

    #[inline(always)]
    fn all_are([a, b]: [Self; 2], value: Self) -> bool {
        a.0 == value.0 && b.0 == value.0
    }

    #[inline(always)]
    fn crossed(self) -> Self {
        self
    }

    #[inline(always)]
    fn alternate(values: &[f32]) -> [Self; 2] {
        [Self(values[0]), Self(values[1])]
    }

    #[inline(always)]
    fn store_alternate([a, b]: [Self; 2], values: &mut [f32]) {
        (values[0], values[1]) = (a.0, b.0);
    }

    #[inline(always)]
    fn pairs_apart(values: &[f32]) -> [Self; 2] {
        [Self(values[0]), Self(values[2])]
    }

    #[inline(always)]
    fn store_pairs([a, b]: [Self; 2], values: &mut [f32]) {
        (values[0], values[2]) = (a.0, b.0);
    }

    #[inline(always)]
    fn fetch(rows: &impl RowsAt) -> [Self; 4] {
        let [x, y, z, w] = rows.get(0);
        [Self(x), Self(y), Self(z), Self(w)]
    }

    #[inline(always)]
    fn scatter([x, y, z, w]: [Self; 4], rows: &impl RowsAtMut) {
        rows.set(0, [x.0, y.0, z.0, w.0]);
    }

    fetched_pairs! {}
}
