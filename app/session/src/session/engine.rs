//! The run, and where it is computed: by its own code on the cores of this machine, or by passes on a device.
//!
//! ```text
//!            step ──► CPU: Run::step            the state is the truth
//! Session ── read ──► GPU: GpuRun::step         the state is a copy, as of the last read(scope)
//!            refresh, swap                      what the host replaced goes to the device before the next step
//! ```
//! Tables, code and values are the run's on both paths; only columns move. Whoever looks at the state asks
//! [`Engine::read`] for as much of it as he looks at, and gets it up to date.

mod beside;
mod capabilities;
mod device;
mod paint;
mod passes;
mod sync_gpu;

use std::{sync::Arc, time::Duration};

use weft_core::state::col;

use super::hand;
use weft_core::state::{Report, Span, State, Table};
use weft_engine::{
    generation::Generation,
    run::{Run, StepError, StepInput},
    threads::Threads,
};
use weft_gpu::{GpuRun, ReadbackScope};

use crate::{
    beside::Beside,
    on_device::{Change, OnDevice},
};

pub use capabilities::Capabilities;
pub use device::Device;
pub(super) use passes::is_pass;

/// In a window one frame of so many has its passes timed.
const PROFILE_EVERY: u64 = 30;

/// A run on one of the two paths.
pub struct Engine {
    run: Run,
    path: Path,
    threads: Threads,
    device: Device,
    /// Positions before the last step, for drawing in between.
    previous: Vec<[f32; 4]>,
}

/// Which of them.
#[derive(Default)]
enum Path {
    #[default]
    Cpu,
    Gpu(OnDevice),
}

impl Path {
    fn gpu(&self) -> Option<&GpuRun> {
        match self {
            Self::Cpu => None,
            Self::Gpu(gpu) => Some(gpu),
        }
    }
}

impl Engine {
    /// On the CPU path.
    pub(super) fn new(run: Run, threads: Threads) -> Self {
        Self { run, path: Path::Cpu, threads, device: Device::default(), previous: Vec::new() }
    }

    /// Code, values, time and tables. On the GPU path its state is that of the last [`Engine::read`].
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// As [`Engine::run`]; who replaces the state or its values says so with [`Engine::refresh`].
    pub(super) fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    /// Both halves; no second one on the CPU path.
    pub(super) fn parts(&mut self) -> (&mut Run, Option<&mut GpuRun>) {
        let gpu = match &mut self.path {
            Path::Cpu => None,
            Path::Gpu(gpu) => {
                let gpu: &mut GpuRun = gpu;
                Some(gpu)
            }
        };
        (&mut self.run, gpu)
    }

    /// The device's half, while it moves the run.
    pub fn gpu(&self) -> Option<&GpuRun> {
        self.path.gpu()
    }

    /// What is asked of a device, and what came of it.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Whether a device that fails is opened again.
    pub(super) fn recovers(&self) -> bool {
        self.device.recovers
    }

    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Positions of all particles [m], as of the last [`Engine::read`].
    pub fn positions(&self) -> &[[f32; 4]] {
        self.run.state.get(col::particle::position)
    }

    /// Positions before the last step [m]; empty where pictures are drawn from the device.
    pub fn previous(&self) -> &[[f32; 4]] {
        &self.previous
    }

    /// The state with the columns of `scope` up to date.
    pub(super) fn read(&mut self, scope: ReadbackScope) -> Result<&State, StepError> {
        if let Path::Gpu(gpu) = &mut self.path
            && gpu.is_ahead()
        {
            gpu.bring(&mut self.run, scope).map_err(StepError::Gpu)?;
            self.note_whole();
        }
        Ok(&self.run.state)
    }

    /// Advances by one frame, those beside it too. Returns the time that the run's own code took, where it did.
    pub(super) fn step(
        &mut self,
        input: &StepInput,
        beside: &mut Beside,
        gravity: [f32; 3],
    ) -> Result<Option<Duration>, StepError> {
        let Self { run, path, threads, device, .. } = self;
        let (scope, on_host) = (device.scope, matches!(path, Path::Cpu));
        let scope = if beside.twins().is_empty() { scope } else { scope.with_positions() };
        let own = |run: &mut Run| match path {
            Path::Cpu => run.step(threads, input),
            Path::Gpu(gpu) => {
                if device.scope != ReadbackScope::Nothing {
                    gpu.profile = run.frame.is_multiple_of(PROFILE_EVERY);
                }
                gpu.step(run, input)?;
                gpu.bring(run, scope).map_err(StepError::Gpu)
            }
        };
        let before = beside.has_lost_device();
        let stepped = beside.step(run, (threads, gravity, device.scope), input, own);
        if !before && beside.has_lost_device() {
            // It may be lost for all; who asks again gets another one.
            self.device.spare = None;
        }
        let took = stepped?;
        Ok(on_host.then_some(took))
    }

    /// A step after which the whole state is up to date, with all that it leaves to be looked at.
    pub(super) fn step_watched(&mut self, input: &StepInput) -> Result<(), StepError> {
        match &mut self.path {
            Path::Cpu => self.run.step(&self.threads, input),
            Path::Gpu(gpu) => {
                gpu.looked = true;
                gpu.step(&mut self.run, input)?;
                gpu.fetch(&mut self.run).map_err(StepError::Gpu)
            }
        }
    }

    /// The host replaced something: the device gets it before the next step, and what it was ahead in counts no more.
    pub(super) fn refresh(&mut self, change: Change) {
        if let Path::Gpu(gpu) = &mut self.path {
            gpu.forget();
        }
        self.device.change = self.device.change.max(change);
    }

    /// How much of the state has to be up to date before some of its rows get other values.
    pub(super) fn moves_beside(&self, spans: &[Span]) -> Option<ReadbackScope> {
        let gpu = self.gpu()?;
        if self.device.change != Change::Nothing || !gpu.takes(spans) {
            return Some(ReadbackScope::All);
        }
        spans.iter().any(|span| span.column == "position").then_some(ReadbackScope::Positions)
    }

    /// Writes rows of the blueprint into the state, here and on the device.
    pub(super) fn refresh_rows(&mut self, spans: &[Span]) -> Result<(), String> {
        self.run.state.refresh_rows(&self.run.blueprint, spans);
        match &mut self.path {
            Path::Gpu(gpu) if self.device.change == Change::Nothing && gpu.takes(spans) => {
                gpu.upload_rows(&self.run, spans)
            }
            _ => {
                self.refresh(Change::Given);
                Ok(())
            }
        }
    }

    /// Other code under the same state, which is up to date.
    pub(super) fn swap(&mut self, code: Arc<Generation>) -> Result<Report, String> {
        let report = self.run.swap(code)?;
        self.refresh(Change::Tables);
        Ok(report)
    }

    /// Code that was swapped in is compared with its passes.
    pub(super) fn ask_parity(&mut self) {
        self.device.asks_parity = self.gpu().is_some();
    }

    /// Before a step: the positions that pictures in between begin at.
    pub(super) fn keep_previous(&mut self) {
        self.previous.clear();
        if !self.device.scope.is_drawn() {
            self.previous.extend_from_slice(self.run.state.get(col::particle::position));
        }
    }

    /// The same as the present ones.
    pub(super) fn forget_previous(&mut self) {
        self.previous.clear();
        self.previous.extend_from_slice(self.run.state.get(col::particle::position));
    }

    /// Nothing is known of what a step leaves to be looked at.
    pub(super) fn poison_scratch(&mut self) {
        self.run.state.tables.iter_mut().for_each(Table::poison_scratch);
    }

    /// Keeps a copy of the state, if the device is not ahead of it: what is lost with the device is what comes after.
    fn note_whole(&mut self) {
        if self.gpu().is_some_and(|gpu| !gpu.is_ahead()) {
            self.run.keep_before();
            self.device.whole = Some((self.run.frame, self.run.time));
        }
    }

    /// Back to that copy: the device was lost.
    fn fall_back(&mut self) {
        if let Some((frame, time)) = self.device.whole.take() {
            self.run.take_back(frame, time);
            let all = 0..self.run.state.table("particle").map_or(0, |table| table.rows) as u32;
            hand::let_go(&mut self.run, all);
        }
    }
}
