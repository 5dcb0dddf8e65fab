//! PBD: position based dynamics with a stiffness between 0 and 1, coloured Gauss-Seidel.
//!
//! Müller, Heidelberger, Hennix, Ratcliff: Position Based Dynamics, 2007. What `stiffness` feels like depends on the
//! iterations and the step: that is the method's known flaw, and the reason for XPBD. Compliances are ignored.

use sim_api::{ParamDesc, SolverDesc};

use super::{Solver, xpbd};
use crate::{
    constraints::distance,
    lanes::{self, Kernel, Lanes, Point, Rows, RowsMut, V3},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "pbd_gauss_seidel",
        "Position based dynamics: stiffness 0 to 1, depends on iterations and step.",
        &[SUBSTEPS, ITERATIONS, STIFFNESS, SHEAR, BEND],
    ),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 4, 1000], "Gauss-Seidel sweeps in each substep.");
pub(super) const STIFFNESS: ParamDesc = ParamDesc::number(
    "stiffness",
    "",
    [0.0, 1.0, 1.0],
    "Share of a structural row's error that one projection removes.",
);
pub(super) const SHEAR: ParamDesc =
    ParamDesc::number("shear", "", [0.0, 0.8, 1.0], "The same for shear rows.");
pub(super) const BEND: ParamDesc = ParamDesc::number("bend", "", [0.0, 0.05, 1.0], "The same for bend rows.");

fn step(sim: &mut Sim) {
    let iterations = sim.count(&ITERATIONS);
    let stiffness = [STIFFNESS, SHEAR, BEND].map(|kind| sim.param(&kind));
    substep::run(sim, |sim| solve(sim, iterations, stiffness));
    xpbd::write_forces(sim);
}

/// `stiffness` by kind: structural, shear, bend.
fn solve(sim: &mut Sim, iterations: usize, stiffness: [f32; 3]) {
    let (particle, distance) = (&mut sim.state.particle, &mut sim.state.distance);
    distance.lambda.fill(0.0);
    let lambda = RowsMut::new(distance.lambda);
    let kernel = Projection { rest: distance.rest, kind: distance.kind, stiffness, lambda };
    for _ in 0..iterations {
        lanes::project(&sim.par, distance.colors, distance.idx, particle.position, &kernel);
    }
}

struct Projection<'a> {
    rest: &'a [f32],
    kind: &'a [u32],
    stiffness: [f32; 3],
    lambda: RowsMut<'a>,
}

impl Kernel<2> for Projection<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let rest = rows.load(self.rest);
        let k: L = rows.map(self.kind, |kind| self.stiffness[kind.min(2) as usize]);
        let (da, db, change) = distance::project_stiff((a.x, a.w), (b.x, b.w), rest, k);
        self.lambda.store(rows, self.lambda.load::<L, 2>(rows) + change);
        [da, db]
    }
}
