//! Back to the last good code. New code is on trial until it has done some steps; when it fails, the state from before
//! the step and the code from before the swap run again, and the session pauses until a fix is saved.

use std::{sync::Arc, time::Duration};

use weft_core::clock::Instant;

use super::{Notice, Rollback, poll::first_step_notice};
use weft_engine::generation::Generation;

use crate::live::Reload;

/// Which code ran, which runs, and which is known to be good.
pub struct Recovery {
    pub(super) rollback: Rollback,
    /// A swap whose first step is still to come.
    first_step: Option<(Reload, Arc<Generation>)>,
    last_swap: Option<LastSwap>,
    /// The generation that ran before the present one.
    code_before: Option<Arc<Generation>>,
    /// Crashed too often: paused until a good save.
    pub(super) waits_for_save: bool,
}

/// Parts of the time from a save to the first step.
#[derive(Clone, Copy, Debug)]
pub struct LastSwap {
    /// From the end of the build to the verdict of the probe.
    pub probe: Duration,
    /// From publishing the library to the end of its first step.
    pub to_running: Duration,
}

impl Recovery {
    pub(super) fn new(rollback: Rollback) -> Self {
        Self { rollback, first_step: None, last_swap: None, code_before: None, waits_for_save: false }
    }

    /// Generations that passed their trial, the newest last.
    pub fn good(&self) -> &[Arc<Generation>] {
        self.rollback.good()
    }

    /// How long the last swap took.
    pub fn last_swap(&self) -> Option<LastSwap> {
        self.last_swap
    }

    /// The generation that ran before `running`, if it is another one.
    pub fn code_before(&self, running: &Arc<Generation>) -> Option<&Arc<Generation>> {
        self.code_before.as_ref().filter(|before| !Arc::ptr_eq(before, running))
    }

    /// Other code runs since; `before` ran until then. Code that never finished a step is no code to compare with.
    pub(super) fn swapped(&mut self, before: Arc<Generation>) {
        if self.first_step.is_none() {
            self.code_before = Some(before);
        }
    }

    /// `generation` is on trial from its first step on.
    pub(super) fn begin_trial(&mut self, reload: Reload, generation: Arc<Generation>) {
        self.first_step = Some((reload, generation));
        self.rollback.begin();
    }

    /// The code on trial was taken back.
    pub(super) fn end_trial(&mut self, failed: &Generation) {
        self.first_step = None;
        self.rollback.forget(failed);
    }

    /// A step counts: what the swap before it took, if it was the first one since.
    pub(super) fn finish_first_step(&mut self) -> Option<Notice> {
        let (reload, generation) = self.first_step.take()?;
        let now = Instant::now();
        self.last_swap = Some(LastSwap {
            probe: reload.probed - reload.built,
            to_running: now.saturating_duration_since(reload.published),
        });
        Some(first_step_notice(&reload, &generation, now))
    }
}
