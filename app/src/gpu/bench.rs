//! `weft bench --path gpu`: the fixed workload of [`crate::bench`] on an adapter, by the device's own clock.
//!
//! Bandwidth is what the passes cannot do without: every column that a pass binds once a dispatch, neighbours taken as
//! found in a cache. It is set against a kernel that copies, measured in the same run.

use std::{collections::HashMap, time::Instant};

use sim_api::Element;
use wgpu::{CommandEncoderDescriptor, ComputePassDescriptor};

use super::{
    Gpu, GpuOptions, GpuRun, Sources,
    buffers::Buffers,
    columns::{ColumnInfo, Columns, Origin},
    compose::Scope,
    frame::{Recorder, Score, TableRows},
    passes::{List, Node},
    program::Program,
    timing::Timer,
    values::STILL,
};
use crate::{
    assemble,
    bench::{BenchOptions, WARM, prepare, round},
    readings::RowsMeter,
    record::percentile,
    run::StepInput,
};

/// Least rows of the column that is copied: more than caches hold.
const COPY_ROWS: u64 = 1 << 23;
/// Copies in one measurement, and measurements.
const COPIES: usize = 10;
const MEASUREMENTS: usize = 7;

/// Runs the workload and returns its one line of JSON.
pub fn bench(options: &BenchOptions, on: &GpuOptions) -> Result<String, String> {
    let (mut run, scene) = prepare(options)?;
    let input = StepInput { guarded: false, ..assemble::input(&scene, &[]) };
    let mut gpu = GpuRun::open(on, &run, &input)?;
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
    let positions = run.state.column::<[f32; 4]>("particle", "position");
    let lowest = positions.iter().map(|x| x[1]).fold(f32::INFINITY, f32::min);

    let constraints = gpu.rows("distance");
    let work = constraints as f64 * f64::from(options.substeps) * f64::from(options.iterations);
    let (median, least) = (f64::from(percentile(&ms, 0.5)), f64::from(ms[0]));
    let bytes = least_traffic(&gpu, options);
    let copy = copy_gb_s(&gpu.gpu, &Sources::find()?, gpu.rows("particle") as u64)?;
    let gb_s = bytes / median * 1e-6;
    // After all else: marks between dispatches cost time.
    gpu.profile = true;
    gpu.step(&mut run, &input).map_err(|error| error.to_string())?;
    let line = serde_json::json!({
        "peer": "weft", "path": "gpu", "adapter": gpu.gpu.info.name, "solver": options.solver, "passes": gpu.list.name,
        "n": options.n, "substeps": options.substeps, "iters": options.iterations, "constraints": constraints,
        "frames": frames, "clock": clock, "ms_med": round(median, 4), "ms_min": round(least, 4),
        "wall_ms_med": round(percentile(&wall, 0.5).into(), 4),
        "Mproj_s_med": round(work / median / 1e3, 2), "gb_s": round(gb_s, 1), "copy_gb_s": round(copy, 1),
        "share_of_copy": round(gb_s / copy, 3), "stretch_mean": round(stretch.mean.into(), 5),
        "stretch_abs": round(stretch.mean_abs.into(), 5), "stretch_p95": round(stretch.p95.into(), 5),
        "stretch_max": round(stretch.max.into(), 5), "ymin": round(lowest.into(), 3), "not_finite": not_finite,
        "gpu": gpu.json(&ms),
    });
    Ok(line.to_string())
}

/// Bytes that a frame's substeps move at least.
fn least_traffic(gpu: &GpuRun, options: &BenchOptions) -> f64 {
    let rows = |table| gpu.rows(table) as f64;
    let (particles, links, constraints) = (rows("particle"), rows("link"), rows("distance"));
    let iterations = f64::from(options.iterations);
    // Position, velocity and previous position are 16 bytes each; a link's neighbour, rest length and compliance 4 each.
    let (predict, velocity) = (80.0 * particles, 64.0 * particles);
    let substep = match gpu.list.name.as_str() {
        // Position, velocity, mass, stencil in; position and velocity out.
        "explicit_fused" | "xpbd_fused" => 72.0 * particles,
        "explicit_fused_links" | "xpbd_fused_links" => 76.0 * particles + 12.0 * links,
        "explicit_pair" => 108.0 * particles + 12.0 * links,
        "xpbd_jacobi" => {
            let lambda = if options.iterations > 1 { 8.0 * iterations - 4.0 } else { 0.0 };
            predict + iterations * (44.0 * particles + 12.0 * links) + lambda * links + velocity
        }
        // As fused ones, and who the members of the tiles are.
        "xpbd_tiled" => 64.0 * particles + 4.0 * rows("member"),
        "xpbd_tiled_sweep" => predict + 32.0 * particles + 4.0 * rows("member") + velocity,
        "pbd_jacobi" | "pbd_sor" => predict + iterations * (44.0 * particles + 12.0 * links) + velocity,
        // Position, iterate before, inertial position, block and mass; the block is made and inverted once.
        "implicit_jacobi" | "implicit_chebyshev" => {
            let blocks = 60.0 * particles + 12.0 * links + 80.0 * particles;
            predict + blocks + iterations * (108.0 * particles + 12.0 * links) + velocity
        }
        "vbd" => {
            let guess = 64.0 * particles;
            predict + guess + iterations * (60.0 * particles + 12.0 * rows("incident")) + velocity
        }
        // Two ends read and written, two indices, rest length, compliance, lambda.
        _ => predict + constraints * (84.0 * iterations + 4.0 * (iterations - 1.0)) + velocity,
    };
    substep * f64::from(options.substeps)
}

/// Bytes read and written a second by a kernel that copies [GB/s].
fn copy_gb_s(gpu: &Gpu, sources: &Sources, particles: u64) -> Result<f64, String> {
    let most = gpu.limits.max_storage_buffer_binding_size.min(gpu.limits.max_buffer_size) / 16;
    // The software adapter copies a small column in the time a GPU takes for a large one.
    let least = if gpu.info.device_type == wgpu::DeviceType::Cpu { 1 << 18 } else { COPY_ROWS };
    let rows = particles.max(least).min(most) as usize;
    let column = |name: &str| ColumnInfo {
        table: "copy".into(),
        name: name.into(),
        element: Element::F32x4,
        rows,
        origin: Origin::Private,
    };
    let columns = Columns { list: vec![column("from"), column("to")] };
    let list = List { passes: vec![Node::pass("step/copy", "copy")], ..List::default() };
    let scope = Scope { sources, columns: &columns, params: &[], features: &list.known };
    let program = Program::new(gpu, scope, &list, &[]).map_err(|error| error.report)?;
    let mut buffers = Buffers::new(gpu, &columns, 0..2)?;
    let tables = HashMap::from([("copy".to_string(), TableRows { rows: rows as u32, ends: Vec::new() })]);
    let mut recorder = Recorder::default();
    let score = Score { gpu, program: &program, params: &[], tables: &tables, runs: &[true] };
    recorder.record(&score, &mut buffers, STILL)?;
    let mut timer = Timer::new(gpu)?;
    let mut ms = Vec::new();
    for _ in 0..MEASUREMENTS {
        let start = Instant::now();
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        {
            let timestamp_writes = timer.as_mut().map(Timer::whole);
            let mut pass =
                encoder.begin_compute_pass(&ComputePassDescriptor { label: Some("copy"), timestamp_writes });
            (0..COPIES).try_for_each(|_| recorder.encode(&program, &mut pass, |_, _| {}))?;
        }
        timer.iter().for_each(|timer| timer.resolve(&mut encoder));
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
        let wall = start.elapsed().as_secs_f32() * 1e3;
        ms.push(timer.as_ref().map_or(Ok(wall), |timer| timer.read(gpu).map(|(whole, _)| whole))?);
    }
    ms.sort_by(f32::total_cmp);
    Ok(32.0 * rows as f64 * COPIES as f64 / f64::from(percentile(&ms, 0.5)) * 1e-6)
}
