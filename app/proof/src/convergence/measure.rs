//! The measurement: the same state, the same step, each solver.

use std::time::Instant;

use sim_api::{ParamDesc, ParamKind, SolverDesc};

use super::setup::{Reference, References, Setup};
use weft_core::statistics::quantile;
use weft_engine::run::Run;

use crate::oracle::Place;

/// One solver at one number of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// `None`: the solver has no such parameter.
    pub iterations: Option<u32>,
    /// Median time of the step [ms].
    pub ms: f64,
    /// As [`Step::residual`]; not finite if the step failed.
    pub residual: f64,
    /// Largest distance of a particle from the oracle's [m].
    pub farthest: f64,
    /// RMS of it [m].
    pub rms: f64,
}

/// One solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub solver: String,
    /// The parameter that was turned.
    pub parameter: Option<String>,
    /// Whether the solver is meant to solve this equation at all.
    pub implicit: bool,
    /// Whether that is the one of rods.
    pub rods: bool,
    pub points: Vec<Point>,
    /// What the reader must know.
    pub note: Option<String>,
}

impl Curve {
    pub fn solves(&self) -> &'static str {
        match (self.implicit, self.rods) {
            (true, true) => "implicit Euler of rods",
            (true, false) => "implicit Euler",
            (false, _) => "rigid constraints",
        }
    }
}

/// The outermost number of iterations that a solver has, of those on strands where there is nothing else.
fn iterations(solver: &SolverDesc, has_cloth: bool) -> Option<&ParamDesc> {
    let of_strands = solver.param("strand_iterations").filter(|_| !has_cloth);
    let last = solver.params.as_slice().iter();
    let mut last = last.filter(|p| p.kind == ParamKind::Count && p.name.as_str().ends_with("iterations"));
    of_strands.or_else(|| solver.param("iterations")).or_else(|| last.next())
}

/// One curve for each solver that is not left out.
pub fn curves(
    setup: &Setup,
    references: &References,
    solvers: &[String],
    counts: &[u32],
    repeats: usize,
) -> Result<Vec<Curve>, String> {
    let compared = solvers.iter().filter(|solver| setup.left_out(solver).is_none());
    compared.map(|solver| curve(setup, references, solver, counts, repeats)).collect()
}

fn curve(
    setup: &Setup,
    references: &References,
    name: &str,
    counts: &[u32],
    repeats: usize,
) -> Result<Curve, String> {
    let solver = setup.solver(name).ok_or_else(|| format!("there is no solver `{name}`"))?;
    let reference =
        references.of(setup, solver).ok_or_else(|| format!("there is no reference for `{name}`"))?;
    let turned = iterations(solver, setup.has_cloth());
    let mut run = setup.run(name)?;
    let implicit = solver.reads_compliance();
    let note =
        (!implicit).then(|| "makes rows rigid, whatever their compliance: not this equation".to_string());
    let mut curve = Curve {
        solver: name.into(),
        parameter: turned.map(|p| p.name.to_string()),
        implicit,
        rods: setup.as_rods(solver),
        points: Vec::new(),
        note,
    };
    let Some(turned) = turned else {
        curve.points.push(point(setup, reference, &mut run, None, repeats, &mut curve.note));
        return Ok(curve);
    };
    for &count in counts.iter().filter(|&&count| turned.clamp(count as f32) == count as f32) {
        // Cloth and strands beside it, which some solvers count apart.
        let beside = solver.param("strand_iterations").into_iter();
        for param in beside.chain([turned]) {
            run.params.insert(param.name.to_string(), param.clamp(count as f32));
        }
        let point = point(setup, reference, &mut run, Some(count), repeats, &mut curve.note);
        curve.points.push(point);
    }
    if curve.points.is_empty() {
        curve.note = Some(format!("none of the numbers is within {} to {}", turned.min, turned.max));
    }
    Ok(curve)
}

fn point(
    setup: &Setup,
    reference: &Reference,
    run: &mut Run,
    iterations: Option<u32>,
    repeats: usize,
    note: &mut Option<String>,
) -> Point {
    let mut times: Vec<f32> = Vec::new();
    // The first one is not timed: it fills caches, and solvers that factor a matrix do it then.
    for repeat in 0..=repeats.max(1) {
        setup.restore(run);
        let start = Instant::now();
        if let Err(error) = setup.step_once(run) {
            *note = Some(error.to_string());
            return Point { iterations, ms: f64::NAN, residual: f64::NAN, farthest: f64::NAN, rms: f64::NAN };
        }
        if repeat > 0 {
            times.push(start.elapsed().as_secs_f32() * 1e3);
        }
    }
    times.sort_by(f32::total_cmp);
    let (place, step) = (Place::of(&run.state), reference.step);
    let (farthest, rms) = step.distance(&place.x, &reference.solution.place.x);
    Point { iterations, ms: quantile(&times, 0.5), residual: step.residual(&place), farthest, rms }
}
