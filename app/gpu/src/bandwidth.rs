//! What a list of passes must move, against what a kernel that copies moves in the same time.

use std::collections::HashMap;

use weft_core::clock::Instant;

use sim_api::Element;
use wgpu::{CommandEncoderDescriptor, ComputePassDescriptor};

use weft_core::statistics::quantile;

use crate::{
    Gpu, GpuRun, Sources,
    buffers::Buffers,
    columns::{ColumnInfo, Columns, Origin},
    compose::Scope,
    frame::{FrameInputs, Recorder, TableRows},
    passes::{List, Node},
    program::Program,
    timing::Timer,
    values::STILL,
};

/// Least rows of the column that is copied: more than caches hold.
const COPY_ROWS: u64 = 1 << 23;
/// Copies in one measurement, and measurements.
const COPIES: usize = 10;
const MEASUREMENTS: usize = 7;

/// Bytes that a frame of so many substeps and iterations moves at least.
pub fn least_traffic(gpu: &GpuRun, counts: [u32; 2]) -> f64 {
    let rows = |table| gpu.rows(table) as f64;
    let (particles, links, constraints) = (rows("particle"), rows("link"), rows("distance"));
    let [substeps, iterations] = counts.map(f64::from);
    // Position, velocity and previous position are 16 bytes each; a link's neighbour, rest length and compliance 4 each.
    let (predict, velocity) = (80.0 * particles, 64.0 * particles);
    let substep = match gpu.list.name.as_str() {
        // Position, velocity, mass, stencil in; position and velocity out.
        "explicit_fused" | "xpbd_fused" => 72.0 * particles,
        "explicit_fused_links" | "xpbd_fused_links" => 76.0 * particles + 12.0 * links,
        "explicit_pair" => 108.0 * particles + 12.0 * links,
        "xpbd_jacobi" => {
            let lambda = if iterations > 1.0 { 8.0 * iterations - 4.0 } else { 0.0 };
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
    substep * substeps
}

/// Bytes read and written a second by a kernel that copies [GB/s].
pub fn copy_gb_s(gpu: &Gpu, sources: &Sources, particles: u64) -> Result<f64, String> {
    let most = gpu.most_bytes() / 16;
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
    let columns = Columns { list: vec![column("from"), column("to")], ..Columns::default() };
    let list = List { passes: vec![Node::pass("step/copy", "copy")], ..List::default() };
    let scope = Scope { sources, columns: &columns, params: &[], features: &list.known, places: 2 };
    let program = Program::new(gpu, scope, &list, &[]).map_err(|error| error.report)?;
    let mut buffers = Buffers::new(gpu, &columns, 0..2)?;
    let tables = HashMap::from([("copy".to_string(), TableRows { rows: rows as u32, ends: Vec::new() })]);
    let mut recorder = Recorder::default();
    let score = FrameInputs { gpu, program: &program, params: &[], tables: &tables, runs: &[true] };
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
    Ok(32.0 * rows as f64 * COPIES as f64 / quantile(&ms, 0.5) * 1e-6)
}
