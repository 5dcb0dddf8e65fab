//! Readings: every number that can be said about a run, by name. Tables, JSON, CSV, the panel and `expect` share them.
//!
//! What the host measures is a line in one of the lists below; each list is one file of `readings/`. What costs a pass over
//! the state is measured once a frame ([`Measured`]); the lines only pick from it. What the code says of its own step it
//! declares itself ([`sim_api::ReadingDesc`]).

mod bodies;
mod code;
mod elastic;
mod gas;
mod grid;
mod measured;
mod motion;
mod places;
mod rows;
mod shape;
mod solver;
mod stability;
mod strand_shape;
mod strands;
mod stretch;

use std::collections::BTreeMap;

use glam::DVec3;
use sim_api::ReadingDesc;
use weft_core::state::{State, col};
use weft_engine::{generation::Generation, stability::Verdict};
use weft_scene::{
    Scene, Vocabulary,
    assemble::{self, Object},
};

pub use code::Difference;
pub use elastic::Elastic;
pub use grid::in_cell;
pub use measured::{Measured, Meter};
pub use motion::Motion;
pub use places::{has_place, place};
pub use rows::{Rows, RowsMeter, length_error};
pub use strands::{StrandSegment, strand_segments};
pub use stretch::Stretch;

/// What readings are taken from, all of it after the same step.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// What declares readings of its own.
    pub code: &'a Generation,
    /// Name of the solver.
    pub solver: &'a str,
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
    /// Positions of all particles [m], relative to [`Input::origin`].
    pub fn positions(&self) -> &'a [[f32; 4]] {
        self.state.get(col::particle::position)
    }

    /// [m], world space.
    pub fn origin(&self) -> DVec3 {
        DVec3::from(self.scene.origin.map(f64::from))
    }

    /// Positions of all particles [m], world space.
    pub fn world(&self) -> impl Iterator<Item = DVec3> + use<'a> {
        let origin = self.origin();
        self.positions().iter().map(move |x| origin + motion::vector(*x))
    }
}

/// A number about the state of a run after a step, as the host measures it.
pub struct Reading {
    /// As written in `expect` and as the key of JSON and CSV.
    pub name: &'static str,
    /// `1` where it has none.
    pub unit: &'static str,
    pub doc: &'static str,
    /// `None` where it has no meaning: no such rows, no pins.
    pub of: fn(&Input) -> Option<f64>,
}

/// All lists, in the order they are shown.
pub const LISTS: &[&[Reading]] = &[
    motion::LIST,
    bodies::LIST,
    elastic::LIST,
    rows::LIST,
    shape::LIST,
    strands::LIST,
    strand_shape::LIST,
    grid::LIST,
    gas::LIST,
    solver::LIST,
    stability::LIST,
    code::LIST,
];

/// A reading of either kind.
#[derive(Clone, Copy)]
pub struct AnyReading {
    /// As written in `expect` and as the key of JSON and CSV.
    pub name: &'static str,
    /// `1` where it has none.
    pub unit: &'static str,
    pub doc: &'static str,
    /// Red in the panel above 0: a list that overflowed, cloth that passed through cloth.
    pub must_be_0: bool,
    source: Source,
}

#[derive(Clone, Copy)]
enum Source {
    Measured(fn(&Input) -> Option<f64>),
    Declared,
}

impl AnyReading {
    /// `None` where it has no meaning: no such rows, no pins, a solver that did not give it in the last step.
    pub fn of(&self, input: &Input) -> Option<f64> {
        match self.source {
            Source::Measured(of) => of(input),
            // NaN: given in an earlier step.
            Source::Declared => {
                input.given.get(self.name).filter(|value| value.is_finite()).map(|value| (*value).into())
            }
        }
    }
}

impl From<&Reading> for AnyReading {
    fn from(&Reading { name, unit, doc, of }: &Reading) -> Self {
        Self { name, unit, doc, must_be_0: false, source: Source::Measured(of) }
    }
}

impl From<&ReadingDesc> for AnyReading {
    fn from(reading: &ReadingDesc) -> Self {
        Self {
            name: reading.name.as_str(),
            unit: reading.unit.as_str(),
            doc: reading.doc.as_str(),
            must_be_0: reading.must_be_0,
            source: Source::Declared,
        }
    }
}

/// What is not 0 after the last step and must be, with its value: red in the panel, whatever is folded.
pub fn alarms(input: &Input) -> Vec<(AnyReading, f64)> {
    let value = |reading: AnyReading| Some((reading, reading.of(input).filter(|value| *value > 0.0)?));
    all(input.code).filter(|reading| reading.must_be_0).filter_map(value).collect()
}

/// What a scene may name, with this code.
pub fn vocabulary(code: &Generation) -> Vocabulary {
    let readings = all(code).map(|reading| reading.name).collect();
    Vocabulary { solvers: assemble::solver_infos(code.solvers()), readings }
}

/// All readings: the host's lists, then what the code declares.
pub fn all(code: &Generation) -> impl Iterator<Item = AnyReading> {
    LISTS.iter().copied().flatten().map(AnyReading::from).chain(code.readings().map(AnyReading::from))
}

/// The reading of a name.
pub fn find(code: &Generation, name: &str) -> Option<AnyReading> {
    let measured = LISTS.iter().copied().flatten().find(|reading| reading.name == name);
    measured.map(AnyReading::from).or_else(|| code.reading(name).map(AnyReading::from))
}

/// What the hot code gave about the last step under names that nobody declares, sorted.
pub fn others<'a>(input: &Input<'a>) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
    let code = input.code;
    let unknown = move |name: &str| find(code, name).is_none();
    let given = input.given.iter().filter(move |(name, value)| value.is_finite() && unknown(name));
    given.map(|(name, value)| (name.as_str(), f64::from(*value)))
}

/// A number with its unit, four digits: `12.35 N/m`.
pub fn text(value: f64, unit: &str) -> String {
    // 0 has no sign here.
    let (value, size) = (value + 0.0, value.abs());
    let digits = if size >= 1.0 { 3_usize.saturating_sub(size.log10() as usize) } else { 4 };
    let number = if value == 0.0 || (1e-3..1e6).contains(&size) {
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    };
    if unit == "1" || unit.is_empty() { number } else { format!("{number} {unit}") }
}
