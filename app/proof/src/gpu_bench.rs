//! `weft bench --path gpu`: the fixed workload of [`crate::bench`] on an adapter, by the device's own clock.
//!
//! Bandwidth is what the passes cannot do without: every column that a pass binds once a dispatch, neighbours taken as
//! found in a cache. It is set against a kernel that copies, measured in the same run.

use serde_json::Value;
use std::time::Instant;

use weft_core::{
    command::CommandError,
    state::col,
    statistics::{self, Summary, quantile},
};
use weft_engine::run::{self, StepInput};
use weft_gpu::{
    GpuOptions, GpuRun, Sources,
    bandwidth::{copy_gb_s, least_traffic},
};
use weft_session::readings::RowsMeter;

use crate::bench::{BenchOptions, WARM, prepare, round};

/// Runs the workload and returns its one line of JSON.
pub fn bench(options: &BenchOptions, on: &GpuOptions) -> Result<Value, CommandError> {
    let (mut run, scene) = prepare(options)?;
    let input = StepInput { guarded: false, ..run::input(&scene, &[]) };
    let mut gpu = GpuRun::open(on, &mut run, &input)?;
    gpu.looked = false;
    let clock = if gpu.gpu.times_passes() { "device" } else { "wall" };
    let (mut ms, mut wall) = (Vec::new(), Vec::new());
    let mut start = Instant::now();
    while ms.len() < options.frames
        && (ms.len() < WARM + 3 || start.elapsed().as_secs_f64() < options.budget_secs)
    {
        if ms.len() == WARM {
            start = Instant::now();
        }
        let frame = Instant::now();
        gpu.step(&mut run, &input).map_err(|error| error.to_string())?;
        let waited = frame.elapsed().as_secs_f32() * 1e3;
        ms.push(gpu.frame_ms.unwrap_or(waited));
        wall.push(waited);
    }
    let frames = ms.len();
    ms.drain(..WARM.min(frames));
    wall.drain(..WARM.min(frames));
    for ms in [&mut ms, &mut wall] {
        ms.sort_by(f32::total_cmp);
    }
    gpu.fetch(&mut run)?;
    let not_finite = run.not_finite().map(|error| error.to_string());
    let stretch = RowsMeter::default().read(&run.state).stretch;
    let positions = run.state.get(col::particle::position);
    let lowest = statistics::least(positions.iter().map(|x| x[1]));

    let constraints = gpu.rows(options.kind.constraints());
    let work = constraints as f64 * f64::from(options.substeps) * f64::from(options.iterations);
    let (median, least) = (quantile(&ms, 0.5), f64::from(ms[0]));
    let bytes = least_traffic(&gpu, [options.substeps, options.iterations]);
    let copy = copy_gb_s(&gpu.gpu, &Sources::find()?, gpu.rows("particle") as u64)?;
    let gb_s = bytes / median * 1e-6;
    // After all else: marks between dispatches cost time.
    gpu.profile = true;
    gpu.step(&mut run, &input).map_err(|error| error.to_string())?;
    Ok(serde_json::json!({
        "peer": "weft", "path": "gpu", "adapter": gpu.gpu.info.name, "solver": options.solver, "passes": gpu.list.name,
        "kind": options.kind.table(), "n": options.n, "substeps": options.substeps, "iters": options.iterations, "constraints": constraints,
        "frames": frames, "clock": clock, "ms_med": round(median, 4), "ms_min": round(least, 4),
        "wall_ms_med": round(quantile(&wall, 0.5), 4),
        "Mproj_s_med": round(work / median / 1e3, 2), "gb_s": round(gb_s, 1), "copy_gb_s": round(copy, 1),
        "share_of_copy": round(gb_s / copy, 3), "stretch_mean": round(stretch.mean.into(), 5),
        "stretch_abs": round(stretch.mean_abs.into(), 5), "stretch_p95": round(stretch.p95.into(), 5),
        "stretch_max": round(stretch.max.into(), 5), "ymin": round(lowest, 3), "not_finite": not_finite,
        "gpu": gpu.json(Summary::of(ms.iter().copied())),
    }))
}
