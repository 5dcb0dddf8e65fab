//! A solver's parameters, declared in the hot code. Panel sliders, `--set`, the scene check and `weft solvers` are
//! built from these descriptions.

use crate::Str;

#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// Any number in the range.
    Number = 0,
    /// A whole number in the range.
    Count = 1,
    /// One of `choices`; the value is its index.
    Choice = 2,
}

/// One parameter. Values cross the door as `f32`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ParamDesc {
    pub name: Str,
    /// SI unit, `""` for a dimensionless number.
    pub unit: Str,
    pub kind: ParamKind,
    pub default: f32,
    /// The default of scenes with strands.
    pub with_strands: f32,
    pub min: f32,
    pub max: f32,
    /// For [`ParamKind::Choice`]: the names, separated by `|`.
    pub choices: Str,
    pub doc: Str,
    /// What must be so for it to act: `NAME=A|B`, a choice of the same solver and its values, or the name of a table that has rows;
    /// `""`: it always does.
    pub only: Str,
}

impl ParamDesc {
    /// A number in `min..=max`.
    pub const fn number(
        name: &'static str,
        unit: &'static str,
        [min, default, max]: [f32; 3],
        doc: &'static str,
    ) -> Self {
        Self {
            name: Str::new(name),
            unit: Str::new(unit),
            kind: ParamKind::Number,
            default,
            with_strands: default,
            min,
            max,
            choices: Str::new(""),
            doc: Str::new(doc),
            only: Str::new(""),
        }
    }

    /// The same, where it acts with some values of another parameter alone (`order=jacobi|patch`), or on the rows of one table
    /// (`coarse`). Elsewhere the panel has it grey.
    pub const fn only(self, what: &'static str) -> Self {
        Self { only: Str::new(what), ..self }
    }

    /// The same, with another default where a scene has strands.
    pub const fn with_strands(self, default: f32) -> Self {
        Self { with_strands: default, ..self }
    }

    /// The value of a scene that says none.
    pub fn default_of(&self, has_strands: bool) -> f32 {
        if has_strands { self.with_strands } else { self.default }
    }

    /// A whole number in `min..=max`.
    pub const fn count(name: &'static str, [min, default, max]: [u32; 3], doc: &'static str) -> Self {
        let range = [min as f32, default as f32, max as f32];
        Self { kind: ParamKind::Count, ..Self::number(name, "", range, doc) }
    }

    /// One of `choices` (separated by `|`); the first is the default.
    pub const fn choice(name: &'static str, choices: &'static str, doc: &'static str) -> Self {
        let (bytes, mut last, mut i) = (choices.as_bytes(), 0, 0);
        while i < bytes.len() {
            last += (bytes[i] == b'|') as u32;
            i += 1;
        }
        let range = [0.0, 0.0, last as f32];
        Self { kind: ParamKind::Choice, choices: Str::new(choices), ..Self::number(name, "", range, doc) }
    }

    /// The nearest value the declaration allows; a NaN becomes the default.
    pub fn clamp(&self, value: f32) -> f32 {
        if value.is_nan() {
            return self.default;
        }
        let value = value.clamp(self.min, self.max);
        if self.kind == ParamKind::Number { value } else { value.round() }
    }
}

layout! { ParamDesc { name, unit, kind, default, with_strands, min, max, choices, doc, only } }
