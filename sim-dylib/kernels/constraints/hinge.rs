//! Dihedral angle of two triangles on an edge: bending of discrete shells.
//!
//! Grinspun, Hirani, Desbrun, Schröder: Discrete Shells, 2003. The gradient is that of Bridson, Marino, Fedkiw 2003 and
//! Tamstorf, Grinspun: Discrete Bending Forces and Their Jacobians, 2013. Corners as in the table `hinge`:
//!
//! ```text
//!         x2          n2 = normal of x0 x1 x2, n3 = normal of x1 x0 x3, both towards the reader.
//!       /    \        The angle is 0 where flat, positive where x2 and x3 come towards the reader.
//!     x0 ---- x1
//!       \    /
//!         x3
//! ```

use sim_api::model::BendModel;

use super::{Constraint, Load, Scalar, Tables, length};
use crate::lanes::{Real, V3};

/// Least squared length of a normal that is divided by [m4].
const TINY: f32 = 1e-30;

/// E = k/2 (angle - rest_angle)², the difference taken the shorter way round.
#[derive(Clone, Copy)]
pub struct Dihedral<R> {
    /// Angle at rest [rad].
    pub rest_angle: R,
    /// [N m]
    pub k: R,
}

/// The angle [rad] and its gradient [1/m]. The gradient of a triangle without area is finite but means nothing.
#[inline(always)]
pub fn angle<R: Real>(x: &[V3<R>; 4]) -> (R, [V3<R>; 4]) {
    let edge = x[1] - x[0];
    let (side2, side3) = (x[2] - x[0], x[3] - x[0]);
    let (n2, n3) = (edge.cross(side2), side3.cross(edge));
    let l = length(edge);
    let angle = (n3.cross(n2).dot(edge) / l).atan2(n2.dot(n3));
    // A corner turns about the edge: 1 / (its distance from the edge) along its normal.
    let g2 = n2 * (l / n2.dot(n2).max(R::from_f32(TINY)));
    let g3 = n3 * (l / n3.dot(n3).max(R::from_f32(TINY)));
    // The ends take it back as a lever does, by the corner's foot on the edge.
    let (t2, t3) = (side2.dot(edge) / (l * l), side3.dot(edge) / (l * l));
    let one = R::from_f32(1.0);
    (angle, [g2 * (t2 - one) + g3 * (t3 - one), -(g2 * t2 + g3 * t3), g2, g3])
}

impl<R: Real> Dihedral<R> {
    /// angle - rest_angle in -pi..=pi [rad], and the gradient of the angle [1/m].
    #[inline(always)]
    pub fn bend(&self, x: &[V3<R>; 4]) -> (R, [V3<R>; 4]) {
        let (angle, gradient) = angle(x);
        let (bend, pi) = (angle - self.rest_angle, R::from_f32(std::f32::consts::PI));
        let turn = R::from_f32(std::f32::consts::TAU);
        let bend = bend - turn.where_positive(bend - pi);
        (bend + turn.where_positive(-pi - bend), gradient)
    }
}

/// Its stiffness is Gauss-Newton, exact at the rest angle: the angle's own second derivative is left out.
impl<R: Real> Constraint<R, 4> for Dihedral<R> {
    type Value = Scalar<R, 4>;
    const MODEL: u32 = BendModel::Dihedral as u32;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self { rest_angle: row.one(tables.hinge.rest_angle), k: row.one(tables.hinge.stiffness) * k }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 4]) -> Scalar<R, 4> {
        let (c, g) = self.bend(x);
        Scalar::new(c, g)
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k
    }

    #[inline(always)]
    fn share([_, _, bend]: [R; 3]) -> R {
        bend
    }
}
