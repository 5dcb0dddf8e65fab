//! Bending that is quadratic in the positions, for cloth that is flat at rest and hardly stretches.
//!
//! Bergou, Wardetzky, Harmon, Zorin, Grinspun: A Quadratic Bending Model for Inextensible Surfaces, 2006. Corners as in
//! the table `hinge`. The weights sum to 0 and map the flat rest shape to 0, so |sum of w x| is the bending angle for
//! small angles; the stiffness matrix k w wᵀ is constant.

use super::{Constraint, Load, Tables, Vector};
use crate::lanes::{Real, V3};
use sim_api::model::BendModel;

/// E = k/2 |sum of weight x|².
#[derive(Clone, Copy)]
pub struct QuadraticBend<R> {
    /// One for each corner [1/m].
    pub weights: [R; 4],
    /// [N m]
    pub k: R,
}

impl<R: Real> Constraint<R, 4> for QuadraticBend<R> {
    type Value = Vector<R, 4>;
    const MODEL: u32 = BendModel::Quadratic as u32;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self { weights: row.four(tables.hinge.weights), k: row.one(tables.hinge.stiffness) * k }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 4]) -> Vector<R, 4> {
        Vector::new(x, self.weights)
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k
    }

    #[inline(always)]
    fn share([_, _, bend]: [R; 3]) -> R {
        bend
    }

    /// Exact: the gradient is linear.
    fn hessian_times(&self, x: &[V3<R>; 4], d: &[V3<R>; 4]) -> [V3<R>; 4] {
        self.stiffness_times(x, d)
    }
}
