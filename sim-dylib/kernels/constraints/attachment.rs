//! Soft pin: a spring of rest length 0 between a particle and a point.

use super::{Constraint, Load, Tables, Vector};
use crate::lanes::{Real, V3};

/// E = k/2 |x - target|².
#[derive(Clone, Copy)]
pub struct Attachment<R> {
    /// [m]
    pub target: V3<R>,
    /// [N/m]
    pub k: R,
}

impl<R: Real> Constraint<R, 1> for Attachment<R> {
    type Value = Vector<R, 1>;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self { target: V3::from_row(row.four(tables.attachment.target)), k }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 1]) -> Vector<R, 1> {
        Vector { c: x[0] - self.target, weights: [R::from_f32(1.0)] }
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k
    }

    /// Exact: the gradient is linear.
    fn hessian_times(&self, x: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        self.stiffness_times(x, d)
    }
}
