//! History: the moments of the running session that memory allows, to go back to, to repeat, and to search.
//!
//! ```text
//!  moments   [ 812 ][ 813 ][ 814 ] … [ 930 ][ 931 ]      oldest first, one frame apart
//!               ▲ dropped first          ▲ `at`: shown now; `None`: the state that runs is newer than all of them
//! ```
//! A moment is the state before a step and the hand's input to that step, so going on from it with the same code gives
//! the same bits. Moments cost a swap, not a copy: a step saves the state anyway, to have it back if the solver fails,
//! and history takes that copy over (`Run::swap_before`). On the GPU path the copy stays on the device
//! (`GpuRun::swap_before`), within the same budget; a moment comes back when somebody goes there.
//!
//! Rejected: a full state every tenth frame and steps in between. It holds ten times as many seconds, but a solver of
//! 40 ms makes every move of the time line wait for up to ten steps, and after a swap of code the frames would show
//! what the new code makes of them instead of what was.
//!
//! Not kept: values of the scene, solver and parameters. What runs on from a moment runs with those of the present.

mod moment;
mod replay;

use std::{collections::VecDeque, ops::RangeInclusive};
use weft_core::energy::Energy;

use sim_api::Hold;

use weft_core::state::State;
use weft_engine::run::Run;
use weft_gpu::{GpuRun, Kept};

use crate::drag::Drag;

pub use moment::Moment;
pub use replay::Replay;
pub(crate) use replay::rebase;

/// Budget of a window that was not told another [MB].
pub const DEFAULT_MB: usize = 256;

/// Keeps nothing until it gets a budget.
#[derive(Default)]
pub struct History {
    /// Memory that the moments may take [bytes]; 0: history is off.
    budget: usize,
    /// Why nothing is kept although there is a budget.
    suspended: Option<String>,
    /// Memory of `moments` and `spare` [bytes].
    bytes: usize,
    moments: VecDeque<Moment>,
    /// Which moment the session shows; `None`: one newer than all of them.
    at: Option<usize>,
    /// The moment that the next step leaves.
    pending: Moment,
    /// Dropped moments, whose memory the next ones take.
    spare: Vec<Moment>,
}

impl History {
    /// Keeps moments within `megabytes` (10⁶ bytes) from now on; 0 turns it off.
    pub fn set_budget(&mut self, megabytes: usize) {
        self.release();
        self.budget = megabytes * 1_000_000;
    }

    /// Forgets all and keeps no memory of it, here or on a device.
    pub(crate) fn release(&mut self) {
        *self = Self { budget: self.budget, suspended: self.suspended.take(), ..Self::default() };
    }

    /// Hands all moments out; what comes is kept as before, within the same budget.
    pub(crate) fn set_aside(&mut self) -> Self {
        let rest = Self { budget: self.budget, suspended: self.suspended.clone(), ..Self::default() };
        std::mem::replace(self, rest)
    }

    /// The moment that is shown is the last one.
    pub(crate) fn end_here(&mut self) {
        if let Some(at) = self.at {
            self.drop_from(at + 1);
        }
    }

    /// The next step is that of `frame`: what is kept from there on is no past of it.
    pub(crate) fn begin_at(&mut self, frame: u64) {
        self.drop_from(self.moments.partition_point(|moment| moment.frame < frame));
        self.at = None;
    }

    /// Drops the oldest moment and its memory; false where there is none.
    pub(crate) fn drop_oldest(&mut self) -> bool {
        let oldest = self.spare.pop().or_else(|| self.moments.pop_front());
        self.bytes -= oldest.as_ref().map_or(0, Moment::bytes);
        oldest.is_some()
    }

    pub fn is_on(&self) -> bool {
        self.budget > 0 && self.suspended.is_none()
    }

    /// Keeps nothing from now on, and why; `None`: keeps again.
    pub fn suspend(&mut self, why: Option<String>) {
        if why.is_some() && self.is_on() {
            self.release();
        }
        self.suspended = why;
    }

    /// Why nothing is kept.
    pub fn off(&self) -> Option<&str> {
        match &self.suspended {
            _ if self.budget == 0 => Some("off (--history MB)"),
            Some(why) => Some(why),
            None => None,
        }
    }

    /// Memory in use and memory allowed [bytes].
    pub fn memory(&self) -> (usize, usize) {
        (self.bytes, self.budget)
    }

    /// Moments kept, oldest first.
    pub fn moments(&self) -> impl DoubleEndedIterator<Item = &Moment> + ExactSizeIterator {
        self.moments.iter()
    }

    /// Frames that can be gone to; `now` is the one that is shown. `None` while there is no other.
    pub fn frames(&self, now: u64) -> Option<RangeInclusive<u64>> {
        let (first, last) = (self.moments.front()?.frame, self.moments.back()?.frame);
        Some(first.min(now)..=last.max(now))
    }

    /// Place of a frame's moment.
    pub fn find(&self, frame: u64) -> Option<usize> {
        let first = self.moments.front()?.frame;
        let place = usize::try_from(frame.checked_sub(first)?).ok()?;
        (place < self.moments.len()).then_some(place)
    }

    /// The moment at a place, oldest first.
    pub fn moment(&self, place: usize) -> Option<&Moment> {
        self.moments.get(place)
    }

    /// Saves a moment's state again, after columns were added to it.
    pub(crate) fn retake(&mut self, place: usize, state: &State) {
        if let Some(moment) = self.moments.get_mut(place) {
            self.bytes -= moment.bytes();
            moment.state.take(state);
            self.bytes += moment.bytes();
        }
    }

    /// Place of the moment that is shown; `None`: the state is newer than all.
    pub fn at(&self) -> Option<usize> {
        self.at
    }

    /// The session shows this moment now.
    pub(crate) fn set_at(&mut self, place: usize) {
        self.at = Some(place);
    }

    /// Forgets all: what comes next does not follow from what was.
    pub fn clear(&mut self) {
        self.drop_from(0);
        self.at = None;
    }

    /// A step begins: its moment is the session as it stands. `held` are particles that the step before held.
    pub(crate) fn begin(&mut self, run: &Run, energy: Energy, drags: &[Drag], held: &[u32]) {
        if self.is_on() {
            self.pending.describe(run, energy, drags, held);
        }
    }

    /// A step on the device is about to be done: what only the host has of the state.
    pub(crate) fn note_host(&mut self, run: &Run, gpu: &GpuRun) {
        if self.is_on() {
            self.pending.state.take_where(&run.state, |table, column| !gpu.moves(table, column));
        }
    }

    /// Brings a moment to the host, if it is on a device.
    pub(crate) fn fetch(&mut self, place: usize) -> Result<(), String> {
        let Some(moment) = self.moments.get_mut(place) else { return Ok(()) };
        self.bytes -= moment.bytes();
        let fetched = moment.fetch();
        self.bytes += moment.bytes();
        fetched.map_err(|why| format!("frame {} does not come back: {why}", moment.frame))
    }

    /// The hand's input to the step.
    pub(crate) fn note(&mut self, holds: &[Hold]) {
        if self.is_on() {
            self.pending.holds.clear();
            self.pending.holds.extend_from_slice(holds);
        }
    }

    /// The step counts: its moment is kept, in place of everything from its frame on. Says why if the device has no memory
    /// for more.
    pub(crate) fn keep(&mut self, run: &mut Run, mut gpu: Option<&mut GpuRun>) -> Option<String> {
        if !self.is_on() {
            return None;
        }
        if let Some(at) = self.at.take() {
            self.drop_from(at);
        }
        self.pending.take_before(run, gpu.as_deref_mut());
        self.push(true);
        self.fit(gpu?)
    }

    /// The device needs memory for the next frame: where there is no more, the oldest moments go for good.
    fn fit(&mut self, gpu: &mut GpuRun) -> Option<String> {
        let mut said = None;
        while let Err(why) = gpu.make_room() {
            let Some(oldest) = self.spare.pop().or_else(|| self.moments.pop_front()) else { break };
            self.bytes -= oldest.bytes();
            drop(oldest);
            self.budget = self.bytes.max(1);
            // What was dropped is free when the device has nothing more to do.
            let waited = gpu.gpu.wait();
            said = Some(format!("history keeps {} MB at most: {why}", self.budget / 1_000_000));
            if waited.is_err() {
                break;
            }
        }
        said
    }

    /// The step of a replay counts: the state that it left replaces the one of the pass before, its input stays.
    pub(crate) fn keep_replayed(&mut self, run: &mut Run, gpu: Option<&mut GpuRun>) {
        let Some(at) = self.at else { return };
        if let Some(moment) = self.moments.get_mut(at) {
            self.bytes -= moment.bytes();
            if gpu.is_some() {
                std::mem::swap(&mut moment.state, &mut self.pending.state);
            }
            moment.take_before(run, gpu);
            moment.energy = self.pending.energy;
            self.bytes += moment.bytes();
        }
        self.at = Some(at + 1);
    }

    /// Keeps the present as a moment without input, so that one can come back to it, and shows it.
    pub(crate) fn keep_present(&mut self, run: &Run, drags: &[Drag], held: &[u32]) {
        if self.is_on() && self.at.is_none() {
            self.pending.describe(run, Energy::of(&run.state), drags, held);
            self.pending.holds.clear();
            self.pending.state.take(&run.state);
            self.pending.device = Kept::default();
            // No step follows at once: the oldest, which may be where one is going, stays.
            self.push(false);
            self.at = self.moments.len().checked_sub(1);
        }
    }

    /// Appends the pending moment; the oldest go while there is no room, with `goes_on` for as much again, which the next one wants
    /// beside the memory that is pending.
    fn push(&mut self, goes_on: bool) {
        let moment = std::mem::take(&mut self.pending);
        let bytes = moment.bytes();
        self.bytes += bytes;
        self.moments.push_back(moment);
        self.pending = self.spare.pop().unwrap_or_default();
        self.bytes -= self.pending.bytes();
        let next = if goes_on { bytes } else { 0 };
        while self.bytes + next > self.budget {
            let Some(mut oldest) = self.moments.pop_front() else { break };
            self.bytes -= oldest.bytes();
            if self.pending.bytes() < bytes {
                std::mem::swap(&mut self.pending, &mut oldest);
            }
        }
    }

    /// Drops the moments from a place on and keeps their memory.
    fn drop_from(&mut self, place: usize) {
        self.spare.extend(self.moments.drain(place.min(self.moments.len())..));
    }
}
