//! -grad E at the present positions: inertia and all rows.
//!
//! Not `implicit::residual`: that has the springs' dampers, too, which do not act here.

use crate::{
    elastic::{
        At, Energies, Limits,
        kernels::{Force, Product},
        springs::Springs,
    },
    lanes,
    normals::xyz,
    substep::Sim,
};

/// Fills `particle.force` [N]. Particles that are not free get what their rows pull.
pub(super) fn evaluate(sim: &mut Sim, limits: Limits) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let particle = &mut sim.state.particle;
    let (x, inertial) = (&*particle.position, &*particle.inertial);
    sim.par.rows(particle.force, |start, force| {
        for (i, force) in (start..).zip(force) {
            let mass = if x[i][3] > 0.0 { per_h2 / x[i][3] } else { 0.0 };
            *force = ((xyz(inertial[i]) - xyz(x[i])) * mass).extend(0.0).to_array();
        }
    });
    // The local step of Liu 2013: k times the way to the rest length.
    let distance = &sim.state.distance;
    let springs = Force { table: &Springs { rest: distance.rest, stiffness: distance.used }, x };
    lanes::project_at::<Springs, 2>(&sim.par, distance.colors, distance.idx, particle.force, &springs);
    let (particle, energies) = Energies::of(sim.par, &mut sim.state, limits);
    energies.add_other_forces(At { x: particle.position, still: particle.inertial }, particle.force);
}

/// Fills `particle.correction` with H d for d in `particle.implicit.search` [N]: H is the Hessian of E at the present positions
/// without what would make it negative.
pub(super) fn stiffness_times_direction(sim: &mut Sim, limits: Limits) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let particle = &mut sim.state.particle;
    let (x, d) = (&*particle.position, &*particle.implicit.search);
    sim.par.rows(particle.correction, |start, product| {
        for (i, product) in (start..).zip(product) {
            let mass = if x[i][3] > 0.0 { per_h2 / x[i][3] } else { 0.0 };
            *product = (xyz(d[i]) * mass).extend(0.0).to_array();
        }
    });
    let distance = &sim.state.distance;
    let springs = Product { table: &Springs { rest: distance.rest, stiffness: distance.used }, x, d };
    lanes::project_at::<Springs, 2>(&sim.par, distance.colors, distance.idx, particle.correction, &springs);
    let (particle, energies) = Energies::of(sim.par, &mut sim.state, limits);
    energies.add_other_product(
        At { x: particle.position, still: particle.inertial },
        particle.implicit.search,
        particle.correction,
    );
}
