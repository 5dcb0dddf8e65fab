//! Loop: kept frames repeat with the input that was recorded and the newest code.
//!
//! A swap of code restarts the pass: a pass of two generations is a result of neither, and the start shows at once
//! what the edit does. A parameter or a value of the scene goes in at once and the pass goes on: a slider would
//! restart it with every pixel of its way.

use super::Lab;
use weft_core::state::StateHash;

use crate::history::Replay;

impl Lab {
    /// Repeats `frames` frames from the frame that is shown, if it is a past one, else the last `frames` ones.
    pub fn start_loop(&mut self, frames: u64) -> Result<(), String> {
        self.end_loop();
        self.release();
        let past = self.history.at().is_some_and(|at| at + 1 < self.history.moments().len());
        self.keep_present();
        let now = self.run.frame;
        let kept = self.history.frames(now).ok_or("nothing to repeat: history is off (--history MB)")?;
        let (start, end) = if past {
            (now, now.saturating_add(frames).min(*kept.end()))
        } else {
            (now.saturating_sub(frames).max(*kept.start()), now)
        };
        if start == end {
            return Err("nothing to repeat yet: let it run for some frames first".into());
        }
        self.replay = Some(Replay::new(start, end));
        self.restart_pass();
        self.paused = false;
        Ok(())
    }

    /// The lab goes on from where the pass is; what was recorded after it is dropped with the next step.
    pub fn end_loop(&mut self) {
        self.replay = None;
    }

    /// Back to the start of the pass.
    pub(super) fn restart_pass(&mut self) {
        let start = self.replay.as_ref().and_then(|replay| self.history.find(replay.start));
        if let Some(start) = start {
            self.show_or_end(start);
        }
    }

    /// Before a step of a loop: the next pass if one is over, and the recorded drags of colliders.
    pub(super) fn begin_replayed(&mut self) {
        if self.replay.as_ref().is_some_and(|replay| self.run.frame >= replay.end) {
            self.catch_up();
            let hash = StateHash::of(&self.run.state);
            self.replay.iter_mut().for_each(|replay| replay.ended(hash));
            self.restart_pass();
        }
        let moment = self.history.at().and_then(|at| self.history.moment(at));
        let Some(moment) = moment.filter(|_| self.replay.is_some()) else { return };
        // A collider that was dragged while the lab stood still jumped.
        let jumped = self.drags.iter().zip(&moment.drags).any(|(now, then)| !now.same_place(then));
        self.drags.clone_from(&moment.drags);
        if jumped {
            self.place_colliders();
        }
    }

    fn show_or_end(&mut self, place: usize) {
        if let Err(why) = self.show(place) {
            self.run.log.push(format!("the loop ends: {why}"));
            self.end_loop();
        }
    }
}
