//! PBD with Jacobi iterations: all rows see the same positions, and each particle moves by the average of what its rows
//! want. Converges more slowly than Gauss-Seidel, but needs no colours: the form that suits a GPU.
//!
//! Müller et al.: Position Based Dynamics, 2007. `weight` is the share that the particle's own place has in the average:
//! x' = (sum of what n rows want + weight x) / (n + weight). All corners of a row move by the least of their shares, so
//! that the row gives no momentum (`projection::averaged`).

use sim_api::{Kind, Mapped, ParamDesc, SolverDesc, Stiffness};

use super::{
    Solver,
    pbd_gauss_seidel::{self, BEND, SHEAR, STIFFNESS},
};
use crate::{
    coarse,
    collide::plane::{self, planes},
    constraints::{Tables, multipliers},
    describe::{ALL_AND_COARSE, ITERATIONS_USED, RESIDUAL},
    gas::gas,
    lanes::lost::Lost,
    momentum,
    projection::{self, Constraints, Count, Method, Models, Sweep},
    strands::roots::roots,
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "pbd_jacobi",
        "Position based dynamics with averaged Jacobi iterations.",
        &[SUBSTEPS, ITERATIONS, STIFFNESS, SHEAR, BEND, WEIGHT, coarse::SWEEPS],
    )
    .kind(Kind::Projection)
    .stiffness(Stiffness::Geometric)
    .takes(ALL_AND_COARSE)
    .readings(&[RESIDUAL, ITERATIONS_USED]),
    step,
};

pub(super) const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 10, 1000], "Jacobi iterations in each substep.");
const WEIGHT: ParamDesc =
    ParamDesc::number("weight", "", [0.0, 0.2, 10.0], "Weight of a particle's own place in the average.");

fn step(sim: &mut Sim) {
    let weight = sim.param(&WEIGHT);
    run(sim, |rows| 1.0 / (rows + weight));
}

/// The whole step; `share` of its number of rows is what a particle moves by of the sum that the rows want.
pub(super) fn run(sim: &mut Sim, share: impl Fn(f32) -> f32) {
    let iterations = sim.count(&ITERATIONS);
    let shares = [STIFFNESS, SHEAR, BEND].mapped(|kind| sim.param(&kind));
    write_shares(sim, share);
    let models = Models::of(&sim.par, &sim.state);
    let keeps_lost = projection::keeps_lost(sim, iterations);
    substep::run(sim, |sim| {
        plane::find(sim);
        let last = sim.in_last_substep();
        let residual = pbd_gauss_seidel::begin(sim);
        let (tables, state) = (Tables::of(&sim.state), &mut sim.state);
        let mut planes = planes!(state);
        let mut gas = gas!(state);
        let mut roots = roots!(state);
        gas.begin();
        let mut constraints = Constraints {
            method: Method::Rigid { shares, keeps_lambda: last },
            models,
            tables,
            multipliers: multipliers!(state),
            still: state.particle.inertial,
        };
        let (position, correction) = (&mut *state.particle.position, &mut *state.particle.correction);
        let mut lost = keeps_lost.then(|| Lost::new(state.particle.lost, sim.h));
        for _ in 0..iterations {
            planes.hold(&sim.par, position);
            roots.follow(&sim.par, position);
            let each = &mut |sweep: &mut Sweep| constraints.project(sweep);
            projection::averaged(&sim.par, position, correction, &mut lost, each);
            gas.project(&sim.par, position, 0.0);
        }
        if let Some(residual) = residual {
            residual.end(sim);
        }
        momentum::keep(sim, momentum::Of::All);
    });
    pbd_gauss_seidel::end(sim, iterations);
}

/// Puts each particle's share into w of `particle.correction`; once a step.
fn write_shares(sim: &mut Sim, share: impl Fn(f32) -> f32) {
    projection::count_rows(&sim.par, &mut sim.state, u32::MAX, Count::Equal);
    let particle = &mut sim.state.particle;
    for (row, x) in particle.correction.iter_mut().zip(&*particle.position) {
        // What does not move gives way to all.
        row[3] = if x[3] > 0.0 { share(row[3]) } else { f32::MAX };
    }
}
