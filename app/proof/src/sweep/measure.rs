//! One run of a sweep: what its steps cost, and how far off its second half is.

use weft_core::{
    clock::Instant,
    state::{State, StateHash, col},
    statistics::largest,
};
use weft_session::{Options, Session, readings};
use weft_timings::statistics::Summary;

use super::{Cell, Row, SweepOptions, axis};

/// Frames that are not counted: caches and processor clocks settle.
const WARM: u64 = 10;
/// Frame rate below which time is said to be lost [1/s]; a row has no such column.
const BELOW_FPS: f64 = 30.0;
/// By how much a seed moves a particle, along each axis, as a share of the mean length of an edge.
const JITTER: f32 = 1e-3;

/// The row of a cell; one that cannot run, or does not end well, says why.
pub(super) fn one(options: &SweepOptions, cell: &Cell) -> Row {
    let mut row = Row::new(cell, options.frames, options.threads);
    if let Err(why) = measure(options, cell, &mut row) {
        row.failure = why.lines().next().unwrap_or_default().to_string();
    }
    row
}

fn measure(options: &SweepOptions, cell: &Cell, row: &mut Row) -> Result<(), String> {
    let (begin, scene) = (Instant::now(), options.folder.join(&cell.scene));
    let (mut set, mut seed) = (Vec::new(), 0);
    for (path, value) in &cell.set {
        match path.as_str() {
            // Leaves it as the scene, or the solver, has it.
            _ if value == "default" => {}
            axis::RESOLUTION => {
                let particles = axis::whole(path, value)?;
                // What is wrong with a scene that cannot be read, the run says.
                if let Some(scene) = weft_scene::peek(&scene) {
                    set.extend(axis::resolution(&scene, particles)?);
                }
            }
            axis::SEED => seed = axis::whole(path, value)?,
            _ => set.push((path.clone(), value.clone())),
        }
    }
    let session = Options {
        scene,
        solver: Some(cell.solver.clone()),
        set,
        threads: options.threads,
        ..Options::default()
    };
    let mut session = Session::open(session)?;
    if seed > 0 {
        session.edit_run(|run| shake(&mut run.state, u64::from(seed)));
    }
    (row.particles, row.constraints) = session.sizes();
    let left_out = session.run().constraints_left_out();
    if left_out > 0 && left_out >= row.constraints {
        return Err(
            "it has no form of the constraints here and leaves all of them out (`weft solvers`)".into()
        );
    }
    let (mut times, mut typical, mut worst) = (Vec::new(), Vec::new(), Vec::new());
    for frame in 0..options.frames {
        let start = Instant::now();
        let stepped = session.step();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        stepped.map_err(|why| format!("frame {frame}: {why}"))?;
        if frame >= WARM.min(options.frames / 2) {
            times.push(ms);
        }
        if 2 * frame >= options.frames || frame + 1 == options.frames {
            session.measure();
            let reading = |name: &str| {
                let found = readings::find(&session.run().generation, name)?;
                found.of(&session.readings())
            };
            typical.extend(reading("stretch_p95"));
            worst.extend(reading("stretch_max"));
        }
        let seconds = begin.elapsed().as_secs_f64();
        if let Some(limit) = options.limit.filter(|limit| seconds > *limit) {
            return Err(format!("stopped at frame {frame}: the run took longer than {limit} s"));
        }
    }
    let summary = Summary::of(&times, BELOW_FPS).ok_or("no frame was timed: more --frames")?;
    (row.ms_p50, row.ms_p95) = (summary.ms.median, summary.ms.p95);
    (row.ms_mean, row.ms_p99, row.ms_max) = (summary.ms.mean, summary.ms.p99, summary.ms.max);
    row.stutter = 100.0 * summary.stutter_ms / summary.total_ms;
    row.residual = session.run().readings.get("residual").copied().map_or(f64::NAN, f64::from);
    row.energy = session.report().measured().total_energy();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    row.stretch_p95 = if typical.is_empty() { f64::NAN } else { 100.0 * mean(&typical) };
    row.stretch_max = 100.0 * largest(worst);
    row.hash = StateHash::of(&session.run().state).to_string();
    Ok(())
}

/// Moves what is free at the start a little, each particle its own way: how far numbers are chance shows between seeds.
fn shake(state: &mut State, seed: u64) {
    let edges = state.get(col::distance::rest);
    let mean = edges.iter().sum::<f32>() / edges.len().max(1) as f32;
    let reach = if mean > 0.0 { JITTER * mean } else { 1e-5 };
    let mut random = weft_timings::bootstrap::Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    for position in state.get_mut(col::particle::position) {
        let mut by = [0.0; 3].map(|_: f32| reach * (2.0 * random.unit() as f32 - 1.0));
        // The fourth is the inverse mass: what is held stays where it is.
        by = if position[3] > 0.0 { by } else { [0.0; 3] };
        *position = [position[0] + by[0], position[1] + by[1], position[2] + by[2], position[3]];
    }
}
