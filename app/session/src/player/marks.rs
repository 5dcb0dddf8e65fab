//! Sessions kept on the way through a recording, to come back to.

use std::mem;

use super::{Played, Player};
use crate::{session::Session, tape::Draft};

/// Steps from one to the next, at first.
const EVERY: u64 = 60;
/// Memory that they take at most; beyond it every other one goes [bytes].
const MOST: usize = 256 << 20;

pub(super) struct Marks {
    every: u64,
    kept: Vec<Mark>,
}

struct Mark {
    /// Place on the tape that is to come.
    next: usize,
    played: Played,
    whole: Draft,
}

impl Default for Marks {
    fn default() -> Self {
        Self { every: EVERY, kept: Vec::new() }
    }
}

impl Marks {
    /// The last step that is kept, not after `step`.
    fn before(&self, step: u64) -> Option<&Mark> {
        self.kept.iter().rev().find(|mark| mark.played.steps <= step)
    }

    fn fit(&mut self) {
        let bytes = |mark: &Mark| mark.whole.save.run.state.len();
        while self.kept.len() > 2 && self.kept.iter().map(bytes).sum::<usize>() > MOST {
            self.every *= 2;
            let every = self.every;
            self.kept.retain(|mark| mark.played.steps.is_multiple_of(every));
        }
    }
}

impl Player {
    /// Keeps the session, all that came before the next step done, if it is time.
    pub fn mark(&mut self, session: &mut Session) {
        let steps = self.played.steps;
        let last = self.marks.kept.last().map(|mark| mark.played.steps);
        if !steps.is_multiple_of(self.marks.every) || last.is_some_and(|last| last >= steps) {
            return;
        }
        let mark = Mark { next: self.next, played: self.played.clone(), whole: session.whole() };
        self.marks.kept.push(mark);
        self.marks.fit();
    }

    /// Goes towards a step of the recording, for so long as `goes_on` says: back to a session that was kept, then on from
    /// there. True: it is there.
    pub fn seek(
        &mut self,
        session: &mut Session,
        step: u64,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<bool, String> {
        let step = step.min(self.steps());
        let now = self.played.steps;
        let mark = self.marks.before(step).filter(|mark| step < now || mark.played.steps > now);
        if let Some(Mark { next, played, whole }) = mark {
            let running = &whole.save.running;
            let (code, _) = self.codes.get(&self.tail, running.number, running.hash);
            Self::put_code(session, code)?;
            session.take_draft(whole)?;
            self.next = *next;
            // What was found stays known.
            let before = mem::replace(&mut self.played, played.clone());
            self.played.diverged = before.diverged;
            self.played.notes = before.notes;
        }
        while self.played.steps < step {
            if !self.apply(session)? {
                break;
            }
            self.mark(session);
            if !self.step(session) || !goes_on() {
                break;
            }
        }
        if self.played.steps == step {
            self.apply(session)?;
        }
        Ok(self.played.steps == step)
    }
}
