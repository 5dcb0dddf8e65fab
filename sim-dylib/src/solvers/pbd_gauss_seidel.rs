//! PBD: position based dynamics with a stiffness between 0 and 1, coloured Gauss-Seidel, on all tables.
//!
//! Müller, Heidelberger, Hennix, Ratcliff: Position Based Dynamics, 2007. What `stiffness` feels like depends on the
//! iterations and the step: that is the method's known flaw, and the reason for XPBD. Compliances, moduli and bending
//! stiffnesses of the rows are ignored; tethers and soft pins are rigid.

use sim_api::{Kind, Mapped, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    coarse,
    collide::plane::{self, planes},
    constraints::{Tables, multipliers},
    describe::{ALL_AND_COARSE, ITERATIONS_USED, RESIDUAL},
    gas::gas,
    lanes::{Columns, lost::Lost},
    momentum,
    projection::{self, Constraints, Method, Models, Residual, Sweep},
    strands::roots::roots,
    substep::{self, SUBSTEPS, Sim, Turn},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "pbd_gauss_seidel",
        "Position based dynamics: stiffness 0 to 1, depends on iterations and step.",
        &[SUBSTEPS, ITERATIONS, STIFFNESS, SHEAR, BEND, coarse::SWEEPS],
    )
    .kind(Kind::Projection)
    .stiffness(Stiffness::Geometric)
    .takes(ALL_AND_COARSE)
    .readings(&[RESIDUAL, ITERATIONS_USED]),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 4, 1000], "Gauss-Seidel sweeps in each substep.");
pub(super) const STIFFNESS: ParamDesc = ParamDesc::number(
    "stiffness",
    "",
    [0.0, 1.0, 1.0],
    "Fraction of the error that one projection removes, of structural springs and of the stretch or area of triangles.",
);
pub(super) const SHEAR: ParamDesc =
    ParamDesc::number("shear", "", [0.0, 0.8, 1.0], "The same for shear springs and the shear of triangles.");
pub(super) const BEND: ParamDesc = ParamDesc::number(
    "bend",
    "",
    [0.0, 0.05, 1.0],
    "The same for bend springs and hinges. How stiff all three make a cloth depends on how fine it is.",
);

fn step(sim: &mut Sim) {
    let (iterations, models) = (sim.count(&ITERATIONS), Models::of(&sim.par, &sim.state));
    let shares = [STIFFNESS, SHEAR, BEND].mapped(|kind| sim.param(&kind));
    let keeps_lost = projection::keeps_lost(sim, iterations);
    let pulls = !keeps_lost && projection::only_lengths(&sim.state, models);
    substep::run_in_columns(sim, pulls, |sim| {
        plane::find(sim);
        let last = sim.in_last_substep();
        let residual = begin(sim);
        let turn = Turn::take(sim);
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
        let turn = turn.map(|turn| turn.in_air(state.particle.normal, state.particle.air));
        let mut columns = Columns::new(&mut state.particle.columns, &state.stride)
            .stay(sim.positions, turn.as_ref().map(|turn| turn as _));
        let mut lost = keeps_lost.then(|| Lost::new(state.particle.lost, sim.h));
        for _ in 0..iterations {
            planes.hold(&sim.par, state.particle.position);
            roots.follow(&sim.par, state.particle.position);
            let each = &mut |sweep: &mut Sweep| constraints.project(sweep);
            projection::coloured(&sim.par, state.particle.position, &mut columns, &mut lost, each);
            gas.project(&sim.par, state.particle.position, 0.0);
        }
        if let Some(residual) = residual {
            residual.end(sim);
        }
        momentum::keep(sim, momentum::Of::Balloons);
    });
    end(sim, iterations);
}

/// Before the first iteration of a substep.
pub(super) fn begin(sim: &mut Sim) -> Option<Residual> {
    if sim.in_last_substep() {
        sim.par.fill(sim.state.distance.multipliers.lambda, 0.0);
    }
    let residual = Residual::start(sim, false);
    coarse::correct(sim, false);
    residual
}

/// After the last substep.
pub(super) fn end(sim: &mut Sim, iterations: usize) {
    projection::write_forces(sim);
    sim.frame.reading(ITERATIONS_USED, (iterations * sim.count(&SUBSTEPS)) as f32);
}
