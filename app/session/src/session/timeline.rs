//! The run in time: moments to go back to, frames that repeat, the code before beside the present one.

use std::ops::RangeInclusive;

use sim_api::Hold;

use super::{BlowUp, Drag, uncut::Part};
use weft_core::energy::{self, Energy};
use weft_engine::run::Run;
use weft_gpu::GpuRun;

use crate::{
    beside::{Beside, Twin},
    history::{History, Moment, Replay, rebase},
};

/// A loop, runs beside and a blow-up are of the moments that are kept: what forgets those forgets the loop and the blow-up.
#[derive(Default)]
pub struct Timeline {
    /// Off until it gets a budget.
    pub(super) history: History,
    /// Frames before the first cut, while those after it are shown, and the other way round.
    pub(super) uncut: Option<Part>,
    pub(super) cut: Option<Part>,
    /// The frames that repeat, while they do.
    pub(super) replay: Option<Replay>,
    /// The code before and other solvers, while they are compared with the run.
    pub(super) beside: Beside,
    /// Beside runs what the scene lists.
    pub(super) shows_listed: bool,
    /// Where a blow-up began, while it is shown.
    pub(super) blow_up: Option<BlowUp>,
    /// Frame in which the energy was seen to run away.
    pub(super) alarm: Option<u64>,
    energy_watch: energy::Watch,
}

impl Timeline {
    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// Runs beside the one that the session is of.
    pub fn beside(&self) -> &Beside {
        &self.beside
    }

    /// The code before, while it is compared.
    pub fn twin(&self) -> Option<&Twin> {
        self.beside.code()
    }

    pub fn blow_up(&self) -> Option<&BlowUp> {
        self.blow_up.as_ref()
    }

    /// Frame in which the energy was seen to run away.
    pub fn alarm(&self) -> Option<u64> {
        self.alarm
    }

    /// Frames that can be gone to; `now` is the one that is shown.
    pub fn frames(&self, now: u64) -> Option<RangeInclusive<u64>> {
        let first = self.uncut.as_ref().and_then(|part| part.history.frames(now));
        let last = self.cut.as_ref().and_then(|part| part.history.frames(now));
        match (self.history.frames(now), first, last) {
            (own, None, None) => own,
            (own, first, last) => {
                let own = own.unwrap_or(now..=now);
                Some(
                    first.map_or(*own.start(), |first| *first.start())
                        ..=last.map_or(*own.end(), |last| *last.end()),
                )
            }
        }
    }

    /// The moment that is shown, if it is a past one.
    pub(super) fn shown(&self) -> Option<&Moment> {
        self.history.moment(self.history.at()?)
    }

    /// What was is no past of what comes: another scene, another grid, a reset.
    pub(super) fn forget(&mut self) {
        self.history.clear();
        (self.uncut, self.cut) = (None, None);
        (self.replay, self.blow_up, self.alarm) = (None, None, None);
    }

    /// Forgets all and frees its memory, here and on a device.
    pub(super) fn release(&mut self) {
        self.forget();
        self.history.release();
        self.energy_watch.jumped();
    }

    /// The state was replaced: its energy says nothing about the steps before.
    pub(super) fn jumped(&mut self) {
        self.energy_watch.jumped();
    }

    /// A step on the device is about to be done.
    pub(super) fn note_device(&mut self, run: &Run, gpu: &mut GpuRun) {
        gpu.want_energy(self.history.is_on());
        self.history.note_host(run, gpu);
    }

    /// A step begins: its moment is the run as it stands.
    pub(super) fn begin(&mut self, run: &Run, energy: Energy, drags: &[Drag], held: &[u32]) {
        self.history.begin(run, energy, drags, held);
    }

    /// Adds the recorded ways of the step to `holds`, begun where the particles are; false where no loop runs.
    pub(super) fn recorded_holds(&self, positions: &mut [[f32; 4]], holds: &mut Vec<Hold>) -> bool {
        let Some(moment) = self.shown().filter(|_| self.replay.is_some()) else { return false };
        holds.extend_from_slice(&moment.holds);
        rebase(holds, positions);
        true
    }

    /// The hand's input to the step that was begun; whether it is kept.
    pub(super) fn note_holds(&mut self, holds: &[Hold]) -> bool {
        self.history.note(holds);
        self.history.is_on()
    }

    /// The step counts. Says why if the device has no memory for more moments.
    pub(super) fn keep(&mut self, run: &mut Run, gpu: Option<&mut GpuRun>) -> Option<String> {
        if self.replay.is_some() {
            self.history.keep_replayed(run, gpu);
            return None;
        }
        let said = self.history.keep(run, gpu);
        self.bound_parts();
        said
    }

    /// After a step: whether the energy jumped. Returns a line for the user when it begins to.
    pub(super) fn watch_energy(&mut self, frame: u64, gravity: [f32; 3]) -> Option<String> {
        self.blow_up = None;
        self.alarm = self.alarm.filter(|alarm| self.history.find(*alarm).is_some() || *alarm >= frame);
        if !self.history.is_on() || self.alarm.is_some() || self.replay.is_some() {
            return None;
        }
        let energy = self.history.moments().next_back()?.energy;
        if !self.energy_watch.alarm(energy.total(gravity), energy.mass) {
            return None;
        }
        self.alarm = Some(frame);
        Some(format!("the energy ran away by frame {frame}; the panel shows where it began"))
    }
}
