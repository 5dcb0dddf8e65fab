//! A symmetric matrix of 3 x 3 blocks over the free particles.
//!
//! Only the lower half is kept, by rows: the blocks left of the diagonal.

use glam::{DMat3, DVec3};
use weft_core::csr::Csr;

#[derive(Clone)]
pub struct Blocks {
    /// One row per free particle.
    pub diagonal: Vec<DMat3>,
    /// Column of each block left of the diagonal, by rows, ascending.
    columns: Csr,
    /// One row per item of `columns`.
    lower: Vec<DMat3>,
}

impl Blocks {
    /// All zero; `links` are the pairs that may be filled, in any order.
    pub fn new(rows: usize, mut links: Vec<(u32, u32)>) -> Self {
        links.retain(|(a, b)| a > b);
        links.sort_unstable();
        links.dedup();
        Self {
            diagonal: vec![DMat3::ZERO; rows],
            lower: vec![DMat3::ZERO; links.len()],
            columns: Csr::new(rows, links.iter().copied()),
        }
    }

    pub fn clear(&mut self) {
        self.diagonal.fill(DMat3::ZERO);
        self.lower.fill(DMat3::ZERO);
    }

    /// Adds to block (a, b); of the blocks beside the diagonal only those with a > b are looked at.
    pub fn add(&mut self, a: u32, b: u32, block: DMat3) {
        if a == b {
            // What differences leave unsymmetric is averaged away.
            self.diagonal[a as usize] += (block + block.transpose()) * 0.5;
        } else if a > b
            && let Ok(place) = self.columns.row(a as usize).binary_search(&b)
        {
            self.lower[self.columns.range(a as usize).start + place] += block;
        }
    }

    /// Turns A into S A S, S diagonal: one row per free particle.
    pub fn scale(&mut self, s: &[DVec3]) {
        let both = |block: DMat3, row: DVec3, column: DVec3| {
            DMat3::from_cols(
                block.x_axis * row * column.x,
                block.y_axis * row * column.y,
                block.z_axis * row * column.z,
            )
        };
        for i in 0..self.diagonal.len() {
            self.diagonal[i] = both(self.diagonal[i], s[i], s[i]);
            for entry in self.columns.range(i) {
                self.lower[entry] = both(self.lower[entry], s[i], s[self.columns.items[entry] as usize]);
            }
        }
    }

    /// y = A x.
    pub fn times(&self, x: &[DVec3], y: &mut [DVec3]) {
        for (i, block) in self.diagonal.iter().enumerate() {
            y[i] = *block * x[i];
        }
        for i in 0..self.diagonal.len() {
            for entry in self.columns.range(i) {
                let (j, block) = (self.columns.items[entry] as usize, self.lower[entry]);
                y[i] += block * x[j];
                y[j] += block.transpose() * x[i];
            }
        }
    }

    /// Entries of the lower triangle: row, column and value, always in the same order.
    pub(super) fn each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for i in 0..self.diagonal.len() {
            for c in 0..3 {
                (c..3).for_each(|r| visit(3 * i + r, 3 * i + c, self.diagonal[i].col(c)[r]));
            }
            for entry in self.columns.range(i) {
                for c in 0..3 {
                    let column = 3 * self.columns.items[entry] as usize + c;
                    (0..3).for_each(|r| visit(3 * i + r, column, self.lower[entry].col(c)[r]));
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Three particles in a row, the first and the last not linked.
    pub(in super::super) fn chain() -> Blocks {
        let mut matrix = Blocks::new(3, vec![(1, 0), (0, 1), (1, 1), (2, 1), (2, 1)]);
        let skew = DMat3::from_cols(DVec3::new(0.1, 0.2, 0.0), DVec3::new(0.0, 0.3, 0.4), DVec3::Z * 0.5);
        (0..3).for_each(|i| matrix.add(i, i, DMat3::from_diagonal(DVec3::splat(3.0 + f64::from(i)))));
        matrix.add(1, 0, skew);
        matrix.add(0, 1, skew.transpose());
        matrix.add(2, 1, -skew);
        matrix
    }

    #[test]
    fn scaling_is_from_both_sides() {
        let (mut scaled, matrix) = (chain(), chain());
        let s = [DVec3::splat(2.0), DVec3::new(0.5, 1.0, 0.1), DVec3::new(3.0, 1.0, 2.0)];
        scaled.scale(&s);
        let x = [DVec3::X, DVec3::Y, DVec3::ONE];
        let sx: Vec<DVec3> = x.iter().zip(s).map(|(x, s)| *x * s).collect();
        let (mut a, mut b) = ([DVec3::ZERO; 3], [DVec3::ZERO; 3]);
        scaled.times(&x, &mut a);
        matrix.times(&sx, &mut b);
        for i in 0..3 {
            assert!((a[i] - b[i] * s[i]).length() < 1e-14);
        }
    }
}
