//! Projective dynamics: implicit Euler by a matrix that stays the same, so it is factored once.
//!
//! Bouaziz et al.: Projective Dynamics, 2014; Liu et al.: Fast Simulation of Mass-Spring Systems, 2013.
//! A substep of h seconds minimises E(x) = |x - x~|²_M / 2h² + sum of k/2 |D x - p(x)|², where x~ is where inertia alone
//! goes, D x is a difference (or a weighted sum) of particles and p(x) the nearest value of it without energy: for a
//! distance row the rest length in the present direction. With A = M/h² + sum of k Dᵀ D, one iteration
//! (local step p, global step A x' = M/h² x~ + sum of k Dᵀ p) is the same as
//! ```text
//! x' = x - A⁻¹ grad E(x)
//! ```
//! (Liu, Bouaziz, Kavan: Quasi-Newton Methods for Real-Time Simulation of Hyperelastic Materials, 2017), which is what
//! runs here: the residual is at hand, and the factor may be rounded without moving the solution.
//!
//! A counts the stiffness of a spring in all directions, but across it a spring hardly resists: plain iterations are
//! slow and lose much energy. `acceleration` therefore takes A⁻¹ as the preconditioner of a conjugate gradient search.
//!
//! The host factors A and keeps it: another mass, pin, hold, step or stiffness makes it factor again, nothing else.
//! A rigid row (compliance 0) is a spring of `stiffest` m/h²: stiffer rows need more iterations, softer ones stretch.
//! Triangles and dihedral hinges are no squares: their rows of A bound them at rest (`matrix.rs`), their forces are those of
//! their energies, so what is converged to is right; far from rest only `acceleration` keeps the step length safe.

mod forces;
mod matrix;
mod product;
mod search;

use std::cell::Cell;

use search::Search;
use sim_api::{Factored, Kind, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    describe::{ALL_TABLES, HELD_BACK, ITERATIONS_USED, RESIDUAL},
    elastic::{
        self, Limits,
        springs::{self, Springs, held_back, shown},
    },
    gas, momentum,
    projection::Models,
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "projective_dynamics",
        "Implicit Euler by local projections and one factored matrix: stiff cloth in few, equal steps.",
        &[SUBSTEPS, ITERATIONS, STIFFEST, ACCELERATION],
    )
    .kind(Kind::Implicit)
    .stiffness(Stiffness::inertia(&STIFFEST))
    .takes(ALL_TABLES)
    .readings(&[RESIDUAL, ITERATIONS_USED, HELD_BACK]),
    step,
};

const SUBSTEPS: ParamDesc = ParamDesc::count(
    "substeps",
    [1, 5, 500],
    "Steps a frame is cut into. Fewer lose more energy; each costs its iterations.",
);
const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 5, 1000], "Local and global steps in each substep.");
const STIFFEST: ParamDesc = ParamDesc::number(
    "stiffest",
    "",
    [1.0, 1000.0, 1e6],
    "Stiffness of rigid constraints in units of m/h² (m: the lighter end, h: the substep). Softer ones keep their own.",
);

const ACCELERATION: ParamDesc = ParamDesc::choice(
    "acceleration",
    "conjugate_gradient|none",
    "conjugate_gradient: about a third of the iterations for the same residual, each half as long again.",
);

fn step(sim: &mut Sim) {
    let (substeps, iterations) = (sim.count(&SUBSTEPS), sim.count(&ITERATIONS));
    let h = sim.frame.dt / substeps as f32;
    let stiffest = shown(sim.param(&STIFFEST), h);
    let held = held_back(&sim.par, &sim.state.distance, sim.state.particle.position, stiffest, h);
    sim.frame.reading(HELD_BACK, held as f32);
    if matrix::make(sim, h, stiffest) == Factored::Refused {
        return;
    }
    sim.frame.stage("factor");
    let residual = Cell::new([0.0; 2]);
    let limits = Limits { most: stiffest / (h * h), models: Models::of(&sim.par, &sim.state) };
    substep::run(sim, |sim| {
        residual.set(solve(sim, iterations, limits));
        gas::project_after(sim);
        momentum::keep(sim, momentum::Of::Balloons);
    });
    let [first, last] = residual.get();
    sim.frame.reading(ITERATIONS_USED, iterations as f32);
    sim.frame.reading(RESIDUAL, last / first.max(f32::MIN_POSITIVE));
}

/// |grad E| of the free particles [N] where inertia alone goes, and after all iterations; the latter only in the last
/// substep, else 0.
fn solve(sim: &mut Sim, iterations: usize, limits: Limits) -> [f32; 2] {
    let last = sim.span[1] >= 1.0;
    let mut search = Search::new(sim.choice(&ACCELERATION) == "conjugate_gradient");
    let mut residual = [0.0; 2];
    for iteration in 0..iterations {
        forces::evaluate(sim, limits);
        if last && iteration == 0 {
            residual[0] = norm(sim);
        }
        sim.frame.stage("local");
        search.advance(sim, limits);
    }
    if last {
        forces::evaluate(sim, limits);
        let (x, distance) = (&*sim.state.particle.position, &mut sim.state.distance);
        let springs = Springs { rest: distance.rest, stiffness: distance.used };
        springs::tension(&sim.par, distance.idx, &springs, x, distance.force);
        elastic::add_tensions(&mut sim.state, limits);
        residual[1] = norm(sim);
    }
    residual
}

/// Length of `particle.force` over the free particles.
fn norm(sim: &Sim) -> f32 {
    let (force, diagonal) = (&*sim.state.particle.force, &*sim.state.particle.own_stiffness);
    let [squared] = sim.par.sums(force.len(), |rows| {
        let mut squared = 0.0;
        for i in rows {
            if diagonal[i] > 0.0 {
                squared += product::dot(force[i], force[i]);
            }
        }
        [squared]
    });
    squared.sqrt() as f32
}
