//! Contact of one particle as energies: a one-sided spring against the surface, and Coulomb's friction along it.
//!
//! Li et al.: Incremental Potential Contact, 2020, section 5, for friction as a potential: its normal force and direction
//! are those of an earlier iterate, so that it has one. Here the potential grows with the square of the slip up to the
//! limit (Huber's function), for the stiffness that sticks is the one that keeps the particle out.

use super::{Energy, length};
use crate::lanes::{Real, V3};

/// E = k/2 depth², depth = max(0, level - n·x): the surface as its tangent plane.
#[derive(Clone, Copy)]
pub struct Wall<R> {
    /// Outward, unit.
    pub normal: V3<R>,
    /// n·x on the plane [m].
    pub level: R,
    /// [N/m]
    pub k: R,
}

impl<R: Real> Wall<R> {
    #[inline(always)]
    fn depth(&self, x: V3<R>) -> R {
        (self.level - self.normal.dot(x)).max(R::from_f32(0.0))
    }
}

impl<R: Real> Energy<R, 1> for Wall<R> {
    #[inline(always)]
    fn energy(&self, x: &[V3<R>; 1]) -> R {
        let depth = self.depth(x[0]);
        R::from_f32(0.5) * self.k * depth * depth
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 1]) -> [V3<R>; 1] {
        [self.normal * -(self.k * self.depth(x[0]))]
    }

    /// Exact on either side of the plane.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        let k = self.k.where_positive(self.depth(x[0]));
        [self.normal * (k * self.normal.dot(d[0]))]
    }
}

/// E = k/2 |u|² while k |u| is below `limit`, from there on limit |u| - limit²/2k. u: the slip, what x - from has along the
/// surface. The force is -k u, and at most `limit` = mu N.
#[derive(Clone, Copy)]
pub struct Friction<R> {
    /// Of the surface, unit.
    pub normal: V3<R>,
    /// Where the particle would be without slip [m].
    pub from: V3<R>,
    /// [N/m]
    pub k: R,
    /// [N]
    pub limit: R,
}

impl<R: Real> Friction<R> {
    /// Without its part along the normal.
    #[inline(always)]
    fn along(&self, d: V3<R>) -> V3<R> {
        d - self.normal * self.normal.dot(d)
    }

    /// Slip, its length [m], and whether it slides (positive: k |u| above the limit).
    #[inline(always)]
    fn slip(&self, x: V3<R>) -> (V3<R>, R, R) {
        let slip = self.along(x - self.from);
        let size = length(slip);
        (slip, size, self.k * size - self.limit)
    }
}

impl<R: Real> Energy<R, 1> for Friction<R> {
    #[inline(always)]
    fn energy(&self, x: &[V3<R>; 1]) -> R {
        let (slip, size, slides) = self.slip(x[0]);
        let half = R::from_f32(0.5);
        let sliding = self.limit * (size - half * self.limit / self.k);
        sliding.where_positive_else(slides, half * self.k * slip.dot(slip))
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 1]) -> [V3<R>; 1] {
        let (slip, size, slides) = self.slip(x[0]);
        [slip * (self.limit / size).where_positive_else(slides, self.k)]
    }

    /// Exact on either side of the limit, where the force only turns.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 1], d: &[V3<R>; 1]) -> [V3<R>; 1] {
        let (slip, size, slides) = self.slip(x[0]);
        let along = self.along(d[0]);
        let way = slip * (R::from_f32(1.0) / size);
        let across = along - way * way.dot(along).where_positive(slides);
        [across * (self.limit / size).where_positive_else(slides, self.k)]
    }
}
