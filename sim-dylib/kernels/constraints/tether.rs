//! Long-range attachment: a string that only pulls.
//!
//! Kim, Chentanez, Müller: Long Range Attachments, 2012. The anchor does not feel it.

use super::{Constraint, Load, Past, Scalar, Softness, TINY, Tables, distance::Spring, value::alone};
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

    #[inline(always)]
    fn spring(&self, stretch: R) -> Spring<R> {
        Spring { rest: self.rest, k: self.k.where_positive(stretch) }
    }
}

impl<R: Real> Constraint<R, 1> for Tether<R> {
    type Value = Scalar<R, 1>;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self { anchor: row.place(tables.tether.anchor), rest: row.one(tables.tether.rest), k }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 1]) -> Scalar<R, 1> {
        let (c, away) = self.stretch(x[0]);
        Scalar::at_most(c, [away])
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k
    }

    /// As [`Scalar::at_most`] has it, for a gradient of length 1.
    #[inline(always)]
    fn project(
        &self,
        x: &[V3<R>; 1],
        [w]: [R; 1],
        softness: Softness<R>,
        [lambda, ..]: [R; 4],
        past: &Past<R, 1>,
    ) -> ([V3<R>; 1], [R; 4]) {
        let (stretch, away) = self.stretch(x[0]);
        let alpha = if let Some(alpha) = softness.alpha { alpha } else { R::from_f32(0.0) };
        let bottom = ((R::from_f32(1.0) + past.gamma) * w + alpha).max(R::from_f32(TINY));
        let drag = (past.gamma * away.dot(past.way[0])).where_positive(stretch);
        let change = -(stretch + alpha * lambda + drag) / bottom;
        let change = change.min(-lambda).where_positive(w);
        ([away * (w * change)], alone(change))
    }

    /// Whole: a rigid one, and lambda starts anew in each iteration.
    #[inline(always)]
    fn rigid(&self, x: &[V3<R>; 1], w: [R; 1], _: [R; 3]) -> [V3<R>; 1] {
        let zero = R::from_f32(0.0);
        let softness = Softness { alpha: Some(zero), h2: zero, per_h2: zero };
        self.project(x, w, softness, [zero; 4], &Past::none()).0
    }

    /// Exact: that of the spring where taut, 0 where slack.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        let spring = self.spring(self.stretch(x[0]).0);
        let [_, force] = spring.stiffness_times(&[self.anchor, x[0]], &[V3::zero(), d[0]]);
        [force]
    }

    fn hessian_times(&self, x: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        let spring = self.spring(self.stretch(x[0]).0);
        let [_, force] = spring.hessian_times(&[self.anchor, x[0]], &[V3::zero(), d[0]]);
        [force]
    }

    /// A string of no length is taut wherever it leads.
    #[inline(always)]
    fn taut(self) -> Self {
        Self { rest: R::from_f32(0.0), ..self }
    }
}
