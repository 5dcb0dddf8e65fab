//! Back to a kept frame, and what a step leaves for it.

use sim_api::Hold;
use weft_core::state::col;
use weft_engine::run;

use super::{Lab, Notice, hold};
use weft_core::{energy::Energy, state::Table};
use weft_engine::run::StepError;
use weft_gpu::GpuRun;

use crate::history::{History, rebase};

impl Lab {
    /// Shows a kept frame and pauses there. What came after it is kept until the lab runs on.
    pub fn go_to(&mut self, frame: u64) -> Result<(), String> {
        self.end_loop();
        self.release();
        self.keep_present();
        let place = self.history.find(frame).ok_or_else(|| match self.history.frames(self.run.frame) {
            Some(frames) => {
                format!("frame {frame} is not kept: frames {} to {} are", frames.start(), frames.end())
            }
            None if self.history.is_on() => format!("frame {frame} is not kept: no frame is yet"),
            None => "no frame is kept: history is off (--history MB)".to_string(),
        })?;
        self.paused = true;
        if place > 0 && self.problems.step.take().is_none() {
            self.show(place - 1)?;
            self.repeat_step(place - 1);
        } else {
            self.run.state.tables.iter_mut().for_each(Table::poison_scratch);
        }
        self.show(place)
    }

    /// The step from a kept moment once more, for what is not kept: accelerations, stresses and the solver's numbers of
    /// the frame it leads to. They are those of that frame if neither code nor values have changed since. After a step
    /// that failed there are none: code that fails is not run to look at the past.
    fn repeat_step(&mut self, place: usize) {
        let Some(moment) = self.history.moment(place) else { return };
        let mut holds = moment.holds.clone();
        hold::let_go(&mut self.run, self.held.drain(..));
        self.move_colliders();
        rebase(&mut holds, self.run.state.get_mut(col::particle::position));
        self.keep_device();
        let input = run::input(&self.scene, &holds);
        let stepped = match &mut self.gpu {
            Some(gpu) => {
                gpu.looked = true;
                let stepped = gpu.step(&mut self.run, &input);
                stepped.and_then(|()| gpu.fetch(&mut self.run).map_err(StepError::Gpu))
            }
            None => self.run.step(&self.threads, &input),
        };
        if stepped.is_err() {
            self.run.state.tables.iter_mut().for_each(Table::poison_scratch);
        }
        self.run.log.clear();
    }

    /// To the frame before the one that is shown.
    pub fn step_back(&mut self) -> Result<(), String> {
        let now = self.run.frame;
        self.go_to(now.checked_sub(1).ok_or("this is the first frame")?)
    }

    /// Puts the lab into a kept moment.
    pub(super) fn show(&mut self, place: usize) -> Result<(), String> {
        self.history.fetch(place)?;
        let Some(moment) = self.history.moment(place) else { return Ok(()) };
        let run = &mut self.run;
        let grown = moment.state.restore_whole(&mut run.state, &run.generation.schema, &run.blueprint)?;
        (run.frame, run.time) = (moment.frame, moment.time);
        // The scene may have other masses by now, and only what the step before held is in the hand.
        hold::let_go(run, 0..run.state.table("particle").map_or(0, |table| table.rows) as u32);
        let positions = run.state.get_mut(col::particle::position);
        for &particle in &moment.held {
            positions[particle as usize][3] = 0.0;
        }
        self.held.clone_from(&moment.held);
        self.drags.clone_from(&moment.drags);
        self.history.set_at(place);
        if grown {
            self.history.retake(place, &self.run.state);
        }
        self.settle();
        Ok(())
    }

    /// What was is no past of what comes: another scene, another grid, a reset.
    pub(super) fn forget(&mut self) {
        self.history.clear();
        self.held.clear();
        (self.replay, self.began, self.alarm) = (None, None, None);
    }

    /// Before a step: the next pass of a loop, and the moment that the step leaves.
    pub(super) fn begin_step(&mut self) {
        self.begin_replayed();
        if self.history.is_on() {
            let energy = self.energy();
            self.history.begin(&self.run, energy, &self.drags, &self.held);
        }
        hold::let_go(&mut self.run, self.held.drain(..));
    }

    /// The step counts.
    pub(super) fn keep_step(&mut self) {
        let (run, gpu) = (&mut self.run, self.gpu.as_mut());
        if self.replay.is_some() {
            self.history.keep_replayed(run, gpu);
        } else if let Some(why) = self.history.keep(run, gpu) {
            self.device.notices.push(Notice::bad("history", why));
        }
    }

    /// The present as a moment to come back to.
    pub(super) fn keep_present(&mut self) {
        self.catch_up();
        self.history.keep_present(&self.run, &self.drags, &self.held);
    }

    /// Energy of the state as it is, wherever that is.
    fn energy(&mut self) -> Energy {
        if let Some(energy) = self.gpu.as_ref().and_then(GpuRun::energy) {
            return energy;
        }
        self.catch_up();
        Energy::of(&self.run.state)
    }
}

/// The hand's input to the step that was begun.
pub(super) fn note(history: &mut History, held: &mut Vec<u32>, holds: &[Hold]) {
    if history.is_on() {
        history.note(holds);
        held.extend(holds.iter().map(|hold| hold.particle));
    }
}
