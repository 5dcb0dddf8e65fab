//! Rows that only move their two ends along the line between them: most rows of a cloth.
//!
//! Where lanes are gathered, two thirds of the instructions of such a row are transposes. It needs them for the square of its
//! length and the inverse masses alone; the ends can be moved as the rows of four that they are, with the same bits:
//! x0 - d s is x0 + d (-s).

use sim_api::SharedMut;

use super::{Kernel, Lanes, Point, Rows, RowsAt, RowsAtMut, V3, sweep::Corner};

/// What a sweep does with a group of such rows. Implementations put `#[inline(always)]` on `read` and `scales`.
pub trait Pull: Copy + Sync {
    /// What it reads of rows, in lanes.
    type Of<L: Lanes>: Copy;

    /// Once for all rows that are alike, see [`Rows::load`].
    fn read<L: Lanes>(&self, rows: &Rows<2>) -> Self::Of<L>;

    /// By how much of d = x1 - x0 the ends come closer: x0 -= d s0 and x1 += d s1. `square` is |d|² [m2], `w` the inverse
    /// masses [1/kg].
    fn scales<L: Lanes>(&self, rows: &Rows<2>, of: Self::Of<L>, square: L, w: [L; 2]) -> [L; 2];
}

/// A [`Pull`] as the sweep's kernel.
pub struct Pulled<'a, P>(pub &'a P);

impl<P: Pull> Kernel<2> for Pulled<'_, P> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let d = b.x - a.x;
        let [s0, s1] = self.0.scales(rows, self.0.read(rows), d.dot(d), [a.w, b.w]);
        [d * -s0, d * s1]
    }

    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, rows: &Rows<2>, particles: &SharedMut<[f32; 4]>) {
        let ends = [Corner { particles, rows, corner: 0 }, Corner { particles, rows, corner: 1 }];
        let pairs = L::pairs(&ends);
        let (square, w) = L::lengths(&pairs);
        L::pull(pairs, self.0.scales(rows, self.0.read(rows), square, w), &ends);
    }
}

/// Both ends of a group as lanes, for those that have no way of their own.
#[allow(unreachable_pub, reason = "a type of lanes that are public, on other machines")]
pub struct Fetched<L>([[L; 4]; 2]);

impl<L: Lanes> Fetched<L> {
    #[inline(always)]
    pub(super) fn new([a, b]: &[impl RowsAt; 2]) -> Self {
        Self([L::fetch(a), L::fetch(b)])
    }

    #[inline(always)]
    fn difference(&self) -> V3<L> {
        let [a, b] = &self.0;
        V3 { x: b[0] - a[0], y: b[1] - a[1], z: b[2] - a[2] }
    }

    #[inline(always)]
    pub(super) fn lengths(&self) -> (L, [L; 2]) {
        let d = self.difference();
        (d.dot(d), [self.0[0][3], self.0[1][3]])
    }

    #[inline(always)]
    pub(super) fn pull(self, [s0, s1]: [L; 2], ends: &[impl RowsAtMut; 2]) {
        let (d, [a, b]) = (self.difference(), self.0);
        L::scatter([a[0] - d.x * s0, a[1] - d.y * s0, a[2] - d.z * s0, a[3]], &ends[0]);
        L::scatter([b[0] + d.x * s1, b[1] + d.y * s1, b[2] + d.z * s1, b[3]], &ends[1]);
    }
}

/// What [`Lanes`] says of pairs, of lanes that fetch both ends.
macro_rules! fetched_pairs {
    () => {
        type Pairs = $crate::lanes::pull::Fetched<Self>;

        #[inline(always)]
        fn pairs(ends: &[impl RowsAt; 2]) -> Self::Pairs {
            Self::Pairs::new(ends)
        }

        #[inline(always)]
        fn lengths(pairs: &Self::Pairs) -> (Self, [Self; 2]) {
            pairs.lengths()
        }

        #[inline(always)]
        fn pull(pairs: Self::Pairs, scales: [Self; 2], ends: &[impl RowsAtMut; 2]) {
            pairs.pull(scales, ends);
        }
    };
}
pub(super) use fetched_pairs;
