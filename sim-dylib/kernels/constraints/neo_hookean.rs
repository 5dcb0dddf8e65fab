//! Stable neo-Hookean: resists being pressed together, survives being pressed to nothing.
//!
//! Smith, de Goes, Kim: Stable Neo-Hookean Flesh Simulation, 2018 (eq. 13 without its origin barrier), for a sheet:
//! F is 3x2 and J = |f0 x f1|, the ratio of the areas, has no sign. A triangle does not know that it was turned over.
//!
//! The paper's lambda is mu + lame here (its section 3.4): with it, small strain costs the same as in linear elasticity and
//! in [`super::st_venant_kirchhoff`].

use sim_api::model::MembraneModel;

use super::{
    Constraint, Load, Tables, Three, length,
    membrane::{
        self, Columns, Parts, Symmetric, area_ratio, at_corners, deformation, positive_part, strain_by_strain,
    },
};
use crate::lanes::{Real, V3};

/// E = area (mu/2 (|F|² - 2) - mu (J - 1) + (mu + lame)/2 (J - 1)²).
#[derive(Clone, Copy)]
pub struct NeoHookean<R> {
    /// Inverse of the rest edges by columns [1/m].
    pub inverse_rest: [R; 4],
    /// At rest [m2].
    pub area: R,
    /// Lamé's mu of the sheet [N/m].
    pub mu: R,
    /// Lamé's lambda of the sheet [N/m].
    pub lame: R,
}

impl<R: Real> NeoHookean<R> {
    /// Stiffness against a change of area, mu + lame [N/m].
    #[inline(always)]
    pub fn bulk(&self) -> R {
        self.mu + self.lame
    }

    /// dpsi/dJ [N/m].
    #[inline(always)]
    fn pressure(&self, j: R) -> R {
        self.bulk() * (j - R::from_f32(1.0)) - self.mu
    }
}

impl<R: Real> NeoHookean<R> {
    /// As constraints of XPBD: two that hold the shape and one that holds the area, and their gradients [1/m].
    ///
    /// Macklin, Müller: A Constraint-based Formulation of Stable Neo-Hookean Materials, 2021, takes |F| and J - gamma,
    /// which pull against each other at rest. In a plane |F|² - 2 J = (s1 - s2)² for the stretches s1 and s2, so
    /// E = area (mu/2 (s1 - s2)² + bulk/2 (J - 1)²) is the same energy with constraints that are 0 at rest.
    /// s1 - s2 is the length of (F00 - F11, F01 + F10); in the frame where f0 lies along the first axis that is
    /// (|f0| - J/|f0|, f0.f1/|f0|), which has a gradient where s1 = s2, too.
    #[inline(always)]
    pub fn constraints(&self, x: &[V3<R>; 3]) -> Parts<R> {
        let (f, b, one) = (deformation(x, &self.inverse_rest), &self.inverse_rest, R::from_f32(1.0));
        let (j, _, g) = area_ratio(&f);
        let l = length(f[0]);
        let (t, per_l) = (f[0] * (one / l), one / l);
        let (across, height) = (f[1].dot(t), j * per_l);
        let stretch = [t * (one + height * per_l) - g[0] * per_l, -(g[1] * per_l)];
        let shear = [(f[1] - t * across) * per_l, t];
        let gradients = [at_corners(&stretch, b, one), at_corners(&shear, b, one), at_corners(&g, b, one)];
        ([l - height, across, j - one], gradients)
    }

    /// Compliance of [`NeoHookean::constraints`] by 00, 11, 22, 01 [1/J].
    #[inline(always)]
    pub fn compliance(&self) -> [R; 4] {
        let (softest, one) = (R::from_f32(1e-12), R::from_f32(1.0));
        let shape = one / (self.area * self.mu.max(softest));
        [shape, shape, one / (self.area * self.bulk().max(softest)), R::from_f32(0.0)]
    }
}

impl<R: Real> Constraint<R, 3> for NeoHookean<R> {
    type Value = Three<R, 3>;
    const MODEL: u32 = MembraneModel::NeoHookean as u32;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        let (inverse_rest, [area, mu, lame]) = membrane::load(tables, row, k);
        Self { inverse_rest, area, mu, lame }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 3]) -> Three<R, 3> {
        let (c, g) = self.constraints(x);
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
        let f = deformation(x, &self.inverse_rest);
        let (half, one) = (R::from_f32(0.5), R::from_f32(1.0));
        let growth = area_ratio(&f).0 - one;
        let square = f[0].dot(f[0]) + f[1].dot(f[1]) - one - one;
        self.area * (self.mu * (half * square - growth) + half * self.bulk() * growth * growth)
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 3]) -> [V3<R>; 3] {
        let f = deformation(x, &self.inverse_rest);
        let (j, _, g) = area_ratio(&f);
        let pressure = self.pressure(j);
        let p = [f[0] * self.mu + g[0] * pressure, f[1] * self.mu + g[1] * pressure];
        at_corners(&p, &self.inverse_rest, self.area)
    }

    /// Out of the plane the stiffness is the second Piola-Kirchhoff stress S = mu I + pressure J (FᵀF)⁻¹, of which the
    /// positive part is kept. In the plane it is mu + pressure H + bulk G Gᵀ, where H = d²J/dF² has the eigenvalues 1
    /// and -1: the pressure is limited to -mu..=mu there. Exact for a stress without negative part and
    /// 0 <= bulk (J - 1) <= 2 mu.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 3], d: &[V3<R>; 3]) -> [V3<R>; 3] {
        let (f, df) = (deformation(x, &self.inverse_rest), deformation(d, &self.inverse_rest));
        let (j, n, g) = area_ratio(&f);
        let pressure = self.pressure(j);
        // J (FᵀF)⁻¹ is the adjugate of FᵀF over J.
        let ratio = pressure / j;
        let stress: Symmetric<R> =
            [self.mu + f[1].dot(f[1]) * ratio, self.mu + f[0].dot(f[0]) * ratio, -(f[0].dot(f[1]) * ratio)];
        let s = positive_part(&stress);
        let out = [n.dot(df[0]), n.dot(df[1])];
        let across = [n * (out[0] * s[0] + out[1] * s[2]), n * (out[0] * s[2] + out[1] * s[1])];

        let limited = pressure.max(-self.mu).min(self.mu);
        let growth = self.bulk() * (g[0].dot(df[0]) + g[1].dot(df[1]));
        let flat = [df[0] - n * out[0], df[1] - n * out[1]];
        let dp: Columns<R> = [
            across[0] + flat[0] * self.mu + df[1].cross(n) * limited + g[0] * growth,
            across[1] + flat[1] * self.mu + n.cross(df[0]) * limited + g[1] * growth,
        ];
        at_corners(&dp, &self.inverse_rest, self.area)
    }
}
