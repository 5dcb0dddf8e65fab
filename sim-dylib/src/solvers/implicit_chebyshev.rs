//! Implicit Euler by Jacobi iterations with Chebyshev's acceleration.
//!
//! Wang: A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics, 2015. `rho` is the
//! spectral radius of the plain iteration: close below it the acceleration is strongest, above it the iterates swing
//! and run away, within a substep or over many. Both are noticed (the residual, the energy of a substep) and told
//! (`diverged_at_iteration`): plain iterations go on from the best positions that were kept, and the rest of the frame runs
//! with the estimate, or its square if it was that. No substep ends with a larger residual than it had under way, at every
//! 16th iteration, so that more of them do no harm.

use sim_api::{Kind, ParamDesc, ReadingDesc, SolverDesc, Stiffness};

use super::{
    Solver,
    implicit_jacobi::{self, ITERATIONS, STIFFEST, SUBSTEPS},
};
use crate::{
    describe::{ALL_TABLES, HELD_BACK, ITERATIONS_USED, RESIDUAL},
    implicit::jacobi::{Diagonal, Settings},
    substep::Sim,
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "implicit_chebyshev",
        "Implicit Euler by Jacobi iterations with Chebyshev acceleration.",
        &[SUBSTEPS, ITERATIONS, RHO, RELAXATION, STIFFEST],
    )
    .kind(Kind::Implicit)
    .stiffness(Stiffness::inertia(&STIFFEST))
    .takes(ALL_TABLES)
    .readings(&[RESIDUAL, ITERATIONS_USED, HELD_BACK, RHO_ASSUMED, DIVERGED]),
    step,
};

const RHO: ParamDesc = ParamDesc::number(
    "rho",
    "",
    [0.0, 0.0, 0.9999],
    "Spectral radius of the plain iteration, below 1; 0: estimated in every frame.",
);
const RELAXATION: ParamDesc = ParamDesc::number(
    "relaxation",
    "",
    [0.01, 0.9, 1.0],
    "Relaxation weight: the fraction of each Jacobi step that is taken; below 1 keeps the fastest modes inside the spectral radius.",
);

const RHO_ASSUMED: ReadingDesc = ReadingDesc::new(
    "rho",
    "1",
    "spectral radius that the Chebyshev acceleration assumed in the last substep",
);
const DIVERGED: ReadingDesc = ReadingDesc::new(
    "diverged_at_iteration",
    "1",
    "iteration at which the acceleration was given up in the last frame (the first time); 0: it was not",
);

fn step(sim: &mut Sim) {
    let rho = Some(sim.param(&RHO)).filter(|rho| *rho > 0.0);
    let settings = Settings {
        iterations: sim.count(&ITERATIONS),
        diagonal: Diagonal::Block,
        relaxation: sim.param(&RELAXATION),
        rho,
        chosen: rho.is_some(),
    };
    let outcome = implicit_jacobi::run(sim, settings);
    sim.frame.reading(RHO_ASSUMED, outcome.rho);
    // 0: it did not. Above: a smaller rho or relaxation helps.
    sim.frame.reading(DIVERGED, outcome.diverged.unwrap_or(0) as f32);
}
