//! Frames before the first cut, kept beside those after it. What is cut has other tables than before, so a moment of the one is
//! none of the other.
//!
//! ```text
//! uncut   [ 40 ] … [ 80 ][ 81 ]                 without `tear`
//! cut                    [ 81 ][ 82 ] … [ 118 ]
//! ```
//! One of the two is the session's own history; the other waits in [`Timeline`] with what its scene says of tearing. Who goes
//! to a frame of the other exchanges them; who runs on from before the cut leaves what came after it.

use super::{Session, Timeline};
use crate::history::History;
use weft_scene::Tear;

/// A history that waits, and what all cloths and strands of the scene say of tearing there.
pub(super) struct Part {
    pub history: History,
    pub tears: Vec<Option<Tear>>,
}

impl Part {
    fn has(&self, frame: u64) -> bool {
        self.history.find(frame).is_some()
    }
}

impl Timeline {
    /// Memory of all that is kept and memory allowed [bytes], the frames in it, and their time [s].
    pub fn kept(&self) -> (usize, usize, usize, f64) {
        let parts = self.uncut.iter().chain(&self.cut).map(|part| &part.history);
        let (mut used, mut count, mut seconds) = (0, 0, 0.0);
        for history in parts.chain([&self.history]) {
            used += history.memory().0;
            let mut moments = history.moments();
            count += moments.len();
            let first = moments.next();
            seconds += moments.next_back().zip(first).map_or(0.0, |(last, first)| last.time - first.time);
        }
        (used, self.history.memory().1, count, seconds)
    }

    /// A step counts: nothing came after it yet, and what is kept has its bounds; the oldest goes first.
    pub(super) fn bound_parts(&mut self) {
        self.cut = None;
        while let Some(part) = &mut self.uncut {
            let (used, budget) = (part.history.memory().0 + self.history.memory().0, self.history.memory().1);
            let last = part.history.moments().next_back().map(|moment| moment.frame);
            let first = self.history.moments().next().map(|moment| moment.frame);
            if first.zip(last).is_none_or(|(first, last)| first > last) {
                // Between the two there are frames that are not kept any more.
                self.uncut = None;
                return;
            }
            if used <= budget {
                return;
            }
            if !part.history.drop_oldest() {
                self.uncut = None;
            }
        }
    }
}

impl Session {
    /// What cloths and strands say of tearing.
    pub(super) fn tears(&self) -> Vec<Option<Tear>> {
        self.setup.scene.tears().map(|(_, tear)| tear).collect()
    }

    /// The frames so far, the present one among them, as those before the first cut; none where none are kept, and on the GPU
    /// path, whose moments are its own.
    pub(super) fn set_uncut_aside(&mut self) -> Option<Part> {
        if !self.timeline.history.is_on() || self.engine.gpu().is_some() {
            return None;
        }
        self.keep_present();
        let tears = self.tears();
        let history = &mut self.timeline.history;
        history.end_here();
        Some(Part { history: history.set_aside(), tears })
    }

    /// Gives cloths and strands what they are to say of tearing, under the state that runs.
    pub(super) fn set_tears(&mut self, tears: &[Option<Tear>]) -> Result<(), String> {
        let mut scene = self.setup.scene.clone();
        scene.tears_mut().zip(tears).for_each(|((_, now), tear)| *now = *tear);
        self.apply(scene).map(drop)
    }

    /// Makes the part that has a frame the one that is shown, if it is not.
    pub(super) fn enter_part_of(&mut self, frame: u64) -> Result<(), String> {
        let Timeline { history, uncut, cut, .. } = &mut self.timeline;
        if history.find(frame).is_some() {
            return Ok(());
        }
        if let Some(part) = uncut.take_if(|part| part.has(frame)) {
            self.timeline.cut = Some(self.exchange_part(part)?);
        } else if let Some(part) = cut.take_if(|part| part.has(frame)) {
            self.timeline.uncut = Some(self.exchange_part(part)?);
        }
        Ok(())
    }

    /// Goes on with the history of another part, and with its tables. Returns the one before.
    pub(super) fn exchange_part(&mut self, part: Part) -> Result<Part, String> {
        let tears = self.tears();
        let history = self.timeline.history.set_aside();
        if let Err(why) = self.set_tears(&part.tears) {
            self.timeline.history = history;
            return Err(why);
        }
        self.timeline.history = part.history;
        Ok(Part { history, tears })
    }
}
