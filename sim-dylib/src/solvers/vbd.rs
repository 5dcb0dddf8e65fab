//! Vertex block descent: implicit Euler as a minimisation, one particle at a time.
//!
//! Anka He Chen, Ziheng Liu, Yin Yang, Cem Yuksel: Vertex Block Descent, SIGGRAPH 2024 (equation numbers below). A substep
//! minimises G(x) = 1/(2 h²) |x - x~|²_M + E(x) (eq. 2). Each sweep visits every particle, colour by colour, and takes one
//! Newton step in its three coordinates (eq. 8), with the second derivative of each spring kept positive. G falls with
//! every visit, so any number of iterations is stable, but the fewer there are, the slower stiff cloth moves: what is not
//! converged acts as drag. Linear momentum is kept only as far as the iterations converge.
//!
//! A penalty method: a rigid row (compliance 0) becomes a spring of the stiffness `stiffest` allows, for a stiffness
//! without end would freeze the particles where they are.
//!
//! It does not use triangles, hinges, tethers and soft pins.

mod block;
mod descent;
mod residual;

use sim_api::{ParamDesc, SolverDesc};

use super::Solver;
use crate::substep::{self, SUBSTEPS, Sim};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "vbd",
        "Vertex block descent: implicit Euler, one particle at a time, by colours of particles.",
        &[SUBSTEPS, ITERATIONS, STIFFEST, RHO],
    ),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 4, 1000], "Sweeps over all particles in each substep.");
const STIFFEST: ParamDesc = ParamDesc::number(
    "stiffest",
    "",
    [1.0, 1000.0, 1e6],
    "Stiffest spring, in units of m/h². A rigid row gets this; more needs more iterations to move at all.",
);
const RHO: ParamDesc = ParamDesc::number(
    "rho",
    "",
    [0.0, 0.0, 0.9999],
    "Spectral radius that Chebyshev acceleration assumes; 0 is off, too much diverges.",
);

fn step(sim: &mut Sim) {
    let (iterations, rho) = (sim.count(&ITERATIONS), sim.param(&RHO));
    let substeps = sim.count(&SUBSTEPS);
    let h = sim.frame.dt / substeps as f32;
    descent::stiffness(sim, sim.param(&STIFFEST) / (h * h));
    substep::run(sim, |sim| solve(sim, iterations, rho));
    descent::write_forces(sim, sim.param(&STIFFEST) / (h * h));
    sim.frame.reading("iterations", (substeps * iterations) as f32);
}

fn solve(sim: &mut Sim, iterations: usize, rho: f32) {
    // The residual is that of the frame's last substep.
    let last = sim.span[1] >= 1.0;
    descent::take_inertial(sim);
    let before = if last { residual::norm(sim) } else { 0.0 };
    descent::guess(sim);
    let mut omega = 1.0;
    for iteration in 0..iterations {
        descent::sweep(sim);
        if rho > 0.0 && iterations > 1 {
            // Wang 2015, eq. 8; here eq. 18.
            omega = match iteration {
                0 => 1.0,
                1 => 2.0 / (2.0 - rho * rho),
                _ => 4.0 / (4.0 - rho * rho * omega),
            };
            descent::accelerate(sim, iteration, omega);
        }
    }
    if last {
        let share = residual::norm(sim) / before.max(f32::MIN_POSITIVE);
        sim.frame.reading("residual", if before > 0.0 { share } else { 0.0 });
    }
}
