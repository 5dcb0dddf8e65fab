//! Back to a kept frame, and what a step leaves for it.

use super::{Hand, Notice, Session, hand};
use weft_core::energy::Energy;
use weft_core::state::col;
use weft_engine::run::{self, Run};
use weft_gpu::GpuRun;

use crate::history::{Moment, rebase};

impl Session {
    /// Shows a kept frame and pauses there. What came after it is kept until the session runs on.
    pub fn go_to(&mut self, frame: u64) -> Result<(), String> {
        self.end_loop();
        self.release();
        self.keep_present();
        self.enter_part_of(frame)?;
        let history = self.timeline.history();
        let place =
            history.find(frame).ok_or_else(|| match self.timeline.frames(self.engine.run().frame) {
                Some(frames) => {
                    format!("frame {frame} is not kept: frames {} to {} are", frames.start(), frames.end())
                }
                None if history.is_on() => format!("frame {frame} is not kept: no frame is yet"),
                None => "no frame is kept: history is off (--history MB)".to_string(),
            })?;
        self.paused = true;
        if place > 0 && self.report.problems.step.take().is_none() {
            self.show(place - 1)?;
            self.repeat_step(place - 1);
        } else {
            self.engine.poison_scratch();
        }
        self.show(place)
    }

    /// The step from a kept moment once more, for what is not kept: accelerations, stresses and the solver's numbers of
    /// the frame it leads to. They are those of that frame if neither code nor values have changed since. After a step
    /// that failed there are none: code that fails is not run to look at the past.
    fn repeat_step(&mut self, place: usize) {
        let Some(moment) = self.timeline.history().moment(place) else { return };
        let mut holds = moment.holds.clone();
        self.hand.let_go_held(self.engine.run_mut());
        self.hand.move_colliders(&self.setup.scene, self.engine.run_mut());
        rebase(&mut holds, self.engine.run_mut().state.get_mut(col::particle::position));
        self.sync_gpu();
        if self.engine.step_watched(&run::input(&self.setup.scene, &holds)).is_err() {
            self.engine.poison_scratch();
        }
        self.engine.run_mut().log.clear();
    }

    /// To the frame before the one that is shown.
    pub fn step_back(&mut self) -> Result<(), String> {
        let now = self.engine.run().frame;
        self.go_to(now.checked_sub(1).ok_or("this is the first frame")?)
    }

    /// Puts the session into a kept moment.
    pub(super) fn show(&mut self, place: usize) -> Result<(), String> {
        self.timeline.history.fetch(place)?;
        let Some(moment) = self.timeline.history.moment(place) else { return Ok(()) };
        let grown = restore(self.engine.run_mut(), &mut self.hand, moment)?;
        self.timeline.history.set_at(place);
        if grown {
            self.timeline.history.retake(place, &self.engine.run().state);
        }
        self.jumped("an earlier frame was gone to");
        self.settle();
        Ok(())
    }

    /// The same with a moment that history has not.
    pub(super) fn put_back(&mut self, moment: &Moment) -> Result<(), String> {
        restore(self.engine.run_mut(), &mut self.hand, moment).map(drop)
    }

    /// What was is no past of what comes: another scene, another grid, a reset.
    pub(super) fn forget(&mut self) {
        self.timeline.forget();
        self.hand.held.clear();
    }

    /// Before a step: the next pass of a loop, and the moment that the step leaves.
    pub(super) fn begin_moment(&mut self) {
        self.begin_replayed();
        if self.timeline.history().is_on() {
            let energy = match self.engine.gpu().and_then(GpuRun::energy) {
                Some(energy) => energy,
                None => Energy::of(self.read_all()),
            };
            self.timeline.begin(self.engine.run(), energy, &self.hand.drags, &self.hand.held);
        }
        self.hand.let_go_held(self.engine.run_mut());
    }

    /// The step counts.
    pub(super) fn keep_moment(&mut self) {
        let (run, gpu) = self.engine.parts();
        if let Some(why) = self.timeline.keep(run, gpu) {
            self.report.notice(Notice::bad("history", why));
        }
    }

    /// The present as a moment to come back to.
    pub(super) fn keep_present(&mut self) {
        self.read_all();
        self.timeline.history.keep_present(self.engine.run(), &self.hand.drags, &self.hand.held);
    }
}

/// Puts run and hand into a moment. Returns whether newer code has columns that it had not.
fn restore(run: &mut Run, hand: &mut Hand, moment: &Moment) -> Result<bool, String> {
    let grown = moment.state.restore_whole(&mut run.state, &run.generation.schema, &run.blueprint)?;
    run.set_time(moment.frame, moment.time);
    // The scene may have other masses by now, and only what the step before held is in the hand.
    hand::let_go(run, 0..run.state.table("particle").map_or(0, |table| table.rows) as u32);
    let positions = run.state.get_mut(col::particle::position);
    for &particle in &moment.held {
        positions[particle as usize][3] = 0.0;
    }
    hand.held.clone_from(&moment.held);
    hand.drags.clone_from(&moment.drags);
    Ok(grown)
}
