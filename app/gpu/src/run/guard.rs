//! What a frame that ends in NaN is undone with: copies on the device of all that lasts, and a pass that looks for NaN.
//! History takes the copies over, and wants the energy after each frame: a second pass, and a few numbers that come back.

use std::{
    ops::Range,
    sync::mpsc::{Receiver, channel},
};
use weft_core::state::col;

use glam::DVec3;
use sim_api::Class;
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor, MapMode};

use super::{
    super::{
        Gpu, Kept,
        buffers::Buffers,
        columns::{Columns, Origin},
        passes::{Node, name},
    },
    GpuRun,
};
use weft_core::energy::Energy;
use weft_engine::run::{Run, StepError};

/// The pass that looks for NaN, and where it leaves what it found.
pub(super) const FINITE: &str = "shaders/sim/step/finite.wgsl";
const FLAG: (&str, &str) = ("fault", "not_finite");
/// The pass that adds up energies, and where it leaves its parts.
pub(super) const ENERGY: &str = "shaders/sim/step/energy.wgsl";
const PARTS: (&str, &str) = ("energy", "part");
/// Pairs of cloth against cloth that `self/near.wgsl` had no room for.
const LOST: (&str, &str) = ("hash", "lost");
/// Bytes of the flag, of it with that count, and of a part. The two come first in staging memory, in the room of a part.
const FLAG_BYTES: u64 = 4;
const FIRST_BYTES: u64 = 8;
const PART_BYTES: u64 = 16;

/// Those passes as the end of every list: energy first.
pub(super) fn passes() -> [Node; 2] {
    [(ENERGY, PARTS.0), (FINITE, "particle")].map(|(file, over)| Node::pass(name(file), over))
}

/// Columns as they were before the frame, and what the frame says at its end.
#[derive(Default)]
pub(super) struct Guard {
    /// Those that last.
    which: Vec<usize>,
    copies: Kept,
    /// Of this frame: place of each column's buffer before passes swap some of them.
    places: Vec<usize>,
    /// Where flag and energies of this frame can be read, and how many bytes of it are.
    staging: Option<Buffer>,
    said: u64,
    told: Option<Receiver<Result<(), wgpu::BufferAsyncError>>>,
    /// The energy after the next frames is wanted.
    pub(super) wants_energy: bool,
    /// Pairs without room in the last guarded frame; `None`: cloth does not collide with cloth.
    pub(super) lost: Option<u32>,
    /// After the last frame, if it was.
    energy: Option<Energy>,
    /// Of all particles [kg]; `None`: not added up yet.
    mass: Option<f64>,
}

impl Guard {
    pub(super) fn bytes(&self) -> u64 {
        self.copies.bytes() as u64
    }

    /// Before a frame is recorded: which buffers it begins with. `on`: whether they are kept.
    pub(super) fn keeps(
        &mut self,
        on: bool,
        gpu: &Gpu,
        columns: &Columns,
        buffers: &Buffers,
        followed: &[usize],
    ) -> Result<(), String> {
        self.places.clear();
        self.told = None;
        if on {
            self.make_room(gpu, columns, followed)?;
            self.places.extend(self.which.iter().map(|column| buffers.place(*column)));
        }
        Ok(())
    }

    /// Memory for the copies of the next frame, if there is none.
    fn make_room(&mut self, gpu: &Gpu, columns: &Columns, followed: &[usize]) -> Result<(), String> {
        self.which.clear();
        self.which.extend(followed.iter().filter(|column| lasts(columns, **column)));
        if !self.copies.fits(gpu, columns, &self.which) {
            self.copies = Kept::default();
            self.copies = Kept::new(gpu, columns, &self.which)?;
        }
        Ok(())
    }

    /// Whether this frame is guarded.
    fn is_on(&self) -> bool {
        !self.places.is_empty()
    }

    /// Puts the copies into a frame, before its passes.
    pub(super) fn before(&self, encoder: &mut CommandEncoder, buffers: &Buffers) {
        if self.is_on() {
            self.copies.take(encoder, self.places.iter().map(|place| buffers.buffer(*place)));
        }
    }

    /// The state was replaced, or its masses.
    pub(super) fn forget_energy(&mut self) {
        (self.energy, self.mass) = (None, None);
    }

    /// Makes the staging memory large enough.
    fn stage(&mut self, gpu: &Gpu, size: u64) -> Result<(), String> {
        if self.staging.as_ref().is_none_or(|staging| staging.size() < size) {
            let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
            let descriptor =
                BufferDescriptor { label: Some("fault"), size, usage, mapped_at_creation: false };
            let made = gpu.scoped(&format!("{size} bytes"), || gpu.device.create_buffer(&descriptor))?;
            self.staging = Some(made);
        }
        Ok(())
    }
}

/// Whether a column is one that lives longer than a step.
fn lasts(columns: &Columns, column: usize) -> bool {
    columns.list[column].origin == Origin::State(Class::State)
}

impl GpuRun {
    fn own(&self, (table, column): (&str, &str)) -> Option<usize> {
        self.columns.index(table, column).filter(|column| self.buffers.has(*column))
    }

    /// Whether the device moves a column of the state, so that the copies from before a frame have it.
    pub fn moves(&self, table: &str, column: &str) -> bool {
        self.columns
            .index(table, column)
            .is_some_and(|column| lasts(&self.columns, column) && self.followed.contains(&column))
    }

    /// Hands over the copies from before the last frame, which the next one replaces, for the memory of others. The frame
    /// was guarded.
    pub fn swap_before(&mut self, with: &mut Kept) {
        std::mem::swap(&mut self.guard.copies, with);
    }

    /// Memory for the copies of the next frame, if there is none.
    pub fn make_room(&mut self) -> Result<(), String> {
        self.guard.make_room(&self.gpu, &self.columns, &self.followed)
    }

    /// Whether the energy after the next frames is wanted.
    pub fn want_energy(&mut self, wanted: bool) {
        self.guard.wants_energy = wanted;
    }

    /// Energy after the last frame, if it was wanted.
    pub fn energy(&self) -> Option<Energy> {
        self.guard.energy
    }

    /// Before a frame is encoded: room for what it says at its end.
    pub(super) fn listen(&mut self, guarded: bool) -> Result<(), String> {
        self.guard.energy = self.guard.energy.filter(|_| guarded);
        let parts = if self.guard.wants_energy { self.rows(PARTS.0) as u64 } else { 0 };
        self.guard.said = if parts > 0 { PART_BYTES * (1 + parts) } else { FIRST_BYTES };
        if let Some(lost) = self.own(LOST) {
            self.buffers.set(&self.gpu, lost, 0, 0.0);
        }
        self.guard.stage(&self.gpu, self.guard.said)
    }

    /// Puts the way back of flag and energies into a guarded frame, behind its passes.
    pub(super) fn after(&self, encoder: &mut CommandEncoder) {
        let Some(staging) = self.guard.staging.as_ref().filter(|_| self.guard.is_on()) else { return };
        let mut bring = |column: Option<usize>, to: Range<u64>| {
            if let Some(column) = column.filter(|_| !to.is_empty()) {
                let from = self.buffers.buffer(self.buffers.place(column));
                encoder.copy_buffer_to_buffer(from, 0, staging, to.start, to.end - to.start);
            }
        };
        bring(self.own(FLAG), 0..FLAG_BYTES);
        bring(self.own(LOST), FLAG_BYTES..FIRST_BYTES);
        bring(self.own(PARTS), PART_BYTES..self.guard.said);
    }

    /// The frame was handed over: what it says is wanted when it is done.
    pub(super) fn ask(&mut self) {
        if let Some(staging) = self.guard.staging.as_ref().filter(|_| self.guard.is_on()) {
            let (tell, told) = channel();
            staging.map_async(MapMode::Read, ..self.guard.said, move |result| _ = tell.send(result));
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
        let said = staging.get_mapped_range(..self.guard.said).map_err(|error| error.to_string())?;
        let found: u32 = bytemuck::pod_read_unaligned(&said[..FLAG_BYTES as usize]);
        let lost: u32 = bytemuck::pod_read_unaligned(&said[FLAG_BYTES as usize..FIRST_BYTES as usize]);
        let parts = said.get(PART_BYTES as usize..).map(sum);
        drop(said);
        staging.unmap();
        self.gpu.count_read(self.guard.said);
        self.guard.lost = self.own(LOST).map(|_| lost);
        if found == 0 {
            let mass = || run.state.get(col::particle::mass).iter().map(|m| f64::from(*m)).sum();
            let known = &mut self.guard.mass;
            self.guard.energy = parts.map(|[kinetic, x, y, z]| {
                let mass = *known.get_or_insert_with(mass);
                Energy { kinetic, moment: DVec3::new(x, y, z), mass }
            });
            return Ok(None);
        }
        let found = u32::MAX - found;
        if let Some(flag) = self.own(FLAG) {
            self.buffers.set(&self.gpu, flag, 0, 0.0);
        }
        let mut encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let columns = self.guard.which.iter();
        let now = columns.map(|column| self.buffers.buffer(self.buffers.place(*column)));
        self.guard.copies.restore(&mut encoder, now);
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

/// Adds up parts of four numbers.
fn sum(parts: &[u8]) -> [f64; 4] {
    let rows = parts.as_chunks::<{ PART_BYTES as usize }>().0.iter();
    rows.fold([0.0; 4], |mut sum, row| {
        let row: [f32; 4] = bytemuck::pod_read_unaligned(row);
        sum.iter_mut().zip(row).for_each(|(sum, part)| *sum += f64::from(part));
        sum
    })
}
