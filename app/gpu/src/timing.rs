//! Timestamps of the device: of a whole frame, or around each dispatch of one.

use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePass, ComputePassTimestampWrites,
    QUERY_SET_MAX_QUERIES, QuerySet, QuerySetDescriptor, QueryType,
};

use super::{Gpu, buffers};

/// Dispatches that one frame can time: what comes after them is not in the table.
pub(crate) const MOST_DISPATCHES: usize = QUERY_SET_MAX_QUERIES as usize - 2;

pub(crate) struct Timer {
    set: QuerySet,
    resolved: Buffer,
    staging: Buffer,
    /// Timestamps written in this frame.
    count: u32,
}

impl Timer {
    /// `None` if the adapter has no timestamps.
    pub(crate) fn new(gpu: &Gpu) -> Result<Option<Self>, String> {
        if !gpu.times_passes() {
            return Ok(None);
        }
        let count = if gpu.times_dispatches() { QUERY_SET_MAX_QUERIES } else { 2 };
        let size = u64::from(count) * 8;
        let buffer = |usage| {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some("timestamps"),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        gpu.scoped("timestamps", || Self {
            set: gpu.device.create_query_set(&QuerySetDescriptor {
                label: None,
                ty: QueryType::Timestamp,
                count,
            }),
            resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
            staging: buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST),
            count: 0,
        })
        .map(Some)
    }

    /// Times a whole compute pass: its start and end are timestamps 0 and 1.
    pub(crate) fn whole(&mut self) -> ComputePassTimestampWrites<'_> {
        self.count = 2;
        ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Marks a moment inside a pass. False: there is no room for more.
    pub(crate) fn mark(set: &QuerySet, pass: &mut ComputePass, number: usize) -> bool {
        let room = number < MOST_DISPATCHES;
        if room {
            pass.write_timestamp(set, number as u32 + 2);
        }
        room
    }

    /// For [`Timer::mark`].
    pub(crate) fn set(&self) -> QuerySet {
        self.set.clone()
    }

    /// How many moments were marked in this frame.
    pub(crate) fn marked(&mut self, count: usize) {
        self.count = count.min(MOST_DISPATCHES) as u32 + 2;
    }

    /// Brings the timestamps to where they can be read.
    pub(crate) fn resolve(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..self.count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.staging, 0, u64::from(self.count) * 8);
    }

    /// Milliseconds of the whole pass, and the moments inside it [ms]. Waits for the frame.
    pub(crate) fn read(&self, gpu: &Gpu) -> Result<(f32, Vec<f64>), String> {
        let period = f64::from(gpu.queue.get_timestamp_period());
        let mut stamps = Vec::new();
        buffers::mapped(gpu, &self.staging, u64::from(self.count) * 8, |bytes| {
            stamps = bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect();
        })?;
        let ms = |ticks: u64| ticks as f64 * period * 1e-6;
        let whole = ms(stamps[1].wrapping_sub(stamps[0])) as f32;
        Ok((whole, stamps[2..].iter().map(|stamp| ms(stamp.wrapping_sub(stamps[0]))).collect()))
    }
}
