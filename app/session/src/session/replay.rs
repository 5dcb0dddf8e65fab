//! Loop: kept frames repeat with the input that was recorded and the newest code.
//!
//! A swap of code restarts the pass: a pass of two generations is a result of neither, and the start shows at once
//! what the edit does. A parameter or a value of the scene goes in at once and the pass goes on: a slider would
//! restart it with every pixel of its way.

use super::{Notice, Session, seats, timeline::Timeline};
use weft_core::state::StateHash;

use crate::{
    history::Replay,
    tape::{Input, Repeated},
};

impl Session {
    /// Repeats `frames` frames from the frame that is shown, if it is a past one, else the last `frames` ones.
    pub fn start_loop(&mut self, frames: u64) -> Result<(), String> {
        self.end_loop();
        self.release();
        let history = self.timeline.history();
        let past = history.at().is_some_and(|at| at + 1 < history.moments().len());
        self.keep_present();
        let now = self.engine.run().frame;
        let kept =
            self.timeline.history.frames(now).ok_or("nothing to repeat: history is off (--history MB)")?;
        let (start, end) = if past {
            (now, now.saturating_add(frames).min(*kept.end()))
        } else {
            (now.saturating_sub(frames).max(*kept.start()), now)
        };
        if start == end {
            return Err("nothing to repeat yet: let it run for some frames first".into());
        }
        self.timeline.replay = Some(Replay::new(start, end));
        self.restart_pass();
        self.paused = false;
        Ok(())
    }

    /// The session goes on from where the pass is; what was recorded after it is dropped with the next step.
    pub fn end_loop(&mut self) {
        self.timeline.replay = None;
    }

    /// Back to the start of the pass.
    pub(super) fn restart_pass(&mut self) {
        let Timeline { replay, history, .. } = &self.timeline;
        let start = replay.as_ref().and_then(|replay| history.find(replay.start));
        if let Some(Err(why)) = start.map(|start| self.show(start)) {
            self.report.notice(Notice::good("log", format!("the loop ends: {why}")));
            self.end_loop();
        }
    }

    /// Before a step of a loop: the next pass if one is over, and the recorded drags of colliders.
    pub(super) fn begin_replayed(&mut self) {
        let frame = self.engine.run().frame;
        if self.timeline.replay().is_some_and(|replay| frame >= replay.end) {
            let hash = StateHash::of(self.read_all());
            self.timeline.replay.iter_mut().for_each(|replay| replay.ended(hash));
            self.restart_pass();
            self.take_jump();
        }
        let Some(moment) = self.timeline.shown().filter(|_| self.timeline.replay().is_some()) else { return };
        let repeated = || {
            let holds = moment.holds.iter().map(|hold| (hold.particle, [hold.begin, hold.end]));
            Input::Repeat(Repeated { drags: moment.drags.clone(), holds: holds.collect() })
        };
        self.note(repeated);
        // A collider that was dragged while the session stood still jumped.
        let drags = &mut self.hand.drags;
        let jumped = drags.iter().zip(&moment.drags).any(|(now, then)| !now.same_place(then));
        drags.clone_from(&moment.drags);
        if jumped {
            self.place_with_strands(&seats::ends(&self.engine.run().state));
        }
    }
}
