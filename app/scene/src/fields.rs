//! The table of all tunable fields: each once, with unit, range, swap class and doc.
//!
//! One function, [`visit`], walks a scene and hands out every field with a place to read and write it.
//! Range checks, sliders, `--set`, the diff of two scenes and `weft schema` all stand on it.

mod declare;
mod schema;
mod table;

pub(crate) use declare::{InScene, declare};
pub(crate) use schema::kinds;
pub use schema::{Kind as FieldKind, Sort, schema};
pub use table::visit;
pub(crate) use table::{Visitor, row};

use super::{Value, Vec2, Vec3};

/// What a change of the field does to a running simulation, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Positions and velocities stay bit-identical.
    Live,
    /// Masses, rest lengths or collider poses are computed anew; positions stay.
    Rescale,
    /// Only that cloth starts again.
    Retopology,
    /// An object comes, goes or becomes another kind.
    Structural,
}

/// What is known about a field, apart from its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// `1` for dimensionless.
    pub unit: &'static str,
    /// Inclusive, in `unit`, for each component.
    pub min: f32,
    /// Inclusive, in `unit`, for each component.
    pub max: f32,
    pub doc: &'static str,
    pub class: Class,
    /// The panel shows it.
    pub slider: bool,
    /// The slider is logarithmic.
    pub log: bool,
}

/// A field that is one of some names.
pub trait Choice: std::fmt::Debug {
    fn names(&self) -> &'static [&'static str];
    /// Index into the names.
    fn chosen(&self) -> usize;
    fn choose(&mut self, index: usize);
}

/// [`Choice`] for an enum without fields.
macro_rules! choice {
    ($type:ident: $($name:ident),+) => {
        impl Choice for $type {
            fn names(&self) -> &'static [&'static str] {
                &[$(stringify!($name)),+]
            }

            fn chosen(&self) -> usize {
                *self as usize
            }

            fn choose(&mut self, index: usize) {
                *self = [$(Self::$name),+][index];
            }
        }
    };
}
pub(super) use choice;

/// Where the value lives.
#[derive(Debug)]
pub enum Slot<'a> {
    Float(&'a mut f32),
    Int(&'a mut u32),
    Vec2(&'a mut Vec2),
    Vec3(&'a mut Vec3),
    Flag(&'a mut bool),
    Text(&'a mut String),
    Choice(&'a mut dyn Choice),
    /// A solver parameter; its range is the solver's.
    Param(&'a mut Value),
}

/// One field of one object.
#[derive(Debug)]
pub struct Field<'a> {
    /// Such as `cloths.flag.material.density`.
    pub path: String,
    pub slot: Slot<'a>,
    pub row: Row,
}

/// How list items are named in paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// `cloths.flag`: for people.
    Id,
    /// `cloths[0]`: for places in the text, also where ids are wrong.
    Index,
}

impl Slot<'_> {
    /// The components of a number or vector; empty for texts, flags and parameters.
    pub fn components(&self) -> Vec<f64> {
        match self {
            Self::Float(value) => vec![f64::from(**value)],
            Self::Int(value) => vec![f64::from(**value)],
            Self::Vec2(value) => value.iter().copied().map(f64::from).collect(),
            Self::Vec3(value) => value.iter().copied().map(f64::from).collect(),
            Self::Flag(_) | Self::Text(_) | Self::Choice(_) | Self::Param(_) => Vec::new(),
        }
    }

    /// The value as it would be written in a scene.
    pub fn written(&self) -> String {
        match self {
            Self::Float(value) => format!("{value:?}"),
            Self::Int(value) => value.to_string(),
            Self::Vec2([x, y]) => format!("({x:?}, {y:?})"),
            Self::Vec3([x, y, z]) => format!("({x:?}, {y:?}, {z:?})"),
            Self::Flag(value) => value.to_string(),
            Self::Text(value) => format!("{value:?}"),
            Self::Choice(value) => value.names()[value.chosen()].to_owned(),
            Self::Param(value) => value.to_string(),
        }
    }
}

impl Row {
    /// The least and the most that it may be, in figures.
    pub fn bounds(&self) -> [String; 2] {
        [self.min, self.max].map(|x| if x.abs() < 1e10 { x.to_string() } else { format!("{x:e}") })
    }

    /// The first component outside the range, with a message. NaN is outside of every range.
    pub fn fault(&self, name: &str, slot: &Slot<'_>) -> Option<(usize, String)> {
        let components = slot.components();
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let bad = components.iter().position(|value| !(min..=max).contains(value))?;
        let value = components[bad];
        let unit = if self.unit == "1" { String::new() } else { format!(" {}", self.unit) };
        let axis = match (components.len(), bad) {
            (1, _) => "",
            (_, 0) => ".x",
            (_, 1) => ".y",
            _ => ".z",
        };
        let message = if value.is_nan() {
            format!("`{name}{axis}` is not a number")
        } else if value == value.trunc() {
            format!("`{name}{axis}` is {value}{unit}")
        } else {
            format!("`{name}{axis}` is {}{unit}", value as f32)
        };
        let [min, max] = self.bounds();
        Some((bad, format!("{message}; it must be between {min} and {max}{unit}")))
    }
}
