//! The lab's run on the GPU path: asked for once, it goes on there wherever that path is offered, else on the CPU.
//!
//! Whatever replaces the state, its values or its tables on the host says so ([`Change`]); before the next step the device
//! gets what it lacks. Whatever looks at more than positions asks first ([`Lab::catch_up`]).

use std::time::Instant;

use super::{Lab, Notice, hold, offers::Offers};
use weft_draw::gl::GlShare;
use weft_engine::run::{Params, StepError};
use weft_gpu::{Bring, Gpu, GpuOptions, Parity, Sources, link};

/// What was asked for, and what came of it.
#[derive(Default)]
pub struct Device {
    /// Where a run goes on whenever it can; `None`: the CPU path.
    pub wanted: Option<GpuOptions>,
    /// Why the CPU goes on although the GPU path is asked for.
    pub refusal: Option<String>,
    /// What of each frame comes back.
    pub bring: Bring,
    /// A device that fails is opened again.
    pub recovers: bool,
    /// Of the last accepted edit, or why there is none.
    pub parity: Option<Result<Parity, String>>,
    /// What the panel may offer.
    pub offers: Offers,
    /// Texts of `shaders/sim` that hung or lost a device: they are not tried again.
    pub banned: Vec<(String, String)>,
    /// The context of the picture, or why it cannot be computed on.
    pub share: Option<Result<GlShare, String>>,
    pub(super) change: Change,
    /// Frame and time [s] in which device and host last had the same state: the run holds a copy of it to go back to.
    pub(super) whole: Option<(u64, f64)>,
    /// What `lab.gpu` was made for, or refused for.
    pub(super) key: Option<Key>,
    /// An opened device that waits for the next switch.
    pub(super) spare: Option<Gpu>,
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
pub(super) struct Key {
    pub(super) topology: u64,
    pub(super) generation: u32,
    pub(super) solver: String,
    pub(super) params: Params,
    pub(super) held: bool,
}

impl Device {
    /// Opens what is asked for, with the link that is there.
    pub(super) fn open(&self, options: &GpuOptions) -> Result<Gpu, String> {
        let share = match &self.share {
            None => Err("nothing is drawn while this runs"),
            Some(share) => share.as_ref().map_err(String::as_str),
        };
        link::open(options, share)
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
        if let (None, Some(why)) = (&self.gpu, self.device.refusal.take()) {
            self.device.wanted = None;
            Err(why)
        } else {
            // Whoever asks for it knows.
            self.device.notices.clear();
            Ok(())
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
        self.fetch_with(Bring::All)
    }

    fn fetch_with(&mut self, what: Bring) -> Result<(), StepError> {
        let Some(gpu) = &mut self.gpu else { return Ok(()) };
        if gpu.is_ahead() {
            gpu.bring(&mut self.run, what).map_err(StepError::Gpu)?;
            self.note_whole();
        }
        Ok(())
    }

    /// Keeps a copy of the state, if the device is not ahead of it: what is lost with the device is what comes after.
    pub(super) fn note_whole(&mut self) {
        if self.gpu.as_ref().is_some_and(|gpu| !gpu.is_ahead()) {
            self.run.keep_before();
            self.device.whole = Some((self.run.frame, self.run.time));
        }
    }

    /// The device was lost, and with it history and the frames since the state last came back whole.
    pub(super) fn fall_back(&mut self) {
        if let Some((frame, time)) = self.device.whole.take() {
            self.run.take_back(frame, time);
            let all = 0..self.run.state.table("particle").map_or(0, |table| table.rows) as u32;
            hold::let_go(&mut self.run, all);
        }
        self.forget();
        self.history.release();
        self.energy_watch.jumped();
    }

    /// As [`Lab::fetch`]; a device that does not answer is left.
    pub fn catch_up(&mut self) {
        self.catch_up_with(Bring::All);
    }

    pub(super) fn catch_up_with(&mut self, what: Bring) {
        if let Err(error) = self.fetch_with(what) {
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
}
