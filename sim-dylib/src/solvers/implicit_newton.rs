//! Implicit Euler by Newton's method: the full Hessian of all energies, made positive definite, by conjugate gradients.
//!
//! Baraff and Witkin: Large Steps in Cloth Simulation, 1998, for the step; Choi and Ko: Stable but Responsive Cloth, 2002,
//! for the cut of the Hessian; Nocedal and Wright: Numerical Optimization, 2006, section 7.1, for inexact Newton steps.

use sim_api::{Kind, ParamDesc, ReadingDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    describe::{ALL_TABLES, HELD_BACK, ITERATIONS_USED, RESIDUAL},
    implicit::{
        self, CONTACT, STIFFEST, SUBSTEPS, contact,
        newton::{self, Effort, Limits},
    },
    momentum,
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "implicit_newton",
        "Implicit Euler solved by Newton's method with conjugate gradients and a line search.",
        &[SUBSTEPS, ITERATIONS, TOLERANCE, CG_ITERATIONS, CG_TOLERANCE, STIFFEST, CONTACT],
    )
    .kind(Kind::Implicit)
    .stiffness(Stiffness::inertia(&STIFFEST))
    .takes(ALL_TABLES)
    .readings(&[RESIDUAL, ITERATIONS_USED, CG_ITERATIONS_USED, HELD_BACK]),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 4, 100], "Newton steps in each substep, at most.");
const TOLERANCE: ParamDesc = ParamDesc::number(
    "tolerance",
    "",
    [0.0, 1e-3, 1.0],
    "Relative tolerance: Newton stops when the residual is this fraction of what it was at the substep's start.",
);
const CG_ITERATIONS: ParamDesc = ParamDesc::count(
    "cg_iterations",
    [1, 60, 10_000],
    "Conjugate gradient iterations in each Newton step, at most.",
);
const CG_TOLERANCE: ParamDesc = ParamDesc::number(
    "cg_tolerance",
    "",
    [0.0, 0.05, 1.0],
    "Relative tolerance of the conjugate gradients: the fraction of a Newton step's linear residual that they may leave.",
);

const CG_ITERATIONS_USED: ReadingDesc = ReadingDesc::count(
    "cg_iterations",
    "conjugate gradient iterations of all Newton steps of the last frame",
);

fn step(sim: &mut Sim) {
    let substeps = sim.count(&SUBSTEPS);
    let limits = Limits {
        rounds: sim.count(&ITERATIONS),
        tolerance: sim.param(&TOLERANCE),
        cg: sim.count(&CG_ITERATIONS),
        cg_tolerance: sim.param(&CG_TOLERANCE),
    };
    let stiffness = implicit::prepare(sim, substeps, sim.param(&STIFFEST));
    let stiffness = stiffness.with_contact(sim, sim.param(&CONTACT)).with_gas(sim);
    let mut total = Effort::default();
    substep::run_undamped(sim, |sim| {
        let mut step = implicit::begin(sim, stiffness);
        let effort = newton::solve(&mut step, &limits);
        contact::tell(&mut step);
        total = Effort { rounds: total.rounds + effort.rounds, cg: total.cg + effort.cg, ..effort };
        implicit::write_tension(sim, stiffness);
        momentum::keep_linear(sim, effort.touching);
    });
    sim.frame.reading(ITERATIONS_USED, total.rounds as f32);
    sim.frame.reading(CG_ITERATIONS_USED, total.cg as f32);
    sim.frame.reading(RESIDUAL, total.residual as f32);
}
