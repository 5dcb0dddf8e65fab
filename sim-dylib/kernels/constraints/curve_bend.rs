//! Bending of a curve at a particle between two segments of one length, which need not be straight at rest.
//!
//! For solvers without frames: the angle of the segments is held and the direction in which they bend is not, as in a rod without
//! resistance to twist (the angle alone of Bergou et al.: Discrete Elastic Rods, 2008). Of corners 0, 1, 2 along the curve and segments
//! e of length l the sum of weight x is e1/l - e0/l, which is 2 sin(angle / 2) long:
//!
//! ```text
//! C = |e1/l - e0/l| - rest       E = k/2 C²       dC/dx_i = weight_i n,  n = (e1/l - e0/l) / |e1/l - e0/l|
//! ```
//! Where the segments lie in a line n has no direction: the gradient is 0 there, and the first that moves a corner chooses it.

use sim_api::model::BendModel;

use super::{Constraint, Load, Scalar, Tables};
use crate::lanes::{Real, V3};

/// Least 2 sin(angle / 2) that has a direction.
const STRAIGHT: f32 = 1e-15;

/// E = k/2 (|sum of weight x| - rest)².
#[derive(Clone, Copy)]
pub struct CurveBend<R> {
    /// One for each corner [1/m]; that of the last is 0.
    pub weights: [R; 4],
    /// 2 sin(angle / 2) at rest.
    pub rest: R,
    /// [N m]
    pub k: R,
}

impl<R: Real> CurveBend<R> {
    /// |sum of weight x|, and its direction; none where straight.
    #[inline(always)]
    pub fn bow(&self, x: &[V3<R>; 4]) -> (R, V3<R>) {
        let bow = self.sum(x);
        let size = bow.dot(bow).sqrt();
        let least = R::from_f32(STRAIGHT);
        (size, (bow * (R::from_f32(1.0) / size.max(least))).where_positive(size - least))
    }

    #[inline(always)]
    fn sum(&self, x: &[V3<R>; 4]) -> V3<R> {
        let w = &self.weights;
        x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3]
    }

    #[inline(always)]
    fn weighted(&self, v: V3<R>) -> [V3<R>; 4] {
        let w = &self.weights;
        [v * w[0], v * w[1], v * w[2], v * w[3]]
    }

    /// k W (n nᵀ + across (I - n nᵀ)) Wᵀ d
    #[inline(always)]
    fn product(&self, n: V3<R>, across: R, d: &[V3<R>; 4]) -> [V3<R>; 4] {
        let way = self.sum(d);
        let along = n * n.dot(way);
        self.weighted((along + (way - along) * across) * self.k)
    }
}

impl<R: Real> Constraint<R, 4> for CurveBend<R> {
    type Value = Scalar<R, 4>;
    const MODEL: u32 = BendModel::Curve as u32;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self {
            weights: row.four(tables.hinge.weights),
            rest: row.one(tables.hinge.rest_angle),
            k: row.one(tables.hinge.stiffness) * k,
        }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 4]) -> Scalar<R, 4> {
        let (size, n) = self.bow(x);
        Scalar::new(size - self.rest, self.weighted(n))
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k
    }

    #[inline(always)]
    fn share([_, _, bend]: [R; 3]) -> R {
        bend
    }

    /// Exact where it bends more than at rest; where it bends less the part across n, which is negative, is left out.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 4], d: &[V3<R>; 4]) -> [V3<R>; 4] {
        let (size, n) = self.bow(x);
        let more = (size - self.rest).max(R::from_f32(0.0));
        self.product(n, more / size.max(R::from_f32(STRAIGHT)), d)
    }

    fn hessian_times(&self, x: &[V3<R>; 4], d: &[V3<R>; 4]) -> [V3<R>; 4] {
        let (size, n) = self.bow(x);
        let across = (size - self.rest) / size.max(R::from_f32(STRAIGHT));
        self.product(n, across.where_positive(size - R::from_f32(STRAIGHT)), d)
    }
}
