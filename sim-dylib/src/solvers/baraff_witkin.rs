//! One linearised implicit step: the forces at the step's start, their derivative, one linear system.
//!
//! Baraff and Witkin: Large Steps in Cloth Simulation, 1998, eq. 6: (M - h² df/dx) dv = h (f + h df/dx v). In positions that
//! is a single Newton step of implicit Euler from x(n), without a line search. The Hessian is cut to a positive definite
//! one as in `implicit_newton`. The conjugate gradients start from where inertia leads (`implicit/guess.rs`): from no motion
//! at all, whatever they leave at their end would brake the cloth (measured: a third of the speed in 240 substeps).
//!
//! Contact is linear, too, as it is where inertia leads; what touches is looked at once more after the linear system, and
//! the system is solved again from there.
//!
//! What the conjugate gradients leave of the system has a sum. Cloth that nothing holds, while nothing touches a collider, gets that
//! momentum back (`momentum.rs`): two sheets that met in flight lost 70 % of it in a second at the default tolerance. Angular
//! momentum is not kept: a row that turns is stretched by the linear step, and its stiffness
//! across makes a brake of that, 1 + k h²/m times what implicit Euler takes (V13). A stiff sheet that spins by 90 degrees a second has
//! a quarter of it left after a second at one substep, 99.7 % at 20; a smaller tolerance does not help.

use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    collide,
    describe::{ALL_TABLES, HELD_BACK, ITERATIONS_USED, RESIDUAL},
    implicit::{self, CONTACT, STIFFEST, SUBSTEPS, Step, cg, contact, guess, newton},
    momentum,
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "baraff_witkin",
        "One linearised implicit Euler step, solved by conjugate gradients (1998).",
        &[SUBSTEPS, ITERATIONS, TOLERANCE, STIFFEST, CONTACT],
    )
    .kind(Kind::Implicit)
    .stiffness(Stiffness::inertia(&STIFFEST))
    .takes(ALL_TABLES)
    .readings(&[RESIDUAL, ITERATIONS_USED, HELD_BACK]),
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
    "Relative tolerance: the fraction of the linear residual, at the step's start or where inertia leads, that the conjugate gradients may leave.",
);

/// Share of the tolerance while something touches: what is left pushes cloth along the surface, always the same way
/// (measured at 1e-2: a cloth creeps off a ball, at 3e-3 it rests).
const TOUCHING: f32 = 0.3;

/// Stiffness of colliders [m/h2] where bodies have masses, at most. A linear contact holds on to what it has pushed out, and a body feels
/// that a substep late: a free sheet of 0.1 kg and a ball as heavy at 2 m/s had 23 times their energy after they had met at
/// 100 m/h2, 2.5 at 28, and half of it, as is right, at 3 and less. What the springs leave is taken back after the step.
const BODIES: f32 = 1.0;

fn step(sim: &mut Sim) {
    let substeps = sim.count(&SUBSTEPS);
    let (most, tolerance) = (sim.count(&ITERATIONS), sim.param(&TOLERANCE));
    let stiffness = implicit::prepare(sim, substeps, sim.param(&STIFFEST));
    let stiffness = stiffness.with_contact(sim, contact_stiffness(sim, substeps)).with_gas(sim);
    let (mut iterations, mut residual) = (0, 0.0);
    substep::run_undamped(sim, |sim| {
        let mut step = implicit::begin(sim, stiffness);
        contact::meet(&mut step);
        let touching = contact::look(&mut step);
        let predicted = implicit::residual(&mut step);
        contact::freeze(&mut step);
        let tolerance = if touching { TOUCHING * tolerance } else { tolerance };
        if touching {
            step.state.particle.implicit.iterate_before.copy_from_slice(step.state.particle.position);
            guess::rest(&mut step);
        }
        let mut used = solve(&mut step, most, tolerance);
        contact::tell(&mut step);
        // What the step took into a collider or off it.
        if touching && contact::look(&mut step) {
            contact::freeze(&mut step);
            used += solve(&mut step, most - used, tolerance);
            contact::tell(&mut step);
            contact::look(&mut step);
        }
        iterations += used;
        residual = (implicit::residual(&mut step) / predicted.max(f64::MIN_POSITIVE)).sqrt();
        implicit::write_tension(sim, stiffness);
        momentum::keep_linear(sim, touching);
    });
    sim.frame.reading(ITERATIONS_USED, iterations as f32);
    sim.frame.reading(RESIDUAL, residual as f32);
}

/// Stiffness of colliders over the mass [1/s2]; where bodies have masses [`BODIES`] at most.
fn contact_stiffness(sim: &Sim, substeps: usize) -> f32 {
    let (h, asked) = (sim.frame.dt / substeps as f32, sim.param(&CONTACT));
    if collide::has_bodies(&sim.state.collider) { asked.min(BODIES / (h * h)) } else { asked }
}

/// The linear step from the substep's start, from the present positions as its first guess. Returns the iterations.
fn solve(step: &mut Step, most: usize, tolerance: f32) -> usize {
    step.state.particle.implicit.iterate.copy_from_slice(step.state.particle.position);
    implicit::back_to_start(step);
    implicit::residual(step);
    implicit::assemble(step, false, 0.0);
    let used = cg::solve_from_iterate(step, most, tolerance);
    step.state.particle.position.copy_from_slice(step.state.particle.implicit.iterate);
    newton::go(step, 1.0);
    used
}
