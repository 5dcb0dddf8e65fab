//! What comes back after every frame, guarded or not: a few rows, in the submit that computes them.

use std::sync::mpsc::{Receiver, channel};

use wgpu::{Buffer, BufferAsyncError, BufferDescriptor, BufferUsages, CommandEncoder, MapMode};

use super::Gpu;

/// Staging memory, kept from frame to frame. It has nothing to do where nothing comes back.
#[derive(Default)]
pub(crate) struct Returns {
    staging: Option<Buffer>,
    told: Option<Receiver<Result<(), BufferAsyncError>>>,
}

impl Returns {
    /// Puts copies of buffers, so many bytes of each, into a frame behind its passes.
    pub(crate) fn copy(
        &mut self,
        gpu: &Gpu,
        encoder: &mut CommandEncoder,
        sources: &[(&Buffer, u64)],
    ) -> Result<(), String> {
        let size = sources.iter().map(|source| source.1).sum();
        self.staging = self.staging.take().filter(|staging| staging.size() == size);
        if size == 0 {
            return Ok(());
        }
        let staging = match self.staging.take() {
            Some(staging) => staging,
            None => gpu.scoped("what comes back after a frame", || {
                let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
                let label = Some("returns");
                gpu.device.create_buffer(&BufferDescriptor { label, size, usage, mapped_at_creation: false })
            })?,
        };
        let mut to = 0;
        for &(source, bytes) in sources {
            encoder.copy_buffer_to_buffer(source, 0, &staging, to, bytes);
            to += bytes;
        }
        self.staging = Some(staging);
        Ok(())
    }

    /// The frame was handed over.
    pub(crate) fn ask(&mut self) {
        if let Some(staging) = &self.staging {
            let (tell, told) = channel();
            staging.map_async(MapMode::Read, .., move |result| _ = tell.send(result));
            self.told = Some(told);
        }
    }

    /// The frame is done: the rows one after the other; none if nothing was asked for.
    pub(crate) fn take(&mut self, gpu: &Gpu) -> Result<Vec<u8>, String> {
        let (Some(told), Some(staging)) = (self.told.take(), &self.staging) else { return Ok(Vec::new()) };
        let told = told.try_recv().map_err(|_| "the device did not answer".to_string())?;
        told.map_err(|error| error.to_string())?;
        let rows = staging.get_mapped_range(..).map_err(|error| error.to_string())?.to_vec();
        staging.unmap();
        gpu.count_read(rows.len() as u64);
        Ok(rows)
    }
}
