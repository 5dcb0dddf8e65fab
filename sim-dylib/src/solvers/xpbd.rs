//! XPBD: extended position based dynamics, Gauss-Seidel or Jacobi, on all tables.
//!
//! Macklin, Müller, Chentanez: XPBD: Position-Based Simulation of Compliant Constrained Dynamics, 2016.
//! One iteration and many substeps is the efficient setting (Small Steps, 2019). Stiffness comes from the rows
//! alone: it does not depend on the number of iterations, because lambda is kept over them.

mod rows;

use sim_api::{ParamDesc, SolverDesc};

use self::rows::{Compliant, Time};
use super::Solver;
use crate::{
    projection::{self, Models, PATCH, Residual, Share},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "xpbd",
        "Extended position based dynamics: compliance in m/N, coloured Gauss-Seidel.",
        &[SUBSTEPS, ITERATIONS, DAMPING, ORDER],
    ),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 1, 1000], "Sweeps over all rows in each substep.");
const DAMPING: ParamDesc = ParamDesc::number(
    "damping",
    "s",
    [0.0, 0.0, 1.0],
    "Internal damping of every row as a time (eq. 26): the row pulls with k (C + damping dC/dt). A rigid row then takes \
     its error back over this time.",
);
const ORDER: ParamDesc = ParamDesc::choice(
    "order",
    "coloured|jacobi|patch",
    "coloured: Gauss-Seidel, converges fastest. jacobi: all rows at once, each gives a share. patch: Gauss-Seidel \
     inside runs of 1,024 particles, Jacobi across them. The last two are what a GPU does.",
);

#[derive(Clone, Copy)]
struct Plan {
    iterations: usize,
    /// [s]
    damping: f32,
    order: Order,
    models: Models,
}

#[derive(Clone, Copy)]
enum Order {
    Coloured,
    Jacobi,
    Patch,
}

fn step(sim: &mut Sim) {
    let order = match sim.choice(&ORDER) {
        "jacobi" => Order::Jacobi,
        "patch" => Order::Patch,
        _ => Order::Coloured,
    };
    let (iterations, damping) = (sim.count(&ITERATIONS), sim.param(&DAMPING));
    let plan = Plan { iterations, damping, order, models: Models::of(&sim.state) };
    match order {
        Order::Coloured => {}
        Order::Jacobi => write_shares(sim, u32::MAX),
        Order::Patch => write_shares(sim, PATCH),
    }
    substep::run(sim, |sim| solve(sim, plan));
    write_forces(sim);
    sim.frame.reading("iterations", (iterations * sim.count(&SUBSTEPS)) as f32);
}

/// Puts what each particle allows its rows into w of `particle.correction`: 1 over their number.
fn write_shares(sim: &mut Sim, patch: u32) {
    projection::count_rows(&mut sim.state, patch);
    let particle = &mut sim.state.particle;
    for (row, x) in particle.correction.iter_mut().zip(&*particle.position) {
        // What does not move gives way to all.
        row[3] = if x[3] > 0.0 { 1.0 / row[3] } else { 1.0 };
    }
}

fn solve(sim: &mut Sim, plan: Plan) {
    let state = &mut sim.state;
    projection::gather_anchors(&sim.par, &mut state.tether, state.particle.position);
    state.distance.lambda.fill(0.0);
    state.triangle.lambda.fill([0.0; 4]);
    state.hinge.lambda.fill([0.0; 4]);
    state.tether.lambda.fill(0.0);
    state.attachment.lambda.fill([0.0; 4]);
    let residual = Residual::start(sim, true);
    let (par, state) = (&sim.par, &mut sim.state);
    let time = Time { h: sim.h, damping: plan.damping, previous: state.particle.previous };
    let family = Compliant::new(
        time,
        plan.models,
        &mut state.distance,
        &mut state.triangle,
        &mut state.hinge,
        &mut state.tether,
        &mut state.attachment,
    );
    let (position, correction) = (&mut *state.particle.position, &mut *state.particle.correction);
    for _ in 0..plan.iterations {
        match plan.order {
            Order::Coloured => projection::coloured(par, position, &family),
            Order::Jacobi => projection::averaged(par, position, correction, Share::OfRow, &family),
            Order::Patch => projection::patches(par, position, correction, &family),
        }
    }
    if let Some(residual) = residual {
        residual.end(sim);
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
