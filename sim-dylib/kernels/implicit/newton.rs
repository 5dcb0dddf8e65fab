//! Newton's method with a line search: each round solves the linearised step by conjugate gradients.

use super::{Step, assemble, cg, contact, guess, objective, residual};
use crate::lanes::{V3, lost};

/// When a solve is good enough.
pub struct Limits {
    /// Rounds of Newton's method.
    pub rounds: usize,
    /// Residual at which it stops, as a share of the residual at the start.
    pub tolerance: f32,
    /// Iterations of the conjugate gradients in each round, and the share of the residual they leave.
    pub cg: usize,
    pub cg_tolerance: f32,
}

/// What a solve took.
#[derive(Default)]
pub struct Effort {
    pub rounds: usize,
    pub cg: usize,
    /// Residual at the end as a share of that where inertia alone leads.
    pub residual: f64,
    /// Something touched a collider on the way.
    pub touching: bool,
}

/// Brings the positions to the minimum from where they are; `particle.inertial` is filled.
pub fn solve(step: &mut Step, limits: &Limits) -> Effort {
    contact::meet(step);
    let touching = contact::look(step);
    let mut effort = Effort { touching, ..Effort::default() };
    let start = residual(step);
    if start == 0.0 {
        return effort;
    }
    let mut left = start;
    if touching {
        guess::rest(step);
        left = residual(step);
    }
    let mut value = objective(step);
    let goal = f64::from(limits.tolerance * limits.tolerance);
    while effort.rounds < limits.rounds && left > goal * start {
        assemble(step, false, 0.0);
        effort.cg += cg::solve(step, limits.cg, limits.cg_tolerance);
        effort.rounds += 1;
        let Some(lower) = search_line(step, value) else {
            // Round-off: no step along this direction leads down any more.
            left = residual(step);
            break;
        };
        // Friction of the forces that hold now: another potential, so it is measured anew.
        let touching = contact::look(step);
        effort.touching |= touching;
        value = if touching { objective(step) } else { lower };
        left = residual(step);
    }
    effort.residual = (left / start).sqrt();
    effort
}

/// Goes the whole way of `particle.implicit.delta`, or half as far until the objective falls; returns its new value.
fn search_line(step: &mut Step, before: f64) -> Option<f64> {
    /// Halvings before the direction is given up.
    const HALVINGS: i32 = 10;
    // Sums of single precision differ by this much for the same state.
    let noise = 1e-6 * before.abs();
    let mut gone = 0.0;
    for halving in 0..HALVINGS {
        let share = 0.5_f32.powi(halving);
        go(step, share - gone);
        gone = share;
        let value = objective(step);
        if value <= before + noise {
            return Some(value);
        }
    }
    go(step, -gone);
    None
}

/// x += share delta. What positions lose of it goes along next time where substeps are very short.
pub fn go(step: &mut Step, share: f32) {
    let (within, particle) = (step.lost_within, &mut step.state.particle);
    let delta = &*particle.implicit.delta;
    step.par.rows2(particle.position, particle.lost, |start, position, lost| {
        for ((x, lost), d) in position.iter_mut().zip(lost).zip(&delta[start..]) {
            lost::go_row(x, V3::from_row(*d) * share, lost, within);
        }
    });
}
