//! Long-range attachment: a string that only pulls.
//!
//! Kim, Chentanez, Müller: Long Range Attachments, 2012. The anchor does not feel it.

use super::{Energy, TINY, distance::Spring};
use crate::lanes::{Real, V3};

/// E = k/2 max(0, |x - anchor| - rest)².
#[derive(Clone, Copy)]
pub struct Tether<R> {
    /// [m]
    pub anchor: V3<R>,
    /// Longest distance without a force [m].
    pub rest: R,
    /// [N/m]
    pub k: R,
}

impl<R: Real> Tether<R> {
    /// |x - anchor| - rest [m], negative where slack, and the direction away from the anchor.
    #[inline(always)]
    pub fn stretch(&self, x: V3<R>) -> (R, V3<R>) {
        let d = x - self.anchor;
        let l = super::length(d);
        (l - self.rest, d * (R::from_f32(1.0) / l))
    }

    /// One XPBD projection, `k` aside: changes of the position and of lambda, which never pushes (lambda <= 0).
    ///
    /// `alpha` is compliance / h²; `way` [m] and `gamma` as in [`super::compliant::Past`].
    #[inline(always)]
    pub fn project(&self, (x, w): (V3<R>, R), alpha: R, lambda: R, (way, gamma): (V3<R>, R)) -> (V3<R>, R) {
        let (stretch, away) = self.stretch(x);
        let bottom = ((R::from_f32(1.0) + gamma) * w + alpha).max(R::from_f32(TINY));
        let drag = (gamma * away.dot(way)).where_positive(stretch);
        let change = -(stretch + alpha * lambda + drag) / bottom;
        let change = change.min(-lambda).where_positive(w);
        (away * (w * change), change)
    }

    #[inline(always)]
    fn spring(&self, stretch: R) -> Spring<R> {
        Spring { rest: self.rest, k: self.k.where_positive(stretch) }
    }
}

impl<R: Real> Energy<R, 1> for Tether<R> {
    #[inline(always)]
    fn energy(&self, x: &[V3<R>; 1]) -> R {
        let stretch = self.stretch(x[0]).0.max(R::from_f32(0.0));
        R::from_f32(0.5) * self.k * stretch * stretch
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 1]) -> [V3<R>; 1] {
        let (stretch, away) = self.stretch(x[0]);
        [away * (self.k * stretch.max(R::from_f32(0.0)))]
    }

    /// Exact: that of the spring where taut, 0 where slack.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        let spring = self.spring(self.stretch(x[0]).0);
        let [_, force] = spring.stiffness_times(&[self.anchor, x[0]], &[V3::zero(), d[0]]);
        [force]
    }
}
