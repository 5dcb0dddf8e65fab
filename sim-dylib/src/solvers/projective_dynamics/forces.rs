//! -grad E at the present positions: inertia and all rows that the matrix has.
//!
//! Not `implicit::residual`: that counts triangles, dihedral hinges and the springs' dampers, too, which do not act here.

use glam::Vec3;

use crate::{
    elastic::{
        hinges::QuadraticBends,
        kernels::{Force, Product},
        springs::Springs,
    },
    lanes,
    normals::xyz,
    state::State,
    substep::Sim,
};

/// Fills `particle.force` [N]. Particles that are not free get what their rows pull.
pub(super) fn evaluate(sim: &mut Sim) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let State { particle, distance, hinge, tether, attachment, .. } = &mut sim.state;
    let (x, inertial) = (&*particle.position, &*particle.inertial);
    sim.par.rows(particle.force, |start, force| {
        for (i, force) in (start..).zip(force) {
            let mass = if x[i][3] > 0.0 { per_h2 / x[i][3] } else { 0.0 };
            *force = ((xyz(inertial[i]) - xyz(x[i])) * mass).extend(0.0).to_array();
        }
    });
    // The local step of Liu 2013: k times the way to the rest length.
    let springs = Force { table: &Springs { rest: distance.rest, stiffness: distance.used }, x };
    lanes::project_at::<Springs, 2>(&sim.par, distance.colors, distance.idx, particle.force, &springs);
    if !hinge.idx.is_empty() {
        let hinges = Force { table: &QuadraticBends(hinge), x };
        lanes::project_at::<QuadraticBends, 4>(&sim.par, hinge.colors, hinge.idx, particle.force, &hinges);
    }
    let mut pull = |particle_at: u32, force: Vec3| {
        let row = &mut particle.force[particle_at as usize];
        *row = (xyz(*row) + force).extend(row[3]).to_array();
    };
    for (i, &at) in tether.idx.iter().enumerate() {
        let d = xyz(x[tether.anchor[i] as usize]) - xyz(x[at as usize]);
        let length = d.length();
        if length > tether.rest[i] {
            pull(at, d * (tether.used[i] * (length - tether.rest[i]) / length));
        }
    }
    for (i, &at) in attachment.idx.iter().enumerate() {
        pull(at, (xyz(attachment.target[i]) - xyz(x[at as usize])) * attachment.used[i]);
    }
}

/// Fills `particle.correction` with H d for d in `particle.search` [N]: H is the Hessian of E at the present positions
/// without what would make it negative.
pub(super) fn stiffness_times_direction(sim: &mut Sim) {
    let State { particle, distance, hinge, .. } = &mut sim.state;
    let (x, d, diagonal) = (&*particle.position, &*particle.search, &*particle.own_stiffness);
    sim.par.rows(particle.correction, |start, product| {
        for (i, product) in (start..).zip(product) {
            *product = (xyz(d[i]) * diagonal[i]).extend(0.0).to_array();
        }
    });
    let springs = Product { table: &Springs { rest: distance.rest, stiffness: distance.used }, x, d };
    lanes::project_at::<Springs, 2>(&sim.par, distance.colors, distance.idx, particle.correction, &springs);
    if !hinge.idx.is_empty() {
        let hinges = Product { table: &QuadraticBends(hinge), x, d };
        lanes::project_at::<QuadraticBends, 4>(
            &sim.par,
            hinge.colors,
            hinge.idx,
            particle.correction,
            &hinges,
        );
    }
}
