//! Internal damping of the position-based solvers: impulses along the springs, after the velocities are known.

use glam::Vec4;
use sim_api::Par;

use crate::{
    constraints::distance,
    lanes::{self, Pair, V3},
    state::{Distance, Particle},
};

/// Whether any row is damped; asked once a step.
pub fn any(distance: &Distance) -> bool {
    distance.damping.iter().any(|&damping| damping != 0.0)
}

/// Damps the relative velocity along every distance row; `h` [s] is the substep.
///
/// Velocities carry the inverse mass in w while the sweep runs, and 0 again after it.
pub fn springs(par: &Par, particle: &mut Particle, distance: &Distance, h: f32) {
    let position = &*particle.position;
    par.rows(particle.velocity, |start, velocity| {
        for (v, x) in velocity.iter_mut().zip(&position[start..]) {
            v[3] = x[3];
        }
    });
    let ends = |row: usize, end: usize| {
        let x = position[distance.idx[row][end] as usize];
        V3::new(x[0], x[1], x[2])
    };
    lanes::project(par, distance.colors, distance.idx, particle.velocity, |rows, a: &Pair, b: &Pair| {
        let (xa, xb) = (rows.gather(|row| ends(row, 0)), rows.gather(|row| ends(row, 1)));
        let damping = rows.load(distance.damping);
        distance::damp((xa, a.x, a.w), (xb, b.x, b.w), damping, Vec4::splat(h))
    });
    par.rows(particle.velocity, |_, velocity| velocity.iter_mut().for_each(|v| v[3] = 0.0));
}
