//! Vertex block descent: implicit Euler as a minimisation, one particle at a time.
//!
//! Anka He Chen, Ziheng Liu, Yin Yang, Cem Yuksel: Vertex Block Descent, SIGGRAPH 2024 (equation numbers below). A substep
//! minimises G(x) = 1/(2 h²) |x - x~|²_M + E(x) (eq. 2). Each sweep visits every particle, colour by colour, and takes one
//! Newton step in its three coordinates (eq. 8), with the second derivative of each row kept positive. There is no line
//! search. The fewer iterations, the slower stiff cloth moves: what is not converged acts as drag. The iterations keep momentum
//! only as far as they converge: a particle steps against neighbours that have yet to move, so the two ends of a spring get
//! different impulses. Cloth that nothing holds gets it back after them (`momentum.rs`): without, two sweeps lose up to 40 % of what a
//! ball brings to a free sheet, a hundred 0.2 %. What is torn, tethered or held by soft pins does not. What ball and particles
//! give each other is equal to rounding (`tests/tests/topics/bodies.rs`).
//!
//! A penalty method: a rigid row (compliance 0) becomes a spring of the stiffness `stiffest` allows, for a stiffness
//! without end would freeze the particles where they are. Too much of it for the iterations gains energy:
//! 128 x 128 particles measured, one iteration does from a `stiffest` of 30 on, two from 100 on.
//!
//! Springs go eight particles at a time; rows of the other tables one by one, each once for every corner. `stiffest` does not
//! limit triangles and hinges.
//!
//! Strands are rods with frames (`kernels/strands/cosserat.rs`), which Chebyshev's method does not accelerate.
//!
//! Damping, friction and contact are the driver's, after the iterations: what these leave undone in stiff rows sticks. A belt over
//! a round support slides at Coulomb's limit with 100 of them, and not at 1.3 times the limit with 2
//! (`tests/tests/topics/capstan.rs`). What a position's last place loses of one of many sweeps is kept for the next one
//! (`kernels/lanes/lost.rs`).

mod block;
mod descent;
mod rows;
mod system;

use sim_api::{BLOCK, Kind, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    describe::{ALL_TABLES_AND_FRAMES, HELD_BACK, ITERATIONS_USED, RESIDUAL},
    elastic::{
        self, Limits,
        springs::{held_back, shown},
    },
    gas,
    implicit::guess,
    momentum,
    projection::{self, Models},
    strands::{self, cosserat, roots},
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "vbd",
        "Vertex block descent: implicit Euler, one particle at a time, by colours of particles.",
        &[SUBSTEPS, ITERATIONS, STIFFEST, RHO],
    )
    .kind(Kind::Implicit)
    .stiffness(Stiffness::inertia(&STIFFEST))
    .takes(ALL_TABLES_AND_FRAMES)
    .by_particle()
    .readings(&[RESIDUAL, ITERATIONS_USED, HELD_BACK]),
    step,
};

const SUBSTEPS: ParamDesc = ParamDesc::count(
    "substeps",
    [1, 40, 500],
    "Steps a frame is cut into. More substeps: stiffer, less damped, more expensive.",
);
const ITERATIONS: ParamDesc = ParamDesc::count(
    "iterations",
    [1, 2, 1000],
    "Sweeps over all particles in each substep. Few of them let stiff cloth stick to what it should slide on.",
);
const STIFFEST: ParamDesc = ParamDesc::number(
    "stiffest",
    "",
    [1.0, 30.0, 1e6],
    "Stiffest spring, in units of its lighter end's mass over the substep squared. A rigid one gets this; more needs more \
     iterations to move at all.",
);
const RHO: ParamDesc = ParamDesc::number(
    "rho",
    "",
    [0.0, 0.0, 0.9999],
    "Spectral radius that Chebyshev acceleration assumes; 0 is off, too much diverges.",
);

/// Sweeps before acceleration sets in: they smooth what it would amplify (Wang: A Chebyshev Semi-Iterative Approach, 2015,
/// section 4). At least two, for it needs the iterate before the last.
const DELAY: usize = 2;

/// Sweeps of a substep from which on they come so near that the last place of a position loses what they still lack. Fewer leave more
/// than that, and the drag of what is lost brings cloth to rest in which they leave errors that swing.
const MANY: usize = 10;

fn step(sim: &mut Sim) {
    let (substeps, iterations, rho) = (sim.count(&SUBSTEPS), sim.count(&ITERATIONS), sim.param(&RHO));
    let h = sim.frame.dt / substeps as f32;
    let stiffest = shown(sim.param(&STIFFEST), h);
    let held = held_back(&sim.par, &sim.state.distance, sim.state.particle.position, stiffest, h);
    sim.frame.reading(HELD_BACK, held as f32);
    let stiffest = stiffest / (h * h);
    descent::stiffness(sim, stiffest);
    let rods = cosserat::Plan { iterations, stiffest };
    sim.par.fill(sim.state.vertex.lost, [0.0; 4]);
    let lost_within = projection::lost_within(sim, iterations >= MANY);
    substep::run(sim, |sim| {
        solve(sim, (rho, lost_within), rods);
        gas::project_after(sim);
        momentum::keep(sim, momentum::Of::All);
        roots::pull_as_moved(sim);
    });
    guess::keep_touched(&sim.par, &mut sim.state.particle, !sim.state.collider.kind.is_empty());
    descent::write_forces(sim, stiffest);
    let models = Models::of(&sim.par, &sim.state);
    elastic::add_tensions(&mut sim.state, Limits { most: stiffest, models });
    sim.state.segment.spin.fill([0.0; 4]);
    sim.frame.reading(ITERATIONS_USED, (substeps * iterations) as f32);
}

/// `lost_within`: how far from the origin is kept what positions lose of a sweep [m]; 0: nowhere.
fn solve(sim: &mut Sim, (rho, lost_within): (f32, f32), rods: cosserat::Plan) {
    // The residual is that of the frame's last substep.
    let last = sim.span[1] >= 1.0;
    let before = if last { residual(sim, rods) } else { 0.0 };
    let world = &sim.frame.world;
    let since = [sim.span[0] == 0.0, !sim.state.collider.kind.is_empty()];
    guess::all(&sim.par, &mut sim.state.particle, world, sim.h, since);
    if strands::beside_cloth(&sim.state.particle, &sim.state.segment) {
        // What it does to strands, as springs and hinges, is not looked at.
        sweep(sim, rods.iterations, (rho, lost_within), rods.stiffest);
    }
    cosserat::run(sim, rods);
    if last {
        let share = residual(sim, rods) / before.max(f32::MIN_POSITIVE);
        sim.frame.reading(RESIDUAL, share);
    }
}

/// `lost_within` as in [`solve`], `stiffest` [1/s2].
fn sweep(sim: &mut Sim, iterations: usize, (rho, lost_within): (f32, f32), stiffest: f32) {
    let mut omega = 1.0;
    for iteration in 0..iterations {
        system::descend(sim, stiffest, lost_within);
        if rho > 0.0 && iterations > DELAY {
            omega = match iteration {
                ..DELAY => 1.0,
                DELAY => 2.0 / (2.0 - rho * rho),
                _ => 4.0 / (4.0 - rho * rho * omega),
            };
            descent::accelerate(sim, omega);
        }
    }
}

/// |M (x~ - x) + h² f| [kg m] at the present positions: 0 at the minimum of G.
fn residual(sim: &mut Sim, rods: cosserat::Plan) -> f32 {
    if strands::beside_cloth(&sim.state.particle, &sim.state.segment) {
        system::residual(sim, rods.stiffest);
    }
    cosserat::residual(sim, rods);
    let particle = &sim.state.particle;
    // Blocks in order: the same bits for any number of threads.
    let mut sum = 0.0;
    for (left, mass) in particle.force.chunks(BLOCK).zip(particle.mass.chunks(BLOCK)) {
        let mut block = 0.0;
        for (r, m) in left.iter().zip(mass) {
            block += (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) * (m * m);
        }
        sum += block;
    }
    sum.sqrt()
}
