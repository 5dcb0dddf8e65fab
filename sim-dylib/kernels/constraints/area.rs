//! A triangle that keeps its area and nothing else: it shears without a force.

use sim_api::model::MembraneModel;

use super::{Constraint, Load, Scalar, Tables, membrane::area_ratio};
use crate::lanes::{Real, V3};

/// E = k/(2 area) (A - area)².
#[derive(Clone, Copy)]
pub struct Area<R> {
    /// At rest [m2].
    pub area: R,
    /// [N/m]
    pub k: R,
}

/// The area A [m2], its gradient by the corners [m] and the unit normal.
#[inline(always)]
pub fn area<R: Real>(x: &[V3<R>; 3]) -> (R, [V3<R>; 3], V3<R>) {
    let (twice, n, g) = area_ratio(&[x[1] - x[0], x[2] - x[0]]);
    let half = R::from_f32(0.5);
    (twice * half, [-((g[0] + g[1]) * half), g[0] * half, g[1] * half], n)
}

impl<R: Real> Constraint<R, 3> for Area<R> {
    type Value = Scalar<R, 3>;
    const MODEL: u32 = MembraneModel::Area as u32;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self { area: row.one(tables.triangle.area), k: row.one(tables.triangle.mu) * k }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 3]) -> Scalar<R, 3> {
        let (now, g, _) = area(x);
        Scalar::new(now - self.area, g)
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k / self.area
    }

    #[inline(always)]
    fn share([stretch, _, _]: [R; 3]) -> R {
        stretch
    }

    /// k/area (dA dAᵀ + the part of (A - area) d²A out of the plane, where it is positive). In the plane d²A has as
    /// much negative as positive and is left out.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 3], d: &[V3<R>; 3]) -> [V3<R>; 3] {
        let (now, g, n) = area(x);
        let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
        let k = self.k / self.area;
        let change = k * (g[0].dot(d[0]) + g[1].dot(d[1]) + g[2].dot(d[2]));
        // d²A by the edges out of the plane: the adjugate of their Gram matrix over 4 A.
        let tension = k * (now - self.area).max(R::from_f32(0.0)) / (R::from_f32(4.0) * now);
        let out = [n.dot(d[1] - d[0]) * tension, n.dot(d[2] - d[0]) * tension];
        let lift1 = n * (e2.dot(e2) * out[0] - e1.dot(e2) * out[1]);
        let lift2 = n * (e1.dot(e1) * out[1] - e1.dot(e2) * out[0]);
        [g[0] * change - lift1 - lift2, g[1] * change + lift1, g[2] * change + lift2]
    }
}
