//! Newton's method with a sparse Cholesky factor and a line search.
//!
//! The exact second derivative is tried first: near a minimum it is positive definite and the error is squared each
//! time. Where it is not, the projected one (row by row positive semi-definite) gives a direction that goes down.

use glam::DVec3;

use super::{Step, norm};
use weft_engine::elastic::{Factor, Hessian};

/// One iteration, as it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Relative residual, as [`Step::residual`].
    pub residual: f64,
    /// Share of the Newton step that was taken; 0: none was needed or none helped.
    pub taken: f64,
    /// Whether the exact second derivative was positive definite.
    pub exact: bool,
}

/// Why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The residual is below the tolerance.
    Converged,
    /// No part of the step lowers the objective or its gradient any more: round-off of double precision.
    RoundOff,
    /// The iterations were used up.
    Iterations,
}

pub struct Solution {
    /// Positions [m], one row per particle.
    pub x: Vec<DVec3>,
    /// Relative residual there.
    pub residual: f64,
    pub history: Vec<Iteration>,
    pub stop: Stop,
}

/// Armijo's share of the promised decrease.
const DECREASE: f64 = 1e-4;
/// Differences of the objective below this share of it are round-off.
const ROUND_OFF: f64 = 1e-13;

pub(super) fn solve(step: &Step, tolerance: f64, most: usize) -> Result<Solution, String> {
    let system = &step.system;
    let mut x = step.target.clone();
    let mut matrix = system.matrix();
    let mut factor = Factor::new(&matrix)?;
    let mut history: Vec<Iteration> = Vec::new();
    loop {
        let gradient = step.gradient(&x);
        let residual = step.residual(&x);
        let mut iteration = Iteration { residual, taken: 0.0, exact: false };
        let stop = if residual <= tolerance {
            Some(Stop::Converged)
        } else if history.last().is_some_and(|last| last.taken == 0.0) {
            Some(Stop::RoundOff)
        } else if history.len() >= most {
            Some(Stop::Iterations)
        } else {
            None
        };
        if let Some(stop) = stop {
            return Ok(Solution { x, residual, history, stop });
        }
        if !residual.is_finite() {
            return Err(format!("the residual is {residual} after {} iterations", history.len()));
        }
        let mut direction: Vec<DVec3> = gradient.iter().map(|g| -*g).collect();
        step.second(&x, Hessian::Exact, &mut matrix);
        iteration.exact = factor.factor(&matrix);
        if !iteration.exact {
            step.second(&x, Hessian::Projected, &mut matrix);
            if !factor.factor(&matrix) {
                return Err("M/h² + the projected stiffness is not positive definite: a stiffness is negative, not a \
                            number, or larger than double precision bears beside the masses"
                    .into());
            }
        }
        if !factor.solve(&mut direction) {
            return Err("the Newton step is not finite: stiffness and mass differ by too much".into());
        }
        iteration.taken = search(step, &mut x, &gradient, &direction);
        history.push(iteration);
    }
}

/// Goes along `direction` as far as it helps; returns the share of it that was taken.
fn search(step: &Step, x: &mut Vec<DVec3>, gradient: &[DVec3], direction: &[DVec3]) -> f64 {
    let slope: f64 = gradient.iter().zip(direction).map(|(g, d)| g.dot(*d)).sum();
    let (start, start_norm) = (step.objective(x), norm(gradient));
    let mut share = 1.0;
    while share > 1e-12 {
        let mut trial = x.clone();
        for (&i, d) in step.system.free_particles.iter().zip(direction) {
            trial[i as usize] += *d * share;
        }
        let change = step.objective(&trial) - start;
        let lower = change <= DECREASE * share * slope
            // Where the objective is flat to the last digit, its gradient still tells.
            || change.abs() <= ROUND_OFF * start.abs() && norm(&step.gradient(&trial)) < 0.9 * start_norm;
        if lower {
            *x = trial;
            return share;
        }
        share *= 0.5;
    }
    0.0
}
