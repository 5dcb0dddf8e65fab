//! Undo and redo of what is turned in the panel: scenes as they were, newest last.

use std::time::Duration;

use weft_core::clock::Instant;
use weft_scene::Scene;

use super::Session;

/// Scenes kept.
const KEPT: usize = 100;
/// Turns of one control that follow each other this fast are one edit.
const ONE_EDIT: Duration = Duration::from_millis(800);

/// What was, and what was undone.
#[derive(Default)]
pub(super) struct Undo {
    before: Vec<Scene>,
    undone: Vec<Scene>,
    /// The control that was turned last, and when.
    last: Option<(String, Instant)>,
}

impl Undo {
    /// The field at `path` is about to change in `scene`.
    pub(super) fn note(&mut self, path: &str, scene: &Scene) {
        let now = Instant::now();
        let same = self.last.as_ref().is_some_and(|(last, at)| last == path && now - *at < ONE_EDIT);
        self.last = Some((path.to_string(), now));
        if same {
            return;
        }
        self.undone.clear();
        self.before.push(scene.clone());
        if self.before.len() > KEPT {
            self.before.remove(0);
        }
    }

    /// Another file runs: what was is no past of it.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Session {
    /// Takes the last edit of the panel back, with the state as it is. Returns how many more there are.
    pub fn undo(&mut self) -> Result<usize, String> {
        let scene = self.undo.before.pop().ok_or("there is no edit to take back")?;
        let now = self.setup.scene().clone();
        self.apply(scene)?;
        self.undo.undone.push(now);
        self.undo.last = None;
        self.go_on();
        Ok(self.undo.before.len())
    }

    /// Does the edit again that was taken back last. Returns how many more there are.
    pub fn redo(&mut self) -> Result<usize, String> {
        let scene = self.undo.undone.pop().ok_or("nothing was taken back")?;
        let now = self.setup.scene().clone();
        self.apply(scene)?;
        self.undo.before.push(now);
        self.undo.last = None;
        self.go_on();
        Ok(self.undo.undone.len())
    }
}
