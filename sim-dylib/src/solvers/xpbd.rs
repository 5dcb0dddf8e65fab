//! XPBD: extended position based dynamics, coloured Gauss-Seidel.
//!
//! Macklin, Müller, Chentanez: XPBD: Position-Based Simulation of Compliant Constrained Dynamics, 2016.
//! One iteration and many substeps is the efficient setting (Small Steps, 2019). Stiffness comes from the compliance
//! [m/N] alone: it does not depend on the number of iterations, because lambda is kept over them.

use glam::Vec4;
use sim_api::{ParamDesc, SolverDesc};

use super::Solver;
use crate::{
    constraints::distance,
    lanes::{self, RowsMut},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "xpbd",
        "Extended position based dynamics: compliance in m/N, coloured Gauss-Seidel.",
        &[SUBSTEPS, ITERATIONS],
    ),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 1, 1000], "Gauss-Seidel sweeps in each substep.");

fn step(sim: &mut Sim) {
    let iterations = sim.count(&ITERATIONS);
    substep::run(sim, |sim| solve(sim, iterations));
    write_forces(sim);
}

fn solve(sim: &mut Sim, iterations: usize) {
    let (particle, distance) = (&mut sim.state.particle, &mut sim.state.distance);
    let per_h2 = Vec4::splat(1.0 / (sim.h * sim.h));
    distance.lambda.fill(0.0);
    let lambda = RowsMut::new(distance.lambda);
    for _ in 0..iterations {
        lanes::project(&sim.par, distance.colors, distance.idx, particle.position, |rows, a, b| {
            let (rest, alpha) = (rows.load(distance.rest), rows.load(distance.compliance) * per_h2);
            let total = lambda.load(rows);
            let (da, db, change) = distance::project((a.x, a.w), (b.x, b.w), rest, alpha, total);
            lambda.store(rows, total + change);
            (da, db)
        });
    }
}

/// Tension of each row [N]: lambda is an impulse times h, negative in tension.
pub(super) fn write_forces(sim: &mut Sim) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let distance = &mut sim.state.distance;
    let lambda = &*distance.lambda;
    sim.par.rows(distance.force, |start, force| {
        for (force, lambda) in force.iter_mut().zip(&lambda[start..]) {
            *force = -lambda * per_h2;
        }
    });
}
