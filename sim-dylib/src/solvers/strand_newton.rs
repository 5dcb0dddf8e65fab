//! Strands by a direct solve, cloth beside them by XPBD.
//!
//! A chain is a tree, so that Newton's system of a strand is solved exactly in one pass from the root to the tip and one back
//! (`kernels/strands/newton.rs`). With the constants of real hair (E = 4 GPa, 40 um, 5 cm) it bends as theory has it at 4
//! substeps of 2 iterations, where sweeps over the same rows leave it limp at any number that a frame has time for. Frames and
//! twist are part of the solve. What it leaves of lengths is limited behind contact (`kernels/strands/limit.rs`). The rows of cloth
//! are swept as `xpbd` sweeps them.

use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};

use super::{Solver, xpbd};
use crate::{
    coarse,
    collide::plane,
    describe::{ALL_AND_FRAMES, ITERATIONS_USED, RESIDUAL},
    projection,
    strands::{
        self, limit,
        newton::{self, among},
        roots,
    },
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "strand_newton",
        "Newton's method with a direct solve for each strand, frames and twist included; cloth as xpbd does it.",
        &[SUBSTEPS, STRAND_ITERATIONS, STIFFEST, ITERATIONS, coarse::SWEEPS],
    )
    .kind(Kind::Projection)
    .for_strands()
    .stiffness(Stiffness::Compliant)
    .takes(ALL_AND_FRAMES)
    .readings(&[RESIDUAL, ITERATIONS_USED]),
    step,
};

const STRAND_ITERATIONS: ParamDesc = ParamDesc::count(
    "strand_iterations",
    [1, 2, 50],
    "Newton iterations on each strand in each substep. One that still turns far, or meets something, takes up to 24 more.",
);
const STIFFEST: ParamDesc = ParamDesc::number(
    "stiffest",
    "",
    [1.0, 10_000.0, 100_000.0],
    "Most that a segment resists stretch, and contact a strand, in units of m/h2 of the lighter end: single precision bears \
     no more.",
);
const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 1, 1000], "Sweeps over all constraints of cloth in each substep.");

fn step(sim: &mut Sim) {
    let plan = newton::Plan { iterations: sim.count(&STRAND_ITERATIONS), stiffest: sim.param(&STIFFEST) };
    let cloth = strands::beside_cloth(&sim.state.particle, &sim.state.segment);
    let sweeps = xpbd::Plan::sweeps(sim, sim.count(&ITERATIONS));
    let solve = |sim: &mut Sim| {
        newton::lead(sim);
        // It finds the surfaces as well. What it does to strands is not looked at.
        if cloth {
            xpbd::solve(sim, sweeps)
        } else {
            plane::find(sim)
        }
        strands::seat(sim);
        roots::hold_blocks(sim);
        newton::run(sim, plan);
    };
    let touch = |sim: &mut Sim| {
        among::contact(sim, plan);
        limit::limit(sim);
    };
    substep::run_around(sim, solve, touch);
    if cloth {
        projection::write_forces(sim);
    }
    strands::write_tension(sim, plan.stiffest);
    sim.state.segment.spin.fill([0.0; 4]);
    let iterations = if cloth { sim.count(&ITERATIONS) } else { plan.iterations };
    sim.frame.reading(ITERATIONS_USED, (iterations * sim.count(&SUBSTEPS)) as f32);
}
