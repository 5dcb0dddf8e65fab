//! Bodies with a mass: what the device keeps for them, and how they come back after every frame.
//!
//! They are few, and much starts from where they are: the hand that pulls at them, the picture, the next frame, to which the
//! host hands over all colliders. So their rows come back with each frame, in the submit that computes it, and host and device
//! have the same bits.

use std::sync::mpsc::{Receiver, channel};

use wgpu::{Buffer, BufferAsyncError, BufferDescriptor, BufferUsages, CommandEncoder, MapMode};

use super::Gpu;
use crate::state::State;

/// Table of the columns that the device moves, and their names; all have rows of four numbers.
pub const TABLE: &str = "collider";
pub const COLUMNS: [&str; 4] = ["position", "rotation", "velocity", "spin"];
const ROW_BYTES: usize = size_of::<[f32; 4]>();

/// Particles whose pushes one workgroup of `body_sums.wgsl` adds up.
const PART: usize = 1024;
/// Rows of `pose.row` for each collider: place and rotation, at the start of the substep and at its end.
const POSE_ROWS: usize = 4;

/// Whether a collider has a mass.
pub fn any(state: &State) -> bool {
    state.column::<f32>(TABLE, "inverse_mass").iter().any(|inverse| *inverse > 0.0)
}

/// Rows of the device's own tables `pose` and `reaction`; none without bodies.
pub fn rows(state: &State) -> [usize; 2] {
    let rows = |table| state.table(table).map_or(0, |table| table.rows);
    let colliders = if any(state) { rows(TABLE) } else { 0 };
    [POSE_ROWS * colliders, rows("particle").div_ceil(PART) * colliders]
}

/// Their way back. It has nothing to do where no body has a mass.
#[derive(Default)]
pub struct Return {
    staging: Option<Buffer>,
    told: Option<Receiver<Result<(), BufferAsyncError>>>,
}

impl Return {
    /// Puts the copies into a frame, behind its passes. `columns`: buffers of [`COLUMNS`], each of so many bytes.
    pub fn copy(
        &mut self,
        gpu: &Gpu,
        encoder: &mut CommandEncoder,
        columns: [&Buffer; COLUMNS.len()],
        bytes: u64,
    ) -> Result<(), String> {
        let size = bytes * COLUMNS.len() as u64;
        let staging = match self.staging.take().filter(|staging| staging.size() == size) {
            Some(staging) => staging,
            None => gpu.scoped("the way back of the bodies", || {
                let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
                let label = Some("bodies");
                gpu.device.create_buffer(&BufferDescriptor { label, size, usage, mapped_at_creation: false })
            })?,
        };
        for (column, to) in columns.into_iter().zip((0..).step_by(bytes as usize)) {
            encoder.copy_buffer_to_buffer(column, 0, &staging, to, bytes);
        }
        self.staging = Some(staging);
        Ok(())
    }

    /// The frame was handed over.
    pub fn ask(&mut self) {
        if let Some(staging) = &self.staging {
            let (tell, told) = channel();
            staging.map_async(MapMode::Read, .., move |result| _ = tell.send(result));
            self.told = Some(told);
        }
    }

    /// The frame is done: the columns one after the other; empty if nothing was asked for.
    pub fn take(&mut self, gpu: &Gpu) -> Result<Vec<u8>, String> {
        let (Some(told), Some(staging)) = (self.told.take(), &self.staging) else { return Ok(Vec::new()) };
        let told = told.try_recv().map_err(|_| "the device did not answer".to_string())?;
        told.map_err(|error| error.to_string())?;
        let rows = staging.get_mapped_range(..).map_err(|error| error.to_string())?.to_vec();
        staging.unmap();
        gpu.count_read(rows.len() as u64);
        Ok(rows)
    }
}

/// Writes what came back into the state.
pub fn put(state: &mut State, rows: &[u8]) {
    let rows = rows.as_chunks::<ROW_BYTES>().0;
    for (name, from) in COLUMNS.iter().zip(rows.chunks((rows.len() / COLUMNS.len()).max(1))) {
        for (to, from) in state.column_mut::<[f32; 4]>(TABLE, name).iter_mut().zip(from) {
            *to = bytemuck::pod_read_unaligned(from);
        }
    }
}
