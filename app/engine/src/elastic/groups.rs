//! Rows of one kind of energy, as the system sees them.

use glam::{DMat3, DVec3};
use sim_kernels::{
    constraints::{
        Energy,
        attachment::Attachment,
        distance::Spring,
        hinge::Dihedral,
        membrane::{Area, NeoHookean, StVenantKirchhoff},
        quadratic_bend::QuadraticBend,
        tether::Tether,
    },
    lanes::V3,
};

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

/// An energy with its exact second derivative.
pub(super) trait Exact<const N: usize>: Energy<f64, N> + Send {
    /// (d²E/dx²) d, nothing cut off. Unless a formula is given: central differences of the gradient, to about 1e-10.
    fn exact_times(&self, x: &[V3<f64>; N], d: &[V3<f64>; N]) -> [V3<f64>; N] {
        let size = x.iter().map(|p| (*p - x[0]).dot(*p - x[0])).fold(0.0, f64::max).sqrt();
        let step = 1e-5 * if size > 0.0 { size } else { 1.0 };
        let (mut ahead, mut behind) = (*x, *x);
        for i in 0..N {
            (ahead[i], behind[i]) = (x[i] + d[i] * step, x[i] - d[i] * step);
        }
        let (ahead, behind) = (self.gradient(&ahead), self.gradient(&behind));
        std::array::from_fn(|i| (ahead[i] - behind[i]) * (0.5 / step))
    }
}

/// Across a spring the stiffness is tension/length, which is negative where it is pushed together.
impl Exact<2> for Spring<f64> {
    fn exact_times(&self, x: &[V3<f64>; 2], d: &[V3<f64>; 2]) -> [V3<f64>; 2] {
        let along = x[1] - x[0];
        // No direction at length 0: the energy has a kink there.
        let l2 = along.dot(along).max(1e-20);
        let across = self.k * (1.0 - self.rest / l2.sqrt());
        let change = d[1] - d[0];
        let force = change * across + along * (along.dot(change) / l2 * (self.k - across));
        [-force, force]
    }
}

/// As its spring where taut, nothing where slack.
impl Exact<1> for Tether<f64> {
    fn exact_times(&self, x: &[V3<f64>; 1], d: &[V3<f64>; 1]) -> [V3<f64>; 1] {
        if self.stretch(x[0]).0 <= 0.0 {
            return [V3::zero()];
        }
        let spring = Spring { rest: self.rest, k: self.k };
        [spring.exact_times(&[self.anchor, x[0]], &[V3::zero(), d[0]])[1]]
    }
}

/// Quadratic: nothing is cut off.
impl Exact<1> for Attachment<f64> {
    fn exact_times(&self, x: &[V3<f64>; 1], d: &[V3<f64>; 1]) -> [V3<f64>; 1] {
        self.stiffness_times(x, d)
    }
}

/// Quadratic: nothing is cut off.
impl Exact<4> for QuadraticBend<f64> {
    fn exact_times(&self, x: &[V3<f64>; 4], d: &[V3<f64>; 4]) -> [V3<f64>; 4] {
        self.stiffness_times(x, d)
    }
}

impl Exact<4> for Dihedral<f64> {}
impl Exact<3> for StVenantKirchhoff<f64> {}
impl Exact<3> for NeoHookean<f64> {}
impl Exact<3> for Area<f64> {}

/// Rows over N particles each.
pub(super) struct Rows<const N: usize, E>(pub Vec<([u32; N], E)>);

impl<const N: usize, E: Exact<N>> Elements for Rows<N, E> {
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
                        Hessian::Exact => row.exact_times(&x, &d),
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
