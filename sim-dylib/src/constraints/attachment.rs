//! Soft pin: a spring of rest length 0 between a particle and a point.

use super::Energy;
use crate::lanes::{Real, V3};

/// E = k/2 |x - target|².
#[derive(Clone, Copy)]
pub struct Attachment<R> {
    /// [m]
    pub target: V3<R>,
    /// [N/m]
    pub k: R,
}

impl<R: Real> Energy<R, 1> for Attachment<R> {
    #[inline(always)]
    fn energy(&self, x: &[V3<R>; 1]) -> R {
        let d = x[0] - self.target;
        R::from_f32(0.5) * self.k * d.dot(d)
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 1]) -> [V3<R>; 1] {
        [(x[0] - self.target) * self.k]
    }

    /// Exact: the gradient is linear.
    #[inline(always)]
    fn stiffness_times(&self, _: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        [d[0] * self.k]
    }
}
