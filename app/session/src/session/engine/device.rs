//! What is asked of a device: asked for once, a run goes on there wherever that path is offered, else on the CPU.

use weft_core::clock::Instant;

use super::{
    super::{Notice, Session},
    Engine, Path,
    capabilities::Capabilities,
};
use crate::tape::Input;
use weft_draw::gl::GlShare;
use weft_engine::run::{Params, Run, StepError};
use weft_gpu::{Gpu, GpuOptions, GpuRun, Parity, ReadbackScope, Sources, link};

/// What was asked for, and what came of it.
#[derive(Default)]
pub struct Device {
    /// Where a run goes on whenever it can; `None`: the CPU path.
    pub(super) wanted: Option<GpuOptions>,
    /// Why the CPU goes on although the GPU path is asked for.
    pub(super) refusal: Option<String>,
    /// What of each frame comes back.
    pub(super) scope: ReadbackScope,
    /// A device that fails is opened again.
    pub(super) recovers: bool,
    /// Of the last accepted edit, or why there is none.
    pub(super) parity: Option<Result<Parity, String>>,
    pub(super) capabilities: Capabilities,
    /// Texts of `shaders/sim` that hung or lost a device: they are not tried again.
    pub(super) banned: Vec<(String, String)>,
    /// The context of the picture, or why it cannot be computed on.
    share: Option<Result<GlShare, String>>,
    pub(super) change: Change,
    /// Frame and time [s] in which device and host last had the same state: the run holds a copy of it to go back to.
    pub(super) whole: Option<(u64, f64)>,
    /// What the GPU path was entered for, or refused for.
    pub(super) key: Option<Key>,
    /// An opened device that waits for the next switch.
    pub(super) spare: Option<Gpu>,
    pub(super) asks_parity: bool,
    pub(super) failures: Vec<Instant>,
    pub(super) edited: Option<Edited>,
}

/// The last accepted edit.
pub(super) struct Edited {
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
pub(super) struct Key {
    pub topology: u64,
    pub generation: u32,
    pub solver: String,
    pub params: Params,
    pub held: bool,
}

impl Device {
    /// `None`: the CPU path.
    pub fn wanted(&self) -> Option<&GpuOptions> {
        self.wanted.as_ref()
    }

    /// Why the CPU goes on although the GPU path is asked for.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// How far the passes are from the CPU since the last accepted edit, or why that is not known.
    pub fn parity(&self) -> Option<&Result<Parity, String>> {
        self.parity.as_ref()
    }

    /// What the panel may offer.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Opens what is asked for, with the link that is there.
    pub(super) fn open(&self, options: &GpuOptions) -> Result<Gpu, String> {
        let share = match &self.share {
            None => Err("nothing is drawn while this runs"),
            Some(share) => share.as_ref().map_err(String::as_str),
        };
        link::open(options, share)
    }
}

impl Engine {
    /// Leaves the GPU path, if it is on it; the state is up to date.
    fn leave_gpu(&mut self) -> bool {
        let Path::Gpu(gpu) = std::mem::take(&mut self.path) else { return false };
        self.device.spare = Some(gpu.gpu);
        self.run.stages.clear();
        true
    }

    /// The GPU path is asked for anew, or not any more: what came of it before says nothing.
    fn ask_device(&mut self, wanted: Option<GpuOptions>) {
        let device = &mut self.device;
        (device.refusal, device.key, device.parity) = (None, None, None);
        (device.change, device.wanted) = (Change::Nothing, wanted);
    }
}

impl Session {
    /// Goes on on an adapter from the state as it is, or says why not.
    pub fn use_gpu(&mut self, options: &GpuOptions) -> Result<(), String> {
        let before = self.report.take_notices();
        self.switch_path(Some(options.clone()));
        // Whoever asks for it knows.
        self.report.set_notices(before);
        let refused = if self.engine.gpu().is_none() { self.engine.device.refusal.take() } else { None };
        refused.map_or(Ok(()), |why| {
            self.engine.device.wanted = None;
            Err(why)
        })
    }

    /// Goes on with the run's own code from where the adapter left off.
    pub fn use_cpu(&mut self) -> Result<(), StepError> {
        self.engine.read(ReadbackScope::All)?;
        self.switch_path(None);
        Ok(())
    }

    /// Says what [`Self::switch_path`] is going to be asked for: a device may crash while it is opened, and the autosave from
    /// before must know of it.
    pub fn announce_path(&mut self, wanted: Option<&GpuOptions>) {
        self.engine.device.wanted = wanted.cloned();
    }

    /// Goes on on the GPU path, or with the run's own code. Columns move once, bit for bit.
    pub fn switch_path(&mut self, wanted: Option<GpuOptions>) {
        self.read_all();
        self.note(|| Input::Path { gpu: wanted.clone() });
        self.report.problems.device = None;
        self.report.problems.passes.clear();
        if wanted.is_some() && !self.timeline.beside().twins().is_empty() {
            self.end_beside();
            let text = "the comparison ends: it is one of the CPU path";
            self.report.notice(Notice::good("history", text));
        }
        self.engine.ask_device(wanted);
        if self.engine.device.wanted.is_some() {
            self.sync_gpu();
        } else if self.engine.leave_gpu() {
            self.timeline.history.suspend(None);
            self.report.notice(Notice::good("gpu", "the CPU goes on"));
            self.follow_list();
        }
    }

    /// What of each frame comes back from the device without being asked for.
    pub fn set_readback(&mut self, scope: ReadbackScope) {
        self.engine.device.scope = scope;
    }

    /// Whether a device that fails is opened again.
    pub fn set_recovers(&mut self, recovers: bool) {
        self.engine.device.recovers = recovers;
    }

    /// The context of the picture, or why it cannot be computed on.
    pub fn set_context(&mut self, share: Result<GlShare, String>) {
        self.engine.device.share = Some(share);
    }

    /// Texts of `shaders/sim`, by file, that are not to be tried.
    pub fn ban_passes(&mut self, banned: Vec<(String, String)>) {
        self.engine.device.banned = banned;
    }

    /// What of the next frames on the device is timed and left to be looked at, for tools.
    pub fn watch_device(&mut self, profile: bool, looked: bool) {
        if let (_, Some(gpu)) = self.engine.parts() {
            (gpu.profile, gpu.looked) = (profile, looked);
        }
    }

    /// The device's half beside the run, for tools; `None` on the CPU path.
    pub fn on_device(&mut self) -> Option<(&mut GpuRun, &mut Run)> {
        let (run, gpu) = self.engine.parts();
        gpu.map(|gpu| (gpu, run))
    }
}
