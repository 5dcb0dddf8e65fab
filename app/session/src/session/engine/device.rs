//! What is asked of a device: asked for once, a run goes on there wherever that path is offered, else on the CPU.

use weft_core::{clock::Instant, command::CommandError};

use super::{
    super::{Notice, Session},
    Engine, Path,
    capabilities::Capabilities,
};
use crate::{
    on_device::{Change, Key},
    tape::Input,
};
use weft_draw::gl::GlShare;
use weft_engine::run::{Run, StepError};
use weft_gpu::{Fault, Gpu, GpuOptions, GpuRun, Parity, ReadbackScope, Sources, choice::NotOffered, link};

/// What was asked for, and what came of it.
#[derive(Default)]
pub struct Device {
    /// Where a run goes on whenever it can; `None`: the CPU path.
    pub(super) wanted: Option<GpuOptions>,
    /// How one is asked for by runs beside, where the run itself does not.
    options: GpuOptions,
    /// Why none is opened for runs beside.
    refuses: Option<String>,
    /// Why the CPU goes on although the GPU path is asked for.
    pub(super) refusal: Option<Refusal>,
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
    /// The device that was opened last: it waits for the next switch, and runs beside are on it as well.
    pub(super) spare: Option<Gpu>,
    pub(super) asks_parity: bool,
    pub(super) failures: Vec<Instant>,
    pub(super) edited: Option<Edited>,
}

/// Why the CPU goes on although the GPU path is asked for, in words.
pub(super) enum Refusal {
    /// No list of passes does what the run does.
    NotOffered(String),
    /// The list of passes that was asked for by name is none of the solver's.
    Asked(String),
    /// There is no device, it failed, or a file is to be mended.
    Failed(String),
}

impl Refusal {
    pub(super) fn of(fault: &Fault, why: String) -> Self {
        match fault {
            Fault::NotOffered(NotOffered::List { .. }) => Self::Asked(why),
            Fault::NotOffered(_) => Self::NotOffered(why),
            Fault::Shader(_) | Fault::Refused(_) => Self::Failed(why),
        }
    }

    fn why(&self) -> &str {
        let (Self::NotOffered(why) | Self::Asked(why) | Self::Failed(why)) = self;
        why
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Asked(why) => Self::Usage(why),
            Refusal::NotOffered(why) | Refusal::Failed(why) => Self::Other(why),
        }
    }
}

/// The last accepted edit.
pub(super) struct Edited {
    pub file: String,
    pub before: Sources,
    pub at: Instant,
}

impl Device {
    /// `None`: the CPU path.
    pub fn wanted(&self) -> Option<&GpuOptions> {
        self.wanted.as_ref()
    }

    /// Why the CPU goes on although the GPU path is asked for.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_ref().map(Refusal::why)
    }

    /// How far the passes are from the CPU since the last accepted edit, or why that is not known.
    pub fn parity(&self) -> Option<&Result<Parity, String>> {
        self.parity.as_ref()
    }

    /// What the panel may offer.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// How it is asked for, or would be.
    pub fn asked(&self) -> &GpuOptions {
        self.wanted.as_ref().unwrap_or(&self.options)
    }

    /// The same for runs beside: with the lists of passes that their solvers have.
    pub(super) fn options(&self) -> GpuOptions {
        GpuOptions { passes: None, ..self.asked().clone() }
    }

    /// That of the runs beside: the one that is open, if it was not lost. Opens one where there is none.
    pub(super) fn shared(&mut self, own: Option<&GpuRun>) -> Result<Gpu, String> {
        self.refuses.clone().map_or(Ok(()), Err)?;
        let open = self.spare.take().or_else(|| own.map(|own| own.gpu.clone()));
        let gpu = match open.filter(|gpu| gpu.wait().is_ok()) {
            Some(gpu) => gpu,
            None => self.open(&self.options())?,
        };
        self.spare = Some(gpu.clone());
        Ok(gpu)
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
        (device.change, device.wanted, device.refuses) = (Change::Nothing, wanted, None);
    }
}

impl Session {
    /// Goes on on an adapter from the state as it is, or says why not.
    pub fn use_gpu(&mut self, options: &GpuOptions) -> Result<(), CommandError> {
        self.ask_gpu(options);
        self.refused_gpu()
    }

    fn refused_gpu(&mut self) -> Result<(), CommandError> {
        let refused = if self.engine.gpu().is_none() { self.engine.device.refusal.take() } else { None };
        refused.map_or(Ok(()), |why| {
            self.engine.device.wanted = None;
            Err(why.into())
        })
    }

    /// The same for a state that was kept with the GPU path asked for. What no passes offer was computed by the CPU there as well,
    /// and is here.
    pub(in super::super) fn use_gpu_as_kept(&mut self, options: &GpuOptions) -> Result<(), CommandError> {
        self.ask_gpu(options);
        let device = &self.engine.device;
        let not_offered = matches!(device.refusal, Some(Refusal::NotOffered(_) | Refusal::Asked(_)));
        if not_offered && device.wanted.is_some() { Ok(()) } else { self.refused_gpu() }
    }

    /// Whoever asks for it knows: nothing is told.
    fn ask_gpu(&mut self, options: &GpuOptions) {
        let before = self.report.take_notices();
        self.switch_path(Some(options.clone()));
        self.report.set_notices(before);
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
        if wanted.is_some() && self.timeline.twin().is_some() {
            self.end_compare();
            let text = "the comparison with the code before ends: it is one of the CPU path";
            self.report.notice(Notice::good("history", text));
        }
        self.engine.ask_device(wanted);
        if self.engine.device.wanted.is_some() {
            self.sync_gpu();
        } else if self.engine.leave_gpu() {
            self.timeline.history.suspend(None);
            self.report.notice(Notice::good("gpu", "the CPU goes on"));
        }
    }

    /// How a device is asked for by runs beside, while the session's own run is on the CPU path.
    pub fn set_device(&mut self, options: GpuOptions) {
        self.engine.device.options = options;
    }

    /// No device is opened for runs beside, until somebody asks for the GPU path again.
    pub fn refuse_device(&mut self, why: &str) {
        self.engine.device.refuses = Some(why.to_string());
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
