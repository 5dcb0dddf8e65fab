//! The link `Readback`: columns come back through staging memory, all in one submit and one wait. Works with any adapter.

use std::sync::mpsc::{Receiver, channel};

use weft_core::clock::Instant;

use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode};

use super::Gpu;

/// Staging memory, kept from frame to frame.
#[derive(Default)]
pub(crate) struct Readback {
    slots: Vec<Slot>,
    /// Slots in use.
    open: usize,
    started: Option<Instant>,
    /// Time from the request to the last row [ms].
    pub ms: f32,
    pub bytes: u64,
}

struct Slot {
    staging: Buffer,
    bytes: u64,
    told: Option<Receiver<Result<(), wgpu::BufferAsyncError>>>,
}

impl Readback {
    /// Copies buffers from their start, so many bytes of each, and waits for them and all work before.
    pub(crate) fn start<'a>(
        &mut self,
        gpu: &Gpu,
        sources: impl Iterator<Item = (&'a Buffer, u64)>,
    ) -> Result<(), String> {
        self.started = Some(Instant::now());
        (self.open, self.bytes) = (0, 0);
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        for (buffer, bytes) in sources {
            let padded = bytes.next_multiple_of(4);
            self.room(gpu, padded)?;
            let slot = &mut self.slots[self.open];
            slot.bytes = padded;
            if padded > 0 {
                encoder.copy_buffer_to_buffer(buffer, 0, &slot.staging, 0, padded);
            }
            self.open += 1;
            self.bytes += bytes;
        }
        gpu.queue.submit([encoder.finish()]);
        for slot in &mut self.slots[..self.open] {
            let (tell, told) = channel();
            slot.told = (slot.bytes > 0).then_some(told);
            if slot.told.is_some() {
                slot.staging.map_async(MapMode::Read, ..slot.bytes, move |result| _ = tell.send(result));
            }
        }
        gpu.wait()
    }

    /// The rows of a source, counted from the first.
    pub(crate) fn take(&mut self, gpu: &Gpu, slot: usize, to: &mut [u8]) -> Result<(), String> {
        let slot = &mut self.slots[slot];
        let Some(told) = slot.told.take() else { return Ok(()) };
        told.try_recv()
            .map_err(|_| "the device did not answer".to_string())
            .and_then(|result| result.map_err(|error| error.to_string()))?;
        let mapped = slot.staging.get_mapped_range(..slot.bytes).map_err(|error| error.to_string())?;
        to.copy_from_slice(&mapped[..to.len()]);
        drop(mapped);
        slot.staging.unmap();
        gpu.count_read(slot.bytes);
        Ok(())
    }

    /// All is taken.
    pub(crate) fn end(&mut self) {
        for slot in &mut self.slots[..self.open] {
            if slot.told.take().is_some() {
                slot.staging.unmap();
            }
        }
        self.ms = self.started.take().map_or(0.0, |start| start.elapsed().as_secs_f32() * 1e3);
    }

    /// Makes the next slot large enough.
    fn room(&mut self, gpu: &Gpu, bytes: u64) -> Result<(), String> {
        if self.slots.get(self.open).is_some_and(|slot| slot.staging.size() >= bytes) {
            return Ok(());
        }
        let staging = gpu.scoped(&format!("{} MiB to read back", bytes.div_ceil(1 << 20)), || {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some("staging"),
                size: bytes.max(16),
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        let slot = Slot { staging, bytes, told: None };
        if self.open < self.slots.len() {
            self.slots[self.open] = slot;
        } else {
            self.slots.push(slot);
        }
        Ok(())
    }
}
