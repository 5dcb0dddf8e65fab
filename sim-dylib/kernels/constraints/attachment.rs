//! Soft pin: a spring of rest length 0 between a particle and a point.

use super::{Energy, TINY};
use crate::lanes::{Real, V3};

/// E = k/2 |x - target|².
#[derive(Clone, Copy)]
pub struct Attachment<R> {
    /// [m]
    pub target: V3<R>,
    /// [N/m]
    pub k: R,
}

/// One XPBD projection: changes of the position and of the three multipliers of C = x - target.
///
/// `alpha` is compliance / h²; `way` [m] and `gamma` as in [`super::compliant::Past`].
#[inline(always)]
pub fn project<R: Real>(
    (x, w): (V3<R>, R),
    target: V3<R>,
    alpha: R,
    lambda: V3<R>,
    (way, gamma): (V3<R>, R),
) -> (V3<R>, V3<R>) {
    let bottom = ((R::from_f32(1.0) + gamma) * w + alpha).max(R::from_f32(TINY));
    let change = -(x - target + lambda * alpha + way * gamma) * (R::from_f32(1.0) / bottom);
    let change = change.where_positive(w);
    (change * w, change)
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
