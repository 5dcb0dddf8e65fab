//! Newton's method with a sparse Cholesky factor and a line search.
//!
//! The exact second derivative is tried first: near a minimum it is positive definite and the error is squared each
//! time. Where it is not, the projected one (row by row positive semi-definite) gives a direction that goes down.

use glam::DVec3;

use super::{Place, Step};
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
    /// Positions, and frames of rods.
    pub place: Place,
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
    let mut place = step.target.clone();
    let mut matrix = step.matrix();
    let mut factor = Factor::new(&matrix)?;
    let mut history: Vec<Iteration> = Vec::new();
    loop {
        let gradient = step.gradient(&place);
        let residual = step.relative(&gradient);
        let (mut iteration, mut factored) = (Iteration { residual, taken: 0.0, exact: false }, false);
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
            return Ok(Solution { place, residual, history, stop });
        }
        if !residual.is_finite() {
            return Err(format!("the residual is {residual} after {} iterations", history.len()));
        }
        // The exact one first; where it is not positive definite, or so nearly singular that its way does not help, the other.
        for kind in [Hessian::Exact, Hessian::Projected] {
            step.second(&place, kind, &mut matrix);
            if !factor.factor(&matrix) {
                continue;
            }
            let mut direction: Vec<DVec3> = gradient.iter().map(|g| -*g).collect();
            if !factor.solve(&mut direction) {
                return Err("the Newton step is not finite: stiffness and mass differ by too much".into());
            }
            (factored, iteration.exact) = (true, kind == Hessian::Exact);
            iteration.taken = search(step, &mut place, &gradient, &direction);
            if iteration.taken > 0.0 {
                break;
            }
        }
        if !factored {
            return Err(
                "M/h² + the projected stiffness is not positive definite: a stiffness is negative, not a \
                        number, or larger than double precision bears beside the masses"
                    .into(),
            );
        }
        history.push(iteration);
    }
}

/// Goes along `direction` as far as it helps; returns the share of it that was taken.
fn search(step: &Step, place: &mut Place, gradient: &[DVec3], direction: &[DVec3]) -> f64 {
    let slope: f64 = gradient.iter().zip(direction).map(|(g, d)| g.dot(*d)).sum();
    let (start, start_size) = (step.objective(place), step.size(gradient));
    let mut share = 1.0;
    while share > 1e-12 {
        let trial = step.moved(place, direction, share);
        let change = step.objective(&trial) - start;
        let lower = change <= DECREASE * share * slope
            // Where the objective is flat to the last digit, its gradient still tells.
            || change.abs() <= ROUND_OFF * start.abs() && step.size(&step.gradient(&trial)) < 0.9 * start_size;
        if lower {
            *place = trial;
            return share;
        }
        share *= 0.5;
    }
    0.0
}
