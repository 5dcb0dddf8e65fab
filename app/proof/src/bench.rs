//! `weft bench`: one fixed workload, measured the way other engines' drivers measure it.
//!
//! W(n): n x n particles 0.02 m apart, 1e-4 kg each, two corners pinned, g = 9.81, 60 frames/s, no damping, no contact.
//! Structural, both shear diagonals, skip-one bend; compliance 0 / 1e-3 / 1.0 m/N. A projection is one constraint in
//! one iteration; the time is that of the whole step. The copy that a window keeps to go back to is not made here.

pub mod kind;
pub mod table;

use std::time::Instant;

use serde_json::Value;
use weft_core::{command::CommandError, state::col, statistics::quantile, suggest};
use weft_engine::{
    generation::Generation,
    run::{self, Run, StepInput},
    threads::Threads,
};
use weft_scene::{
    Scene,
    assemble::{self, Assembly, Object},
};
use weft_session::readings::RowsMeter;

use crate::validate::fixture;
use kind::Kind;

pub struct BenchOptions {
    pub n: u32,
    pub kind: Kind,
    pub substeps: u32,
    pub iterations: u32,
    pub threads: usize,
    /// Stop after this many seconds.
    pub budget_secs: f64,
    pub frames: usize,
    pub solver: String,
    /// A choice of the solver's parameter `order`, if it has one.
    pub order: Option<String>,
    /// Other parameters of the solver: names and values.
    pub params: Vec<(String, f32)>,
}

/// Frames before the clock starts.
pub const WARM: usize = 2;

/// The workload as a run with the parameters that are asked for.
pub fn prepare(options: &BenchOptions) -> Result<(Run, Scene), CommandError> {
    prepare_objects(options).map(|(run, scene, _)| (run, scene))
}

/// As [`prepare`], with the cloth's surface.
pub fn prepare_objects(options: &BenchOptions) -> Result<(Run, Scene, Vec<Object>), CommandError> {
    if options.n < 2 {
        return Err(CommandError::Usage(format!(
            "-n {}: at least 2 particles a side, or strands",
            options.n
        )));
    }
    if options.frames <= WARM {
        let (frames, least) = (options.frames, WARM + 1);
        let text = format!("-f {frames}: at least {least} frames, {WARM} of them to warm up");
        return Err(CommandError::Usage(text));
    }
    let known = fixture::all_solvers();
    if !known.contains(&options.solver.as_str()) {
        let why = suggest::unknown("solver", &options.solver, &known);
        return Err(CommandError::Usage(format!("--solver: {why}")));
    }
    let (scene, Assembly { blueprint, objects }) = options.kind.workload(options.n)?;
    let mut run = Run::new(Generation::built_in(), blueprint, &options.solver)?;
    run.description().map_or(Ok(()), |solver| options.kind.check(solver)).map_err(CommandError::Usage)?;
    let counts = [("substeps", options.substeps), ("iterations", options.iterations)];
    // Work is counted by them, so that they have one place.
    if let Some((name, value)) =
        options.params.iter().find(|(name, _)| counts.iter().any(|(own, _)| name == own))
    {
        return Err(CommandError::Usage(format!("--set {name}={value}: give -{} {value}", &name[..1])));
    }
    let counts = counts.map(|(name, value)| (name, value as f32));
    let others = options.params.iter().map(|(name, value)| (name.as_str(), *value));
    for (name, value) in counts.into_iter().chain(others) {
        run.params.insert(name.to_string(), value);
        // What the solver makes of it is what is measured: no silent clamping, no iterations that do not exist.
        match run.param(name) {
            None if value == 1.0 && options.params.iter().all(|(other, _)| other != name) => {}
            Some(used) if used == value => {}
            None => {
                let text = format!("the solver {} has no parameter {name}", options.solver);
                return Err(CommandError::Usage(text));
            }
            Some(used) => {
                let text = format!("{name} {value} is out of range; the nearest is {used}");
                return Err(CommandError::Usage(text));
            }
        }
    }
    if let Some(order) = &options.order {
        let value = order_of(&run, order).map_err(CommandError::Usage)?;
        run.params.insert("order".to_string(), value);
    }
    Ok((run, scene, objects))
}

/// The number of a choice of the parameter `order`.
fn order_of(run: &Run, order: &str) -> Result<f32, String> {
    let param = run.description().and_then(|solver| solver.param("order"));
    let param = param.ok_or_else(|| format!("the solver {} has no parameter order", run.solver))?;
    let choices: Vec<&str> = assemble::choices(param).collect();
    let place = choices.iter().position(|choice| *choice == order);
    place.map(|place| place as f32).ok_or_else(|| format!("--order {order}: one of {}", choices.join(", ")))
}

/// Runs the workload and returns its one line of JSON.
pub fn bench(options: &BenchOptions) -> Result<Value, CommandError> {
    let (mut run, scene) = prepare(options)?;
    let threads = Threads::new(options.threads)?;
    let input = StepInput { guarded: false, ..run::input(&scene, &[]) };
    let mut step = || run.step(&threads, &input).map_err(|error| error.to_string());
    for _ in 0..WARM {
        step()?;
    }
    let (start, cpu_start) = (Instant::now(), cpu_seconds());
    let mut ms = Vec::new();
    while ms.len() + WARM < options.frames
        && (ms.len() < 3 || start.elapsed().as_secs_f64() < options.budget_secs)
    {
        let frame = Instant::now();
        step()?;
        ms.push(frame.elapsed().as_secs_f32() * 1e3);
    }
    let count = ms.len().max(1) as f64;
    let mean = start.elapsed().as_secs_f64() * 1e3 / count;
    let cpu = cpu_seconds().zip(cpu_start).map_or(mean, |(end, start)| (end - start) * 1e3 / count);
    ms.sort_by(f32::total_cmp);

    let constraints = run.state.table(options.kind.constraints()).map_or(0, |table| table.rows);
    let work = constraints as f64 * f64::from(options.substeps) * f64::from(options.iterations);
    let rate = |ms: f64| round(work / ms / 1e3, 2);
    let (median, least) = (quantile(&ms, 0.5), f64::from(ms[0]));
    let stretch = RowsMeter::default().read(&run.state).stretch;
    let positions = run.state.get(col::particle::position);
    let lowest = weft_core::statistics::least(positions.iter().map(|x| x[1]));
    Ok(serde_json::json!({
        "peer": "weft", "solver": options.solver, "kind": options.kind.table(), "n": options.n, "substeps": options.substeps,
        "iters": options.iterations, "threads": threads.count(), "constraints": constraints,
        "frames": ms.len() + WARM, "ms_med": round(median, 4), "ms_min": round(least, 4),
        "ms_mean": round(mean, 4), "cpu_ms": (cpu > 0.0).then(|| round(cpu, 4)), "Mproj_s_med": rate(median),
        "Mproj_s_best": rate(least), "Mproj_s_cpu": rate(cpu),
        "stretch_mean": round(stretch.mean.into(), 5), "stretch_abs": round(stretch.mean_abs.into(), 5),
        "stretch_max": round(stretch.max.into(), 5), "ymin": round(lowest, 3),
    }))
}

pub fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    // A little less than nothing is nothing, without a sign.
    (value * scale).round() / scale + 0.0
}

/// Processor time of this process so far [s]; `None` where the system does not say.
fn cpu_seconds() -> Option<f64> {
    weft_core::child::work(std::process::id()).map(|work| work.seconds)
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(super::round(-1e-7, 5).to_string(), "0");
        assert_eq!(super::round(-0.123_456, 3).to_string(), "-0.123");
    }
}
