//! Rows of one kind of energy, as the system sees them.

use glam::{DMat3, DVec3};
use sim_kernels::{constraints::Constraint, lanes::V3};

/// Which second derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hessian {
    /// The true one; indefinite where something is pushed together.
    Exact,
    /// With what would make it negative cut off, row by row.
    Projected,
}

/// A kind of elastic rows.
pub(super) trait Elements: Send {
    fn len(&self) -> usize;

    /// [J]
    fn energy(&self, x: &[DVec3]) -> f64;

    /// Adds dE/dx [N].
    fn add_gradient(&self, x: &[DVec3], gradient: &mut [DVec3]);

    /// Hands out d²E/dx_a dx_b [N/m] of each row for all its pairs (a, b).
    fn each_block(&self, x: &[DVec3], kind: Hessian, visit: &mut dyn FnMut(u32, u32, DMat3));

    /// The pairs (a, b) of each row, a = b among them.
    fn each_link(&self, visit: &mut dyn FnMut(u32, u32));
}

/// Rows over N particles each.
pub(super) struct Rows<const N: usize, E>(pub Vec<([u32; N], E)>);

impl<const N: usize, E: Constraint<f64, N> + Send> Elements for Rows<N, E> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn energy(&self, x: &[DVec3]) -> f64 {
        self.0.iter().map(|(idx, row)| row.energy(&corners(x, idx))).sum()
    }

    fn add_gradient(&self, x: &[DVec3], gradient: &mut [DVec3]) {
        for (idx, row) in &self.0 {
            for (&i, g) in idx.iter().zip(row.gradient(&corners(x, idx))) {
                gradient[i as usize] += DVec3::new(g.x, g.y, g.z);
            }
        }
    }

    fn each_block(&self, x: &[DVec3], kind: Hessian, visit: &mut dyn FnMut(u32, u32, DMat3)) {
        for (idx, row) in &self.0 {
            let x = corners(x, idx);
            for b in 0..N {
                // Three columns of the row's matrix: what a unit move of corner b along each axis does.
                let columns = [0, 1, 2].map(|axis| {
                    let mut d = [V3::zero(); N];
                    let unit = DVec3::AXES[axis];
                    d[b] = V3::new(unit.x, unit.y, unit.z);
                    match kind {
                        Hessian::Exact => row.hessian_times(&x, &d),
                        Hessian::Projected => row.stiffness_times(&x, &d),
                    }
                });
                for a in 0..N {
                    let [cx, cy, cz] = [0, 1, 2].map(|axis: usize| {
                        let column = columns[axis][a];
                        DVec3::new(column.x, column.y, column.z)
                    });
                    visit(idx[a], idx[b], DMat3::from_cols(cx, cy, cz));
                }
            }
        }
    }

    fn each_link(&self, visit: &mut dyn FnMut(u32, u32)) {
        for (idx, _) in &self.0 {
            idx.iter().for_each(|&a| idx.iter().for_each(|&b| visit(a, b)));
        }
    }
}

fn corners<const N: usize>(x: &[DVec3], idx: &[u32; N]) -> [V3<f64>; N] {
    idx.map(|i| {
        let x = x[i as usize];
        V3::new(x.x, x.y, x.z)
    })
}
