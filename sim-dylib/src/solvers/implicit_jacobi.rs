//! Implicit Euler by Jacobi iterations: every particle moves by the inverse of its own block times its residual.
//!
//! What courses teach as "the implicit solver": with `diagonal: magic` it divides by m/h² + 4k, the constant that is safe
//! for four springs a particle and needs luck for twelve. See `implicit/jacobi.rs`.
//!
//! What iterations leave undone is at rest as well: a heavy weight on soft pins hangs where they come to, not where it belongs, and
//! the reading `residual` near 1 is what tells (`tests/tests/topics/at_rest.rs`).

use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    describe::{ALL_TABLES, HELD_BACK, ITERATIONS_USED, RESIDUAL},
    gas,
    implicit::{
        self,
        jacobi::{self, Diagonal, Outcome, Settings},
    },
    momentum,
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "implicit_jacobi",
        "Implicit Euler by Jacobi iterations on the blocks of the diagonal.",
        &[SUBSTEPS, ITERATIONS, DIAGONAL, RELAXATION, STIFFEST],
    )
    .kind(Kind::Implicit)
    .stiffness(Stiffness::inertia(&STIFFEST))
    .takes(ALL_TABLES)
    .readings(&[RESIDUAL, ITERATIONS_USED, HELD_BACK]),
    step,
};

pub(super) const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 12, 10_000], "Iterations in each substep.");
pub(super) const SUBSTEPS: ParamDesc = ParamDesc::count(
    "substeps",
    [1, 8, 500],
    "Steps a frame is cut into; a correction travels one spring an iteration, so several help.",
);
const DIAGONAL: ParamDesc = ParamDesc::choice(
    "diagonal",
    "block|exact|magic",
    "What the residual is divided by: the particle's own 3 x 3 block of the Hessian (block: made safe \
     against springs that turn, with strands anew in every iteration; exact: as it is, anew in every iteration), or the constant \
     m/h² + 4k.",
);
const RELAXATION: ParamDesc = ParamDesc::number(
    "relaxation",
    "",
    [0.01, 1.0, 1.0],
    "Relaxation weight: the fraction of each Jacobi step that is taken.",
);
/// Softer than Newton's: errors of stiff rows take as many iterations to leave as they are stiff.
pub(super) const STIFFEST: ParamDesc = ParamDesc::number(
    "stiffest",
    "",
    [1.0, 500.0, 1e6],
    "Stiffest spring, in units of its lighter end's mass over the substep squared: compliance 0 has no force, so rigid ones get \
     this stiffness.",
);

fn step(sim: &mut Sim) {
    let diagonal = match sim.choice(&DIAGONAL) {
        "exact" => Diagonal::Exact,
        "magic" => Diagonal::Magic,
        _ => Diagonal::Block,
    };
    let settings = Settings {
        iterations: sim.count(&ITERATIONS),
        diagonal,
        relaxation: sim.param(&RELAXATION),
        rho: Some(0.0),
        chosen: false,
    };
    run(sim, settings);
}

/// The whole step; returns what came out of the last substep, and the first divergence of any.
pub(super) fn run(sim: &mut Sim, mut settings: Settings) -> Outcome {
    let (substeps, iterations) = (sim.count(&SUBSTEPS), settings.iterations);
    let stiffness = implicit::prepare(sim, substeps, sim.param(&STIFFEST));
    let mut last = Outcome::default();
    substep::run_undamped(sim, |sim| {
        let outcome = jacobi::solve(&mut implicit::begin(sim, stiffness), &settings);
        settings.rho = match outcome.diverged {
            // One estimate is good for the frame.
            None => Some(outcome.rho),
            // A rho that was chosen is given up for the estimate, and that for smaller ones.
            Some(_) if std::mem::take(&mut settings.chosen) => None,
            Some(_) => Some(outcome.rho * outcome.rho),
        };
        last = Outcome { diverged: last.diverged.or(outcome.diverged), ..outcome };
        implicit::write_tension(sim, stiffness);
        gas::project_after(sim);
        momentum::keep(sim, momentum::Of::All);
    });
    sim.frame.reading(ITERATIONS_USED, (substeps * iterations) as f32);
    sim.frame.reading(RESIDUAL, last.residual as f32);
    last
}
