//! Undo and redo of what is turned in the panel, and of cuts: scenes and states as they were, newest last.

use std::time::Duration;

use weft_core::{clock::Instant, energy::Energy, state::col};
use weft_scene::{Change, Scene, Tear, carry};

use super::Session;
use crate::history::Moment;

/// Edits kept.
const KEPT: usize = 100;
/// Cuts of them, each with a whole state.
const CUTS: usize = 8;
/// Turns of one control that follow each other this fast are one edit, and so are the pieces of a cut.
const ONE_EDIT: Duration = Duration::from_millis(800);
/// The path of cuts.
const CUT: &str = "a cut";

/// What there was before an edit.
enum Before {
    Scene(Box<Scene>),
    Cut(Box<Cut>),
}

/// The state before a cut, what its scene said of tearing, and the threads that were cut.
struct Cut {
    moment: Moment,
    tears: Vec<Option<Tear>>,
    threads: Vec<u32>,
}

/// What was undone, as it is done again.
enum Again {
    Scene(Box<Scene>),
    Cut(Vec<u32>),
}

/// What was, and what was undone.
#[derive(Default)]
pub(super) struct Undo {
    before: Vec<Before>,
    undone: Vec<Again>,
    /// The control that was turned last, and when.
    last: Option<(String, Instant)>,
    /// The pointer's button is down: all turns of one control until it is up are one edit.
    held: bool,
}

impl Undo {
    /// The field at `path` is about to change in `scene`.
    pub(super) fn note(&mut self, path: &str, scene: &Scene) {
        if !self.goes_on(path) {
            self.undone.clear();
            self.push(Before::Scene(Box::new(scene.clone())));
        }
    }

    /// Whether it is the edit that was last.
    fn goes_on(&mut self, path: &str) -> bool {
        let same = self.is_last(path);
        self.last = Some((path.to_string(), Instant::now()));
        same
    }

    fn is_last(&self, path: &str) -> bool {
        self.last.as_ref().is_some_and(|(last, at)| last == path && (self.held || at.elapsed() < ONE_EDIT))
    }

    fn push(&mut self, before: Before) {
        self.before.push(before);
        let cuts = self.before.iter().enumerate().filter(|(_, before)| matches!(before, Before::Cut(_)));
        // Before a cut that cannot be taken back nothing can.
        let forget = cuts.clone().count().checked_sub(CUTS).filter(|more| *more > 0);
        let forget = forget.and_then(|more| cuts.clone().nth(more - 1)).map_or(0, |(place, _)| place + 1);
        self.before.drain(..forget.max(self.before.len().saturating_sub(KEPT)));
    }

    /// The pointer's button went down or up: one drag is one edit, however slow, and another drag another.
    fn hold(&mut self, down: bool) {
        self.held = down;
        match &mut self.last {
            // What the release still turns is part of it.
            Some((_, at)) if !down => *at = Instant::now(),
            last => *last = None,
        }
    }

    /// The file was saved: what its save changed is no edit of the panel, and is not taken back with one.
    pub(super) fn rebase(&mut self, changes: &[Change], file: &Scene) {
        let before = self.before.iter_mut().filter_map(|before| match before {
            Before::Scene(scene) => Some(scene),
            Before::Cut(_) => None,
        });
        let undone = self.undone.iter_mut().filter_map(|again| match again {
            Again::Scene(scene) => Some(scene),
            Again::Cut(_) => None,
        });
        before.chain(undone).for_each(|scene| carry(paths(changes), file, scene));
    }

    /// Another file runs: what was is no past of it.
    pub(super) fn clear(&mut self) {
        *self = Self { held: self.held, ..Self::default() };
    }
}

/// Where something changed.
pub(super) fn paths(changes: &[Change]) -> impl Iterator<Item = &str> {
    changes.iter().map(|change| change.path.as_str())
}

impl Session {
    /// The pointer's button went down or up in the window.
    pub fn hold_edit(&mut self, down: bool) {
        self.undo.hold(down);
    }

    /// Takes the last edit of the panel back, with the state as it is; of a cut, goes back to the state before it. Returns how
    /// many more there are.
    pub fn undo(&mut self) -> Result<usize, String> {
        let again = match self.undo.before.pop().ok_or("there is no edit to take back")? {
            Before::Scene(scene) => {
                let now = Again::Scene(Box::new(self.setup.scene().clone()));
                self.apply(*scene)?;
                now
            }
            Before::Cut(cut) => Again::Cut(self.uncut(*cut)?),
        };
        self.undo.undone.push(again);
        self.undo.last = None;
        self.go_on();
        Ok(self.undo.before.len())
    }

    /// Does the edit again that was taken back last. Returns how many more there are.
    pub fn redo(&mut self) -> Result<usize, String> {
        match self.undo.undone.pop().ok_or("nothing was taken back")? {
            Again::Scene(scene) => {
                let now = Before::Scene(Box::new(self.setup.scene().clone()));
                self.apply(*scene)?;
                self.undo.before.push(now);
            }
            Again::Cut(threads) => {
                self.read_all();
                let (before, tears) = (self.before_cut(), self.tears());
                self.let_be_cut()?;
                self.cut_noted(before, tears, &threads);
            }
        }
        self.undo.last = None;
        self.go_on();
        Ok(self.undo.undone.len())
    }

    /// The state, for a cut that is about to be done; none while one goes on.
    pub(super) fn before_cut(&mut self) -> Option<Moment> {
        if self.undo.is_last(CUT) && matches!(self.undo.before.last(), Some(Before::Cut(_))) {
            return None;
        }
        let (run, mut moment) = (self.engine.run(), Moment::default());
        moment.describe(run, Energy::of(&run.state), &self.hand.drags, &self.hand.held);
        moment.state.take(&run.state);
        Some(moment)
    }

    /// Threads were cut: how that is taken back. `before` as of [`Session::before_cut`], `tears` from before it.
    pub(super) fn note_cut(&mut self, before: Option<Moment>, tears: Vec<Option<Tear>>, threads: &[u32]) {
        self.undo.goes_on(CUT);
        match (before, self.undo.before.last_mut()) {
            (Some(moment), _) => {
                self.undo.push(Before::Cut(Box::new(Cut { moment, tears, threads: threads.to_vec() })));
            }
            (None, Some(Before::Cut(cut))) => cut.threads.extend_from_slice(threads),
            (None, _) => {}
        }
    }

    /// A new edit: what was taken back is not done again.
    pub(super) fn forget_undone(&mut self) {
        self.undo.undone.clear();
    }

    /// Back to the state before a cut; colliders that were dragged since go where they are now. Returns the threads that it had cut.
    fn uncut(&mut self, cut: Cut) -> Result<Vec<u32>, String> {
        let Cut { moment, tears, threads } = cut;
        let rows = moment.state.rows::<[f32; 4]>("particle", "position").count();
        if rows != self.engine.run().state.get(col::particle::position).len() {
            return Err("the cut is one of another cloth, it cannot be taken back".into());
        }
        self.end_loop();
        self.release();
        self.read_all();
        let drags = self.hand.drags.clone();
        if tears != self.tears() {
            match self.timeline.uncut.take() {
                Some(part) => _ = self.exchange_part(part)?,
                None => self.set_tears(&tears)?,
            }
        }
        self.timeline.cut = None;
        self.timeline.history.begin_at(moment.frame);
        self.put_back(&moment)?;
        self.jumped("a cut was taken back");
        self.settle();
        self.drag_again(&drags);
        Ok(threads)
    }
}
