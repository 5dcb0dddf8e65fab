//! Bending that is quadratic in the positions, for cloth that is flat at rest and hardly stretches.
//!
//! Bergou, Wardetzky, Harmon, Zorin, Grinspun: A Quadratic Bending Model for Inextensible Surfaces, 2006. Corners as in
//! the table `hinge`. The weights sum to 0 and map the flat rest shape to 0, so |sum of w x| is the bending angle for
//! small angles; the stiffness matrix k w wᵀ is constant.

use super::Energy;
use crate::lanes::{Real, V3};

/// E = k/2 |sum of weight x|².
#[derive(Clone, Copy)]
pub struct QuadraticBend<R> {
    /// One for each corner [1/m].
    pub weights: [R; 4],
    /// [N m]
    pub k: R,
}

impl<R: Real> QuadraticBend<R> {
    /// The sum of weight x: the vector that is 0 at rest.
    #[inline(always)]
    pub fn bend(&self, x: &[V3<R>; 4]) -> V3<R> {
        let mut sum = x[0] * self.weights[0];
        for corner in 1..4 {
            sum = sum + x[corner] * self.weights[corner];
        }
        sum
    }
}

impl<R: Real> Energy<R, 4> for QuadraticBend<R> {
    #[inline(always)]
    fn energy(&self, x: &[V3<R>; 4]) -> R {
        let bend = self.bend(x);
        R::from_f32(0.5) * self.k * bend.dot(bend)
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 4]) -> [V3<R>; 4] {
        let bend = self.bend(x) * self.k;
        let mut gradient = [bend; 4];
        for corner in 0..4 {
            gradient[corner] = bend * self.weights[corner];
        }
        gradient
    }

    /// Exact: the gradient is linear.
    #[inline(always)]
    fn stiffness_times(&self, _: &[V3<R>; 4], d: &[V3<R>; 4]) -> [V3<R>; 4] {
        self.gradient(d)
    }
}
