//! Internal damping of the position-based solvers: impulses along the springs, after the velocities are known.

use sim_api::Par;

use crate::{
    constraints::distance,
    lanes::{self, Kernel, Lanes, Point, Rows, V3},
    state::{Distance, Particle},
};

/// Whether any row is damped; asked once a step.
pub(crate) fn any(par: &Par, distance: &Distance) -> bool {
    // All bits but signs.
    let bits = |rows: &[f32]| rows.iter().fold(0, |bits, damping| bits | damping.to_bits() << 1);
    par.any(distance.damping.len(), |range| bits(&distance.damping[range]) != 0)
}

/// Damps the relative velocity along every distance row; `h` [s] is the substep.
///
/// Velocities carry the inverse mass in w while the sweep runs, and 0 again after it.
pub(crate) fn springs(par: &Par, particle: &mut Particle, distance: &Distance, h: f32) {
    let position = &*particle.position;
    par.rows(particle.velocity, |start, velocity| {
        for (v, x) in velocity.iter_mut().zip(&position[start..]) {
            v[3] = x[3];
        }
    });
    let kernel = Damping { position, dampers: distance.damping, h };
    lanes::project(par, distance.colors, distance.idx, particle.velocity, &kernel);
    par.rows(particle.velocity, |_, velocity| velocity.iter_mut().for_each(|v| v[3] = 0.0));
}

struct Damping<'a> {
    position: &'a [[f32; 4]],
    /// [N s/m]
    dampers: &'a [f32],
    h: f32,
}

impl Kernel<2> for Damping<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (xa, xb) = (rows.fetch::<L>(self.position, 0).x, rows.fetch::<L>(self.position, 1).x);
        let damping = rows.load(self.dampers);
        let (da, db) = distance::damp((xa, a.x, a.w), (xb, b.x, b.w), damping, L::from_f32(self.h));
        [da, db]
    }
}
