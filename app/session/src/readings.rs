//! Readings: every number that can be said about a run, by name. Tables, JSON, CSV, the panel and `expect` share them.
//!
//! A reading is a line in one of the lists below; each list is one file of `readings/`. What costs a pass over the state
//! is measured once a frame ([`Measured`]); the lines only pick from it.

mod bodies;
mod code;
mod elastic;
mod gas;
mod measured;
mod motion;
mod rows;
mod shape;
mod solver;
mod stability;
mod stretch;

use std::collections::BTreeMap;

use sim_api::SolverDesc;
use weft_core::state::State;
use weft_engine::stability::Verdict;
use weft_scene::{
    Scene, Vocabulary,
    assemble::{self, Object},
};

use crate::history::Difference;

pub use elastic::Elastic;
pub use measured::{Measured, Meter};
pub use motion::Motion;
pub use rows::{Rows, RowsMeter};
pub use stretch::Stretch;

/// What readings are taken from, all of it after the same step.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub state: &'a State,
    /// Numbers that the hot code gave about the step, by name; NaN: it gave one before, but not now.
    pub given: &'a BTreeMap<String, f32>,
    pub scene: &'a Scene,
    pub objects: &'a [Object],
    pub measured: &'a Measured,
    /// The last verdict on the step of an explicit scheme.
    pub stability: Option<&'a Verdict>,
    /// From the code before, while it runs beside.
    pub difference: Option<&'a Difference>,
}

impl<'a> Input<'a> {
    /// Positions of all particles [m].
    pub fn positions(&self) -> &'a [[f32; 4]] {
        self.state.column("particle", "position")
    }
}

/// A number about the state of a run after a step.
pub struct Reading {
    /// As written in `expect` and as the key of JSON and CSV.
    pub name: &'static str,
    /// `1` where it has none.
    pub unit: &'static str,
    pub doc: &'static str,
    /// `None` where it has no meaning: no such rows, no pins, a solver that does not give it.
    pub of: fn(&Input) -> Option<f64>,
}

/// All lists, in the order they are shown.
pub const LISTS: &[&[Reading]] = &[
    motion::LIST,
    bodies::LIST,
    elastic::LIST,
    rows::LIST,
    shape::LIST,
    gas::LIST,
    solver::LIST,
    stability::LIST,
    code::LIST,
];

/// What is red in the panel above 0: a list that overflowed, cloth that passed through cloth.
pub const MUST_BE_0: [&str; 4] = ["self_overflow", "self_passed_through", "self_too_fast", "self_crossings"];

/// What is not 0 of those after the last step, with its value and meaning: red in the panel, whatever is folded.
pub fn alarms(input: &Input) -> Vec<(&'static Reading, f64)> {
    let value =
        |reading: &'static Reading| Some((reading, (reading.of)(input).filter(|value| *value > 0.0)?));
    all().filter(|reading| MUST_BE_0.contains(&reading.name)).filter_map(value).collect()
}

/// What a scene may name, with these solvers.
pub fn vocabulary(solvers: &[SolverDesc]) -> Vocabulary {
    let readings = all().map(|reading| reading.name).collect();
    Vocabulary { solvers: assemble::solver_infos(solvers), readings }
}

/// All readings.
pub fn all() -> impl Iterator<Item = &'static Reading> {
    LISTS.iter().copied().flatten()
}

/// The reading of a name.
pub fn find(name: &str) -> Option<&'static Reading> {
    all().find(|reading| reading.name == name)
}

/// What the hot code gave about the last step under names that no list has, sorted.
pub fn others<'a>(input: &Input<'a>) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
    let given = input.given.iter().filter(|(name, value)| value.is_finite() && find(name).is_none());
    given.map(|(name, value)| (name.as_str(), f64::from(*value)))
}

/// A number with its unit, four digits: `12.35 N/m`.
pub fn text(value: f64, unit: &str) -> String {
    let size = value.abs();
    let digits = if size >= 1.0 { 3_usize.saturating_sub(size.log10() as usize) } else { 4 };
    let number = if value == 0.0 || (1e-3..1e6).contains(&size) {
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    };
    if unit == "1" || unit.is_empty() { number } else { format!("{number} {unit}") }
}
