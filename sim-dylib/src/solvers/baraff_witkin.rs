//! One linearised implicit step: the forces at the step's start, their derivative, one linear system.
//!
//! Baraff and Witkin: Large Steps in Cloth Simulation, 1998, eq. 6: (M - h² df/dx) dv = h (f + h df/dx v). In positions that
//! is a single Newton step of implicit Euler from x(n), without a line search. The Hessian is cut to a positive definite
//! one as in `implicit_newton`. The conjugate gradients start from what inertia alone would do: from no motion at all,
//! whatever they leave at their end would brake the cloth (measured: a third of the speed in 240 substeps).

use sim_api::{ParamDesc, SolverDesc};

use super::Solver;
use crate::{
    elastic::springs,
    implicit::{self, STIFFEST, SUBSTEPS, cg, newton},
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "baraff_witkin",
        "One linearised implicit Euler step, solved by conjugate gradients (1998).",
        &[SUBSTEPS, ITERATIONS, TOLERANCE, STIFFEST],
    ),
    step,
};

const ITERATIONS: ParamDesc = ParamDesc::count(
    "iterations",
    [1, 100, 10_000],
    "Conjugate gradient iterations in each substep, at most.",
);
const TOLERANCE: ParamDesc = ParamDesc::number(
    "tolerance",
    "",
    [0.0, 1e-2, 1.0],
    "Share of the linear residual that the conjugate gradients may leave.",
);

fn step(sim: &mut Sim) {
    let substeps = sim.count(&SUBSTEPS);
    let (most, tolerance) = (sim.count(&ITERATIONS), sim.param(&TOLERANCE));
    let stiffness = implicit::prepare(sim, substeps, sim.param(&STIFFEST));
    let (mut iterations, mut residual) = (0, 0.0);
    substep::run_undamped(sim, |sim| {
        let mut step = implicit::begin(sim, stiffness);
        let predicted = implicit::residual(&mut step);
        implicit::back_to_start(&mut step);
        implicit::residual(&mut step);
        implicit::assemble(&mut step, false, 0.0);
        iterations += cg::solve_from_inertia(&mut step, most, tolerance);
        implicit::go_to_inertial(&mut step);
        newton::go(&mut step, 1.0);
        residual = (implicit::residual(&mut step) / predicted.max(f64::MIN_POSITIVE)).sqrt();
        springs::write_tension(&sim.par, &mut sim.state.distance, sim.state.particle.position);
    });
    sim.frame.reading("iterations", iterations as f32);
    sim.frame.reading("residual", residual as f32);
}
