//! Readings: every number that can be said about a run, by name. Tables, JSON, CSV, the panel and `expect` share them.
//!
//! A reading is a line in one of the lists below; each list is one file of `readings/`.

mod motion;
mod shape;

use crate::lab::Lab;

/// A number about the state of a run after a step.
pub struct Reading {
    /// As written in `expect` and as the key of JSON and CSV.
    pub name: &'static str,
    pub unit: &'static str,
    pub doc: &'static str,
    /// `None` where it has no meaning: no such rows, no pins, a solver that does not give it.
    pub of: fn(&Lab) -> Option<f64>,
}

/// All lists, in the order they are shown.
pub const LISTS: &[&[Reading]] = &[motion::LIST, shape::LIST];

/// All readings.
pub fn all() -> impl Iterator<Item = &'static Reading> {
    LISTS.iter().copied().flatten()
}

/// The reading of a name.
pub fn find(name: &str) -> Option<&'static Reading> {
    all().find(|reading| reading.name == name)
}
