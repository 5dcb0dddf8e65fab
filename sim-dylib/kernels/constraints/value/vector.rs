//! The vector C = sum of weight x.

use super::{Past, Softness, TINY, Value, lever};
use crate::lanes::{Real, V3};

/// The vector C = sum of weight x, with one compliance for all axes.
#[derive(Clone, Copy)]
pub struct Vector<R, const N: usize> {
    pub c: V3<R>,
    pub weights: [R; N],
}

impl<R: Real, const N: usize> Vector<R, N> {
    /// The sum of weight x.
    #[inline(always)]
    pub fn new(x: &[V3<R>; N], weights: [R; N]) -> Self {
        Self { c: weighted_sum(x, weights), weights }
    }

    /// Sum of the inverse masses, by the weights squared.
    #[inline(always)]
    fn inverse_mass(&self, w: [R; N]) -> R {
        let mut sum = self.weights[0] * self.weights[0] * w[0];
        for corner in 1..N {
            sum = sum + self.weights[corner] * self.weights[corner] * w[corner];
        }
        sum
    }

    /// Change of the multiplier by a stiffness: `s` = k h².
    #[inline(always)]
    fn stiff(&self, w: [R; N], s: R, lambda: V3<R>, past: &Past<R, N>) -> V3<R> {
        let one = R::from_f32(1.0);
        let scale = one / (s * (one + past.gamma) * self.inverse_mass(w) + one);
        -((self.c + weighted_sum(&past.way, self.weights) * past.gamma) * s + lambda) * scale
    }

    /// The same by a compliance, which may be 0: `alpha` = compliance / h².
    #[inline(always)]
    fn compliant(&self, w: [R; N], alpha: R, lambda: V3<R>, past: &Past<R, N>) -> V3<R> {
        let (sum, one) = (self.inverse_mass(w), R::from_f32(1.0));
        let bottom = ((one + past.gamma) * sum + alpha).max(R::from_f32(TINY));
        let drag = weighted_sum(&past.way, self.weights) * past.gamma;
        (-(self.c + lambda * alpha + drag) * (one / bottom)).where_positive(sum)
    }

    #[inline(always)]
    fn moves(&self, w: [R; N], change: V3<R>) -> [V3<R>; N] {
        let mut d = [change; N];
        for corner in 0..N {
            d[corner] = change * (self.weights[corner] * w[corner]);
        }
        d
    }
}

impl<R: Real, const N: usize> Value<R, N> for Vector<R, N> {
    const MULTIPLIERS: usize = 3;

    #[inline(always)]
    fn project(
        &self,
        k: R,
        w: [R; N],
        softness: Softness<R>,
        [x, y, z, _]: [R; 4],
        past: &Past<R, N>,
    ) -> ([V3<R>; N], [R; 4]) {
        let lambda = V3 { x, y, z };
        let change = match softness.alpha {
            Some(alpha) => self.compliant(w, alpha, lambda, past),
            None => self.stiff(w, k * softness.h2, lambda, past),
        };
        (self.moves(w, change), [change.x, change.y, change.z, R::from_f32(0.0)])
    }

    #[inline(always)]
    fn rigid(&self, w: [R; N], share: R) -> [V3<R>; N] {
        let sum = self.inverse_mass(w);
        let mut whole = self.weights[0] * self.weights[0];
        for corner in 1..N {
            whole = whole + self.weights[corner] * self.weights[corner];
        }
        self.moves(w, (-self.c * (share / lever(sum, whole, w))).where_positive(sum))
    }

    #[inline(always)]
    fn size(&self) -> R {
        self.c.dot(self.c).sqrt()
    }

    #[inline(always)]
    fn energy(&self, k: R) -> R {
        R::from_f32(0.5) * k * self.c.dot(self.c)
    }

    #[inline(always)]
    fn gradient(&self, k: R) -> [V3<R>; N] {
        weighted(self.c * k, self.weights)
    }

    #[inline(always)]
    fn stiffness_times(&self, k: R, d: &[V3<R>; N]) -> [V3<R>; N] {
        weighted(weighted_sum(d, self.weights) * k, self.weights)
    }
}

#[inline(always)]
fn weighted<R: Real, const N: usize>(v: V3<R>, weights: [R; N]) -> [V3<R>; N] {
    let mut all = [v; N];
    for corner in 0..N {
        all[corner] = v * weights[corner];
    }
    all
}

#[inline(always)]
fn weighted_sum<R: Real, const N: usize>(x: &[V3<R>; N], weights: [R; N]) -> V3<R> {
    let mut sum = x[0] * weights[0];
    for corner in 1..N {
        sum = sum + x[corner] * weights[corner];
    }
    sum
}
