//! XPBD: extended position based dynamics, coloured Gauss-Seidel.
//!
//! Macklin, Müller, Chentanez: XPBD: Position-Based Simulation of Compliant Constrained Dynamics, 2016.
//! One iteration and many substeps is the efficient setting (Small Steps, 2019). Stiffness comes from the compliance
//! [m/N] alone: it does not depend on the number of iterations, because lambda is kept over them.

use sim_api::{ParamDesc, SolverDesc};

use super::Solver;
use crate::{
    constraints::distance,
    lanes::{self, Kernel, Lanes, Point, Rows, RowsMut, V3},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "xpbd",
        "Extended position based dynamics: compliance in m/N, coloured Gauss-Seidel.",
        &[SUBSTEPS, ITERATIONS],
    ),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 1, 1000], "Gauss-Seidel sweeps in each substep.");

fn step(sim: &mut Sim) {
    let iterations = sim.count(&ITERATIONS);
    substep::run(sim, |sim| solve(sim, iterations));
    write_forces(sim);
}

fn solve(sim: &mut Sim, iterations: usize) {
    let (particle, distance) = (&mut sim.state.particle, &mut sim.state.distance);
    distance.lambda.fill(0.0);
    let kernel = Projection {
        rest: distance.rest,
        compliance: distance.compliance,
        lambda: RowsMut::new(distance.lambda),
        per_h2: 1.0 / (sim.h * sim.h),
    };
    for _ in 0..iterations {
        lanes::project(&sim.par, distance.colors, distance.idx, particle.position, &kernel);
    }
}

struct Projection<'a> {
    rest: &'a [f32],
    compliance: &'a [f32],
    lambda: RowsMut<'a>,
    /// 1/h² [1/s2]
    per_h2: f32,
}

impl Kernel<2> for Projection<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (rest, compliance) = (rows.load(self.rest), rows.load::<L>(self.compliance));
        let lambda: L = self.lambda.load(rows);
        let alpha = compliance * L::from_f32(self.per_h2);
        let (da, db, change) = distance::project((a.x, a.w), (b.x, b.w), rest, alpha, lambda);
        self.lambda.store(rows, lambda + change);
        [da, db]
    }
}

/// Tension of each row [N]: lambda is an impulse times h, negative in tension.
pub(super) fn write_forces(sim: &mut Sim) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let distance = &mut sim.state.distance;
    let lambda = &*distance.lambda;
    sim.par.rows(distance.force, |start, force| {
        for (force, lambda) in force.iter_mut().zip(&lambda[start..]) {
            *force = -lambda * per_h2;
        }
    });
}
