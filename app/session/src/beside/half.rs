//! The half of a run beside that is on a device.

use std::sync::Arc;

use weft_core::state::State;
use weft_engine::{
    generation::Generation,
    run::{Run, StepError, StepInput},
};
use weft_gpu::{Fault, GpuRun, ReadbackScope, Sources};
use weft_scene::RunPath;

use super::Twin;
use crate::on_device::{self, Change, Key, OnDevice};

/// Its columns there, and what the host replaced since.
pub(super) struct Half {
    gpu: OnDevice,
    change: Change,
    key: Key,
}

impl Half {
    /// A step, after which `scope` of the state is up to date.
    pub(super) fn step(
        &mut self,
        run: &mut Run,
        input: &StepInput,
        scope: ReadbackScope,
    ) -> Result<(), StepError> {
        self.gpu.step(run, input)?;
        self.gpu.bring(run, scope).map_err(StepError::Gpu)
    }

    /// The host replaced something: what the device was ahead in counts no more.
    pub(super) fn refresh(&mut self, change: Change) {
        self.gpu.forget();
        self.change = self.change.max(change);
    }
}

impl Twin {
    /// Where it is computed.
    pub fn path(&self) -> RunPath {
        self.path
    }

    /// Its half on a device, while it is on one.
    pub fn gpu(&self) -> Option<&GpuRun> {
        self.half.as_ref().map(|half| -> &GpuRun { &half.gpu })
    }

    /// Goes on on the other path from where it is, or tries the same again.
    pub(crate) fn set_path(&mut self, path: RunPath) {
        if self.path != path {
            self.recent.clear();
            self.run.stages.clear();
            self.run.readings.clear();
        }
        if path == RunPath::Cpu && self.read(ReadbackScope::All).is_ok() {
            self.half = None;
        }
        self.path = path;
    }

    /// Whether [`Twin::sync`] has anything to do before the next step.
    pub(crate) fn waits_for_device(&self) -> bool {
        self.path == RunPath::Gpu && self.problem.is_none()
    }

    /// Before a step on the GPU path: `enter` brings it onto a device where it is not on one. What cannot go on there stands
    /// still.
    pub(crate) fn sync(
        &mut self,
        topology: u64,
        input: &StepInput,
        enter: impl FnOnce(&mut Run) -> Result<OnDevice, Fault>,
    ) -> Result<(), Fault> {
        let (run, held) = (&mut self.run, !input.holds.is_empty());
        let synced = match &mut self.half {
            None => enter(run).map(|gpu| {
                let key = Key::of(run, topology, held);
                self.half = Some(Half { gpu, change: Change::Nothing, key });
            }),
            Some(half) => {
                let same = half.key.is_of(run, topology, held);
                let change = std::mem::take(&mut half.change);
                if same && change == Change::Nothing {
                    return Ok(());
                }
                half.key = Key::of(run, topology, held);
                on_device::follow_host(&mut half.gpu, run, (change, same), input, None)
            }
        };
        synced.inspect_err(|fault| {
            // What it was ahead in comes back, if the device still answers.
            let _ = self.read(ReadbackScope::All);
            self.half = None;
            let why = fault.to_string();
            self.problem = Some(match fault {
                Fault::NotOffered(_) => StepError::NotOffered(why),
                _ => StepError::Gpu(why),
            });
        })
    }

    /// Brings columns of its state up to date. A device that does not answer is left.
    pub(crate) fn read(&mut self, scope: ReadbackScope) -> Result<(), String> {
        let Some(half) = &mut self.half else { return Ok(()) };
        half.gpu.bring(&mut self.run, scope).inspect_err(|why| {
            self.half = None;
            self.problem = Some(StepError::Gpu(why.clone()));
        })
    }

    /// Its state, to be written into; `None`: it stands still because its device does not answer.
    pub(crate) fn edit(&mut self) -> Option<&mut State> {
        self.read(ReadbackScope::All).ok()?;
        self.half.iter_mut().for_each(|half| half.refresh(Change::State));
        Some(&mut self.run.state)
    }

    /// Goes on with other code under its state.
    pub(super) fn swap(&mut self, code: &Arc<Generation>) -> Result<(), String> {
        self.read(ReadbackScope::All)?;
        self.run.swap(Arc::clone(code))?;
        self.half.iter_mut().for_each(|half| half.refresh(Change::Tables));
        Ok(())
    }

    /// Takes a saved file of `sources`. Returns how many passes were compiled.
    pub(crate) fn reload(
        &mut self,
        file: &str,
        sources: &Sources,
        input: &StepInput,
    ) -> Result<usize, Fault> {
        if self.path == RunPath::Gpu && self.half.is_none() {
            // Perhaps this file was why.
            self.problem = None;
        }
        let Some(half) = &mut self.half else { return Ok(0) };
        if half.gpu.starts_over(sources) {
            half.gpu.fetch(&mut self.run)?;
        }
        half.gpu.reload(&mut self.run, input, None, file, sources)
    }

    /// The context that it computes on is gone.
    pub(super) fn leave_context(&mut self) {
        let half = self.half.take().filter(|half| half.gpu.gpu.is_in_context());
        std::mem::forget(half);
    }
}
