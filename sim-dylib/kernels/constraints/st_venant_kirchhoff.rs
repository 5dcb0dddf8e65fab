//! St. Venant-Kirchhoff: linear in the Green strain. Simple and right for small strain; a triangle that is pressed
//! together to nothing no longer resists.

use sim_api::model::MembraneModel;

use super::{
    Constraint, Load, Tables, Three,
    membrane::{
        self, Columns, Symmetric, at_corners, deformation, green_strain, positive_part, strain_by_strain,
        strains, times,
    },
};
use crate::lanes::{Real, V3};

/// E = area (mu |E|² + lame/2 tr(E)²) with the Green strain E.
#[derive(Clone, Copy)]
pub struct StVenantKirchhoff<R> {
    /// Inverse of the rest edges by columns [1/m].
    pub inverse_rest: [R; 4],
    /// At rest [m2].
    pub area: R,
    /// Lamé's mu of the sheet [N/m].
    pub mu: R,
    /// Lamé's lambda of the sheet [N/m].
    pub lame: R,
}

impl<R: Real> StVenantKirchhoff<R> {
    /// Second Piola-Kirchhoff stress 2 mu E + lame tr(E) I [N/m].
    #[inline(always)]
    fn stress(&self, strain: &Symmetric<R>) -> Symmetric<R> {
        let (mu2, pressure) = (self.mu + self.mu, self.lame * (strain[0] + strain[1]));
        [mu2 * strain[0] + pressure, mu2 * strain[1] + pressure, mu2 * strain[2]]
    }
}

/// Least mu that is divided by [N/m].
const SOFTEST: f32 = 1e-12;

impl<R: Real> StVenantKirchhoff<R> {
    /// As constraints of XPBD: compliance of [`strains`] by 00, 11, 22, 01 [1/J], the inverse of area times the
    /// matrix of the stress.
    #[inline(always)]
    pub fn compliance(&self) -> [R; 4] {
        let mu = self.mu.max(R::from_f32(SOFTEST));
        let (one, two) = (R::from_f32(1.0), R::from_f32(2.0));
        let stiff = two * mu + self.lame;
        let scale = one / (self.area * R::from_f32(4.0) * mu * (mu + self.lame));
        [stiff * scale, stiff * scale, one / (self.area * mu), -(self.lame * scale)]
    }
}

impl<R: Real> Constraint<R, 3> for StVenantKirchhoff<R> {
    type Value = Three<R, 3>;
    const MODEL: u32 = MembraneModel::StVenantKirchhoff as u32;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        let (inverse_rest, [area, mu, lame]) = membrane::load(tables, row, k);
        Self { inverse_rest, area, mu, lame }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 3]) -> Three<R, 3> {
        let (c, g) = strains(x, &self.inverse_rest);
        Three { c, g, compliance: self.compliance() }
    }

    /// That of its material stands in its energy.
    #[inline(always)]
    fn stiffness(&self) -> R {
        R::from_f32(1.0)
    }

    /// Strain by strain.
    #[inline(always)]
    fn rigid(&self, x: &[V3<R>; 3], w: [R; 3], shares: [R; 3]) -> [V3<R>; 3] {
        strain_by_strain(x, &self.inverse_rest, w, shares)
    }

    #[inline(always)]
    fn energy(&self, x: &[V3<R>; 3]) -> R {
        let e = green_strain(&deformation(x, &self.inverse_rest));
        let (trace, two) = (e[0] + e[1], R::from_f32(2.0));
        let square = e[0] * e[0] + e[1] * e[1] + two * e[2] * e[2];
        self.area * (self.mu * square + self.lame / two * trace * trace)
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 3]) -> [V3<R>; 3] {
        let f = deformation(x, &self.inverse_rest);
        let p = times(&f, &self.stress(&green_strain(&f)));
        at_corners(&p, &self.inverse_rest, self.area)
    }

    /// dP = dF S⁺ + F dS, exact where the stress S has no negative part.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 3], d: &[V3<R>; 3]) -> [V3<R>; 3] {
        let (f, df) = (deformation(x, &self.inverse_rest), deformation(d, &self.inverse_rest));
        let s = positive_part(&self.stress(&green_strain(&f)));
        let half = R::from_f32(0.5);
        let strain = [f[0].dot(df[0]), f[1].dot(df[1]), (f[0].dot(df[1]) + f[1].dot(df[0])) * half];
        let (turned, stretched) = (times(&df, &s), times(&f, &self.stress(&strain)));
        let dp: Columns<R> = [turned[0] + stretched[0], turned[1] + stretched[1]];
        at_corners(&dp, &self.inverse_rest, self.area)
    }
}
