//! The lab's run on the GPU path: asked for once, it goes on there wherever that path is offered, else on the CPU.
//!
//! Whatever replaces the state, its values or its tables on the host says so ([`Change`]); before the next step the device
//! gets what it lacks. Whatever looks at more than positions asks first ([`Lab::catch_up`]).

use std::time::Instant;

use sim_api::Hold;

use super::{Lab, Notice, offers::Offers};
use crate::{
    assemble,
    gpu::{Bring, Fault, Gpu, GpuOptions, GpuRun, Parity, Sources},
    run::{Params, StepError, StepInput},
};

/// A frame of history may take this share of its budget, else there is none on the GPU path: every frame comes back whole.
const HISTORY_SHARE: usize = 8;

/// What was asked for, and what came of it.
#[derive(Default)]
pub struct Device {
    /// Where a run goes on whenever it can; `None`: the CPU path.
    pub wanted: Option<GpuOptions>,
    /// Why the CPU goes on although the GPU path is asked for.
    pub refusal: Option<String>,
    /// What of each frame comes back while there is no history.
    pub bring: Bring,
    /// A device that fails is opened again.
    pub recovers: bool,
    /// Of the last accepted edit, or why there is none.
    pub parity: Option<Result<Parity, String>>,
    /// What the panel may offer.
    pub offers: Offers,
    /// Texts of `shaders/sim` that hung or lost a device: they are not tried again.
    pub banned: Vec<(String, String)>,
    pub(super) change: Change,
    /// What `lab.gpu` was made for, or refused for.
    key: Option<Key>,
    spare: Option<Gpu>,
    pub(super) asks_parity: bool,
    pub(super) failures: Vec<Instant>,
    pub(super) edited: Option<Edited>,
    pub(super) notices: Vec<Notice>,
}

/// The last accepted edit.
pub struct Edited {
    pub file: String,
    pub before: Sources,
    pub at: Instant,
}

/// What the host has that the device has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    #[default]
    Nothing,
    /// Another state in the same tables.
    State,
    /// Other values that the scene gives.
    Given,
    /// Other tables, or other code.
    Tables,
}

/// What decides which passes run.
#[derive(PartialEq)]
struct Key {
    topology: u64,
    generation: u32,
    solver: String,
    params: Params,
    held: bool,
}

impl Device {
    /// The device that waits for the next switch is not to be used again.
    pub(super) fn drop_spare(&mut self) {
        self.spare = None;
    }
}

impl Lab {
    /// A refusal is asked about again.
    pub(super) fn forget_refusal(&mut self) {
        self.device.key = None;
    }

    /// Goes on on an adapter from the state as it is, or says why not.
    pub fn use_gpu(&mut self, options: &GpuOptions) -> Result<(), String> {
        self.switch_path(Some(options.clone()));
        match (&self.gpu, self.device.refusal.take()) {
            (None, Some(why)) => {
                self.device.wanted = None;
                Err(why)
            }
            _ => {
                // Whoever asks for it knows.
                self.device.notices.clear();
                Ok(())
            }
        }
    }

    /// Goes on with the run's own code from where the adapter left off.
    pub fn use_cpu(&mut self) -> Result<(), StepError> {
        self.fetch()?;
        self.switch_path(None);
        Ok(())
    }

    /// Goes on on the GPU path, or with the run's own code. Columns move once, bit for bit.
    pub fn switch_path(&mut self, wanted: Option<GpuOptions>) {
        self.catch_up();
        (self.device.refusal, self.device.key, self.device.parity) = (None, None, None);
        self.device.change = Change::Nothing;
        self.problems.device = None;
        self.problems.passes.clear();
        if wanted.is_some() && self.twin.is_some() {
            self.end_compare();
            self.device
                .notices
                .push(Notice::good("history", "the comparison ends: it is one of the CPU path"));
        }
        self.device.wanted = wanted;
        if self.device.wanted.is_some() {
            self.keep_device();
        } else if let Some(gpu) = self.gpu.take() {
            self.device.spare = Some(gpu.gpu);
            self.history.suspend(None);
            self.run.stages.clear();
            self.device.notices.push(Notice::good("gpu", "the CPU goes on"));
        }
    }

    /// Brings the whole state up to date where the GPU path is ahead of it.
    pub fn fetch(&mut self) -> Result<(), StepError> {
        let Some(gpu) = &mut self.gpu else { return Ok(()) };
        gpu.fetch(&mut self.run).map_err(StepError::Gpu)
    }

    /// As [`Lab::fetch`]; a device that does not answer is left.
    pub fn catch_up(&mut self) {
        if let Err(error) = self.fetch() {
            self.device_failed(&error.to_string());
        }
    }

    /// The state was replaced.
    pub(super) fn device_replaced(&mut self, change: Change) {
        if let Some(gpu) = &mut self.gpu {
            gpu.forget();
        }
        self.device.change = self.device.change.max(change);
    }

    /// Brings the device in line with code, scene, solver and state; enters or leaves the GPU path.
    pub(super) fn keep_device(&mut self) {
        if self.device.wanted.is_none() {
            return;
        }
        let held = self.grab.is_some() || self.replay.is_some();
        let same = self.device.key.as_ref().is_some_and(|key| self.is_as(key, held));
        let change = std::mem::take(&mut self.device.change);
        if same && (change == Change::Nothing || self.gpu.is_none() && change < Change::Given) {
            return;
        }
        let before = self.device.key.replace(Key {
            topology: self.topology,
            generation: self.run.generation.number,
            solver: self.run.solver.clone(),
            params: self.run.params.clone(),
            held,
        });
        let holds = if held { &[STILL][..] } else { &[] };
        let input =
            StepInput { dt: self.scene.step, world: assemble::world(&self.scene), holds, guarded: true };
        let was_in = self.gpu.is_some();
        let kept = if was_in { self.adapt(change, same, &input) } else { self.enter(&input) };
        match kept {
            Ok(()) => {
                let now = self.gpu.as_ref().map(|gpu| (gpu.gpu.info.name.clone(), gpu.list.name.clone()));
                let (adapter, passes) = now.unwrap_or_default();
                if !was_in {
                    let text = format!("{adapter} goes on with the passes {passes}");
                    self.device.notices.push(Notice::good("gpu", text));
                }
                self.device.refusal = None;
                let tables =
                    before.is_none_or(|key| (key.topology, key.generation) != self.code_and_tables());
                self.ask_offers(tables || !was_in, &input);
            }
            Err(fault) => self.leave(fault),
        }
        self.fit_history();
        if std::mem::take(&mut self.device.asks_parity) {
            self.check_parity();
        }
    }

    fn code_and_tables(&self) -> (u64, u32) {
        (self.topology, self.run.generation.number)
    }

    fn is_as(&self, key: &Key, held: bool) -> bool {
        (key.topology, key.generation, key.held) == (self.topology, self.run.generation.number, held)
            && key.solver == self.run.solver
            && key.params == self.run.params
    }

    fn enter(&mut self, input: &StepInput) -> Result<(), Fault> {
        let Some(options) = &self.device.wanted else { return Ok(()) };
        let gpu = match self.device.spare.take() {
            Some(gpu) => gpu,
            None => match Gpu::open(options.adapter.as_deref()) {
                Ok(gpu) => gpu,
                Err(why) => {
                    // Asked for again, it is looked for again; not before.
                    self.device.wanted = None;
                    return Err(Fault::Refused(why));
                }
            },
        };
        self.device.spare = Some(gpu.clone());
        let mut sources = Sources::find()?;
        sources.leave_out(&self.device.banned);
        let made = GpuRun::make(gpu, sources, &self.run, input, options.passes.as_deref(), None)?;
        self.gpu = Some(made);
        Ok(())
    }

    fn adapt(&mut self, change: Change, same: bool, input: &StepInput) -> Result<(), Fault> {
        let (Some(gpu), Some(options)) = (&mut self.gpu, &self.device.wanted) else { return Ok(()) };
        let (run, wanted) = (&mut self.run, options.passes.as_deref());
        let renew = match change {
            Change::Nothing => false,
            Change::State => {
                gpu.upload_state(run)?;
                false
            }
            Change::Given => !gpu.upload_given(run)?,
            Change::Tables => true,
        };
        if renew || !same && gpu.offer(run, input, wanted)? != gpu.list.name {
            gpu.fetch(run)?;
            gpu.renew(run, input, wanted)?;
        }
        gpu.forget_times();
        Ok(())
    }

    /// The CPU goes on.
    fn leave(&mut self, fault: Fault) {
        if let Some(mut gpu) = self.gpu.take() {
            if let Err(why) = gpu.fetch(&mut self.run) {
                self.device.notices.push(Notice::bad("gpu", format!("{why}; its last frame is lost")));
            }
            self.device.spare = Some(gpu.gpu);
        }
        self.run.stages.clear();
        let why = match fault {
            Fault::Shader(error) => {
                let line = error.to_string();
                self.problems.refuse_pass(&error.file.clone(), error);
                line
            }
            Fault::Refused(why) => why,
        };
        self.device.notices.push(Notice::bad("gpu", format!("{why}; the CPU goes on")));
        self.device.refusal = Some(why);
    }

    /// History on the GPU path brings each frame back whole: only while that is not much.
    fn fit_history(&mut self) {
        let (bytes, (_, budget)) = (super::trial::lasting(&self.run.state), self.history.memory());
        let much = self.gpu.is_some() && bytes > budget / HISTORY_SHARE;
        self.history.suspend(much.then(|| {
            format!(
                "off on the GPU path: a frame takes {} MB here, --history {} or more keeps some",
                bytes.div_ceil(1_000_000),
                (bytes * HISTORY_SHARE).div_ceil(1_000_000)
            )
        }));
    }
}

/// Something is held, wherever it is.
pub(super) const STILL: Hold = Hold { particle: 0, begin: [0.0; 3], end: [0.0; 3] };
