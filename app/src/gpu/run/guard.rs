//! What a frame that ends in NaN is undone with: copies on the device of all that lasts, and a pass that looks for NaN.

use std::sync::mpsc::{Receiver, channel};

use sim_api::Class;
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor, MapMode};

use super::{
    super::{
        Gpu,
        buffers::Buffers,
        columns::{Columns, Origin},
        passes::{By, Node},
    },
    GpuRun,
};
use crate::run::{Run, StepError};

/// The pass that looks for NaN.
pub(super) const FILE: &str = "finite.wgsl";
/// Where it leaves what it found.
const FLAG: (&str, &str) = ("fault", "not_finite");

/// That pass as a part of a list.
pub(super) fn pass() -> Node {
    let file = FILE.trim_end_matches(".wgsl").to_string();
    Node::Pass { file, with: Vec::new(), over: "particle".into(), by: By::Rows, when: Vec::new() }
}

/// Columns as they were before the frame.
#[derive(Default)]
pub struct Guard {
    /// Column, and its copy.
    copies: Vec<(usize, Buffer)>,
    /// Of this frame: place of each column's buffer before passes swap some of them.
    places: Vec<usize>,
    /// Where the flag of this frame can be read.
    staging: Option<Buffer>,
    told: Option<Receiver<Result<(), wgpu::BufferAsyncError>>>,
}

impl Guard {
    pub fn bytes(&self) -> u64 {
        self.copies.iter().map(|(_, copy)| copy.size()).sum()
    }

    /// Before a frame is recorded: which buffers it begins with. `on`: whether they are kept.
    pub fn keeps(
        &mut self,
        on: bool,
        gpu: &Gpu,
        columns: &Columns,
        buffers: &Buffers,
        followed: &[usize],
    ) -> Result<(), String> {
        self.places.clear();
        self.told = None;
        if !on {
            return Ok(());
        }
        if self.staging.is_none() {
            let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
            let descriptor =
                BufferDescriptor { label: Some("fault"), size: 4, usage, mapped_at_creation: false };
            self.staging = Some(gpu.scoped("4 bytes", || gpu.device.create_buffer(&descriptor))?);
        }
        if self.copies.is_empty() {
            let lasts = |column: &&usize| columns.list[**column].origin == Origin::State(Class::State);
            for &column in followed.iter().filter(lasts) {
                let size = buffers.buffer(buffers.place(column)).size();
                let label = columns.list[column].variable();
                let what = format!("a copy of column {label}, {} MiB", size.div_ceil(1 << 20));
                let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
                let descriptor =
                    BufferDescriptor { label: Some(&label), size, usage, mapped_at_creation: false };
                self.copies.push((column, gpu.scoped(&what, || gpu.device.create_buffer(&descriptor))?));
            }
        }
        self.places.extend(self.copies.iter().map(|(column, _)| buffers.place(*column)));
        Ok(())
    }

    /// Whether this frame is guarded.
    fn is_on(&self) -> bool {
        !self.places.is_empty()
    }

    /// Puts the copies into a frame, before its passes.
    pub fn before(&self, encoder: &mut CommandEncoder, buffers: &Buffers) {
        for ((_, copy), place) in self.copies.iter().zip(&self.places) {
            let from = buffers.buffer(*place);
            encoder.copy_buffer_to_buffer(from, 0, copy, 0, from.size().min(copy.size()));
        }
    }
}

impl GpuRun {
    fn flag(&self) -> Option<usize> {
        self.columns.index(FLAG.0, FLAG.1).filter(|flag| self.buffers.has(*flag))
    }

    /// Puts the flag's way back into a guarded frame, behind its passes.
    pub(super) fn after(&self, encoder: &mut CommandEncoder) {
        if let (Some(staging), Some(flag), true) = (&self.guard.staging, self.flag(), self.guard.is_on()) {
            let flag = self.buffers.buffer(self.buffers.place(flag));
            encoder.copy_buffer_to_buffer(flag, 0, staging, 0, 4);
        }
    }

    /// The frame was handed over: its flag is wanted when it is done.
    pub(super) fn ask(&mut self) {
        if let Some(staging) = self.guard.staging.as_ref().filter(|_| self.guard.is_on()) {
            let (tell, told) = channel();
            staging.map_async(MapMode::Read, .., move |result| _ = tell.send(result));
            self.guard.told = Some(told);
        }
    }

    /// After a guarded frame: what it made NaN. The device is then as it was before the frame.
    pub(super) fn not_finite(&mut self, run: &Run) -> Result<Option<StepError>, String> {
        let (Some(told), Some(staging)) = (self.guard.told.take(), &self.guard.staging) else {
            return Ok(None);
        };
        let told = told.try_recv().map_err(|_| "the device did not answer".to_string())?;
        told.map_err(|error| error.to_string())?;
        let mut found = [0; 4];
        found.copy_from_slice(&staging.get_mapped_range(..).map_err(|error| error.to_string())?);
        staging.unmap();
        let found = u32::from_ne_bytes(found);
        if found == 0 {
            return Ok(None);
        }
        let found = u32::MAX - found;
        if let Some(flag) = self.flag() {
            self.buffers.set(&self.gpu, flag, 0, 0.0);
        }
        let mut encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        for (column, copy) in &self.guard.copies {
            let to = self.buffers.buffer(self.buffers.place(*column));
            encoder.copy_buffer_to_buffer(copy, 0, to, 0, to.size().min(copy.size()));
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait()?;
        Ok(Some(StepError::NotFinite {
            solver: format!("{} (passes {})", run.solver, self.list.name),
            particle: (found / 2) as usize,
            column: if found.is_multiple_of(2) { "position" } else { "velocity" },
            hint: run.hint(),
        }))
    }
}
