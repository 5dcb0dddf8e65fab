//! What the user is told: problems that last, notices that pass, and numbers.

use std::{collections::BTreeSet, path::Path};

use super::{Notice, Problems, self_collision::Reported};
use weft_engine::{run::Run, stability::Watch};
use weft_scene::Scene;

use crate::readings::{Measured, Meter};

/// Everything here is read by others and changes nothing.
pub struct Report {
    pub(super) problems: Problems,
    notices: Vec<Notice>,
    measured: Measured,
    meter: Meter,
    /// Largest frequency and step of explicit schemes, about once a second while watched.
    pub(super) stability: Watch,
    pub(super) self_collision: Reported,
    /// Hashes of the scenes, with their notes, of which the notes were told.
    noted: BTreeSet<u64>,
    /// Notes on the scene that was read last, wherever they stand in it.
    notes: BTreeSet<String>,
}

impl Report {
    pub(super) fn new(stability: Watch) -> Self {
        Self {
            problems: Problems::default(),
            notices: Vec::new(),
            measured: Measured::default(),
            meter: Meter::default(),
            stability,
            self_collision: Reported::default(),
            noted: BTreeSet::new(),
            notes: BTreeSet::new(),
        }
    }

    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Of the state that was measured last.
    pub fn measured(&self) -> &Measured {
        &self.measured
    }

    pub fn stability(&self) -> &Watch {
        &self.stability
    }

    /// A line for the next poll or step to hand out.
    pub(super) fn notice(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// Whether the notes on this text of a scene were not told yet.
    pub(super) fn notes_are_new(&mut self, path: &Path, text: &str, notes: &[String]) -> bool {
        let all = format!("{}\n{text}\n{}", path.display(), notes.join("\n"));
        self.noted.insert(xxhash_rust::xxh3::xxh3_64(all.as_bytes()))
    }

    /// Of the notes on a scene that was read, those that the one read before it did not have.
    pub(super) fn new_notes(&mut self, notes: Vec<String>) -> Vec<String> {
        let now = notes.iter().map(|note| weft_scene::without_place(note).to_owned()).collect();
        let before = std::mem::replace(&mut self.notes, now);
        let is_new = |note: &String| !before.contains(weft_scene::without_place(note));
        notes.into_iter().filter(is_new).collect()
    }

    pub(super) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    pub(super) fn set_notices(&mut self, notices: Vec<Notice>) {
        self.notices = notices;
    }

    pub(super) fn measure(&mut self, run: &Run, scene: &Scene) {
        self.measured = self.meter.read(run, scene.gravity);
        self.measured.motion.move_by(scene.origin, scene.gravity);
    }

    /// A line about a step that is larger than an explicit scheme bears, worked out now.
    pub(super) fn ask_stability(&mut self, run: &Run, scene: &Scene) -> Option<String> {
        self.stability.ask(run, scene.air_damping, scene.step)
    }
}
