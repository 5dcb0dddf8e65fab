//! PBD with Jacobi iterations: all rows see the same positions, and each particle moves by the average of what its rows
//! want. Converges more slowly than Gauss-Seidel, but needs no colours: the form that suits a GPU.
//!
//! Müller et al.: Position Based Dynamics, 2007. `weight` is the share that the particle's own place has in the average:
//! x' = (sum of what n rows want + weight x) / (n + weight). Averaging does not keep momentum exactly.

use sim_api::{ParamDesc, SolverDesc};

use super::{
    Solver,
    pbd_gauss_seidel::{BEND, SHEAR, STIFFNESS},
    xpbd,
};
use crate::{
    constraints::distance,
    lanes::{self, Kernel, Lanes, Point, Rows, RowsMut, V3},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "pbd_jacobi",
        "Position based dynamics with averaged Jacobi iterations.",
        &[SUBSTEPS, ITERATIONS, STIFFNESS, SHEAR, BEND, WEIGHT],
    ),
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
    let stiffness = [STIFFNESS, SHEAR, BEND].map(|kind| sim.param(&kind));
    write_shares(sim, share);
    substep::run(sim, |sim| solve(sim, iterations, stiffness));
    xpbd::write_forces(sim);
}

/// Puts each particle's share into w of `particle.correction`; once a step.
fn write_shares(sim: &mut Sim, share: impl Fn(f32) -> f32) {
    let correction = &mut *sim.state.particle.correction;
    correction.fill([0.0; 4]);
    for idx in sim.state.distance.idx {
        for &particle in idx {
            correction[particle as usize][3] += 1.0;
        }
    }
    for row in correction {
        row[3] = share(row[3].max(1.0));
    }
}

fn solve(sim: &mut Sim, iterations: usize, stiffness: [f32; 3]) {
    let (particle, distance) = (&mut sim.state.particle, &mut sim.state.distance);
    distance.lambda.fill(0.0);
    for _ in 0..iterations {
        sim.par.rows(particle.correction, |_, rows| {
            rows.iter_mut().for_each(|row| *row = [0.0, 0.0, 0.0, row[3]]);
        });
        let kernel = Average {
            position: particle.position,
            rest: distance.rest,
            kind: distance.kind,
            stiffness,
            lambda: RowsMut::new(distance.lambda),
        };
        lanes::project(&sim.par, distance.colors, distance.idx, particle.correction, &kernel);
        let correction = &*particle.correction;
        sim.par.rows(particle.position, |start, position| {
            for (x, d) in position.iter_mut().zip(&correction[start..]).filter(|(x, _)| x[3] > 0.0) {
                *x = [x[0] + d[0], x[1] + d[1], x[2] + d[2], x[3]];
            }
        });
    }
}

/// Sums what the rows want into `particle.correction`, each end by its share (w there).
struct Average<'a> {
    position: &'a [[f32; 4]],
    rest: &'a [f32],
    kind: &'a [u32],
    stiffness: [f32; 3],
    lambda: RowsMut<'a>,
}

impl Kernel<2> for Average<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [sum_a, sum_b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (a, b) = (rows.fetch::<L>(self.position, 0), rows.fetch::<L>(self.position, 1));
        let k: L = rows.map(self.kind, |kind| self.stiffness[kind.min(2) as usize]);
        let (da, db, change) = distance::project_stiff((a.x, a.w), (b.x, b.w), rows.load(self.rest), k);
        let mean_share = (sum_a.w + sum_b.w) * L::from_f32(0.5);
        self.lambda.store(rows, self.lambda.load::<L, 2>(rows) + change * mean_share);
        [da * sum_a.w, db * sum_b.w]
    }
}
