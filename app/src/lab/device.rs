//! The lab's run on the GPU path.

use super::Lab;
use crate::{
    assemble,
    gpu::{GpuOptions, GpuRun},
    run::{StepError, StepInput},
};

impl Lab {
    /// Goes on on an adapter from the state as it is.
    pub fn use_gpu(&mut self, options: &GpuOptions) -> Result<(), String> {
        let (world, dt) = (assemble::world(&self.scene), self.scene.step);
        let input = StepInput { dt, world, holds: &[], guarded: false };
        self.gpu = Some(GpuRun::open(options, &self.run, &input)?);
        Ok(())
    }

    /// Goes on with the run's own code from where the adapter left off.
    pub fn use_cpu(&mut self) -> Result<(), StepError> {
        self.fetch()?;
        self.gpu = None;
        Ok(())
    }

    /// Brings the state up to date where the GPU path is ahead of it.
    pub fn fetch(&mut self) -> Result<(), StepError> {
        let Some(gpu) = &mut self.gpu else { return Ok(()) };
        gpu.fetch(&mut self.run).map_err(StepError::Gpu)?;
        self.run.not_finite().map_or(Ok(()), Err)
    }
}
