//! The four things that are done with a group of rows, for any energy.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use super::Elastic;
use crate::{
    constraints::Constraint,
    lanes::{Kernel, Lanes, Point, RowValue, Rows, V3},
};

/// Sums energies [J].
pub(super) struct Total<'a, T> {
    pub table: &'a T,
}

impl<const N: usize, T: Elastic<N>> RowValue<N> for Total<'_, T> {
    #[inline(always)]
    fn of<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N]) -> L {
        self.table.row::<L>(rows).energy(&places(&x))
    }
}

/// Adds -dE/dx.
pub struct Force<'a, T> {
    pub table: &'a T,
    pub x: &'a [[f32; 4]],
}

impl<const N: usize, T: Elastic<N>> Kernel<N> for Force<'_, T> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<N>, _: [Point<L>; N]) -> [V3<L>; N] {
        let mut force = self.table.row::<L>(rows).gradient(&places(&rows.fetch_all(self.x)));
        for corner in 0..N {
            force[corner] = -force[corner];
        }
        force
    }
}

/// Adds (d²E/dx²) d.
pub struct Product<'a, T> {
    pub table: &'a T,
    pub x: &'a [[f32; 4]],
    pub d: &'a [[f32; 4]],
}

impl<const N: usize, T: Elastic<N>> Kernel<N> for Product<'_, T> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<N>, _: [Point<L>; N]) -> [V3<L>; N] {
        let (x, d) = (places(&rows.fetch_all(self.x)), places(&rows.fetch_all(self.d)));
        self.table.row::<L>(rows).stiffness_times(&x, &d)
    }
}

/// Adds each corner's own 3 x 3 block: xx, yy, zz, or yz, zx, xy if `off`.
pub(super) struct Block<'a, T> {
    pub table: &'a T,
    pub x: &'a [[f32; 4]],
    pub off: bool,
    pub weight: f32,
}

impl<const N: usize, T: Elastic<N>> Kernel<N> for Block<'_, T> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<N>, _: [Point<L>; N]) -> [V3<L>; N] {
        let (row, x) = (self.table.row::<L>(rows), places(&rows.fetch_all(self.x)));
        let (zero, one) = (L::from_f32(0.0), L::from_f32(self.weight));
        let mut blocks = [V3::zero(); N];
        for corner in 0..N {
            let mut d = [V3::zero(); N];
            d[corner] = V3 { x: one, y: zero, z: zero };
            let along_x = row.stiffness_times(&x, &d)[corner];
            d[corner] = V3 { x: zero, y: one, z: zero };
            let along_y = row.stiffness_times(&x, &d)[corner];
            d[corner] = V3 { x: zero, y: zero, z: one };
            let along_z = row.stiffness_times(&x, &d)[corner];
            blocks[corner] = if self.off {
                V3 { x: along_y.z, y: along_z.x, z: along_x.y }
            } else {
                V3 { x: along_x.x, y: along_y.y, z: along_z.z }
            };
        }
        blocks
    }
}

#[inline(always)]
fn places<L: Lanes, const N: usize>(points: &[Point<L>; N]) -> [V3<L>; N] {
    let mut x = [V3::zero(); N];
    for corner in 0..N {
        x[corner] = points[corner].x;
    }
    x
}
