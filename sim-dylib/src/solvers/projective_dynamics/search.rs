//! From the residual r = `particle.force` to the next positions.
//!
//! Plain: x' = x + A⁻¹ r. Accelerated: nonlinear conjugate gradients (Polak, Ribière 1969, never negative), with A⁻¹ as
//! preconditioner and the step length that a quadratic model with the Hessian H of the true energy would have:
//! ```text
//! z = A⁻¹ r     d = z + beta d     beta = max(0, z·(r - r_before) / z_before·r_before)     alpha = d·r / d·H d
//! ```
//! H is not larger than A, so the first alpha is at least 1.

use sim_api::SharedMut;

use super::{forces, product};
use crate::{elastic::Limits, substep::Sim};

/// Longest step, in directions: the model does not know how far it is good.
const LONGEST: f64 = 4.0;
/// A slope at the new place below this share of the old one says that the step was much too long.
const OVERSHOT: f64 = -1.0;

/// The search of one substep.
pub(super) struct Search {
    accelerated: bool,
    /// z·r and d·r of the iteration before.
    before: Option<[f64; 2]>,
}

impl Search {
    pub(super) fn new(accelerated: bool) -> Self {
        Self { accelerated, before: None }
    }

    /// Moves the free particles; `particle.force` is that at the present positions.
    pub(super) fn advance(&mut self, sim: &mut Sim, limits: Limits) {
        if self.overshot(sim) {
            // Plain iterations never climb.
            self.accelerated = false;
        }
        let particle = &mut sim.state.particle;
        if !self.accelerated {
            sim.frame.factor.solve(particle.force);
            advance(sim, 1.0, false);
            sim.frame.stage("global");
            return;
        }
        particle.correction.copy_from_slice(particle.force);
        sim.frame.factor.solve(particle.correction);
        sim.frame.stage("global");
        let slope = self.choose_direction(sim);
        forces::stiffness_times_direction(sim, limits);
        let particle = &sim.state.particle;
        let (product, d) = (&*particle.correction, &*particle.implicit.search);
        let [curvature] = sim.par.sums(d.len(), |rows| {
            let mut sum = 0.0;
            for i in rows {
                sum += product::dot(product[i], d[i]);
            }
            [sum]
        });
        // Nothing pulls any more: nothing moves.
        let alpha = if curvature > 0.0 { (slope / curvature).clamp(0.0, LONGEST) } else { 0.0 };
        advance(sim, alpha as f32, true);
        sim.frame.stage("search");
    }

    fn overshot(&self, sim: &Sim) -> bool {
        let Some([_, slope]) = self.before.filter(|_| self.accelerated) else { return false };
        let (r, d) = (&*sim.state.particle.force, &*sim.state.particle.implicit.search);
        let [now] = sim.par.sums(d.len(), |rows| {
            let mut sum = 0.0;
            for i in rows {
                sum += product::dot(r[i], d[i]);
            }
            [sum]
        });
        now < OVERSHOT * slope
    }

    /// From z in `particle.correction` to d in `particle.implicit.search`; returns d·r.
    fn choose_direction(&mut self, sim: &mut Sim) -> f64 {
        let (par, first) = (sim.par, self.before.is_none());
        let particle = &mut sim.state.particle;
        let (z, r, before) = (&*particle.correction, &*particle.force, &*particle.implicit.residual);
        let [zr, z_before] = par.sums(z.len(), |rows| {
            let mut sums = [0.0; 2];
            for i in rows {
                sums[0] += product::dot(z[i], r[i]);
                // Nothing was written there yet.
                sums[1] += if first { 0.0 } else { product::dot(z[i], before[i]) };
            }
            sums
        });
        let beta = self.before.map_or(0.0, |[before, _]| ((zr - z_before) / before).max(0.0));
        let beta = if beta.is_finite() { beta as f32 } else { 0.0 };
        let (d, last) =
            (SharedMut::new(particle.implicit.search), SharedMut::new(particle.implicit.residual));
        let [slope] = par.sums(z.len(), |rows| {
            // SAFETY: blocks do not overlap.
            let (d, last) = unsafe { (d.rows_mut(rows.clone()), last.rows_mut(rows.clone())) };
            let mut slope = 0.0;
            for (i, (d, last)) in rows.zip(d.iter_mut().zip(last)) {
                let old = if first { [0.0; 4] } else { *d };
                *d = [z[i][0] + beta * old[0], z[i][1] + beta * old[1], z[i][2] + beta * old[2], 0.0];
                *last = r[i];
                slope += product::dot(*d, r[i]);
            }
            [slope]
        });
        self.before = Some([zr, slope]);
        slope
    }
}

/// x += alpha times `particle.implicit.search`, or `particle.force`.
fn advance(sim: &mut Sim, alpha: f32, direction: bool) {
    let particle = &mut sim.state.particle;
    let change = if direction { &*particle.implicit.search } else { &*particle.force };
    sim.par.rows(particle.position, |start, x| {
        for (x, d) in x.iter_mut().zip(&change[start..]) {
            *x = [x[0] + alpha * d[0], x[1] + alpha * d[1], x[2] + alpha * d[2], x[3]];
        }
    });
}
