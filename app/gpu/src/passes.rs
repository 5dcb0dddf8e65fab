//! `shaders/sim`: the lists of passes in `passes.ron`.

mod parts;
mod sources;

use std::collections::BTreeMap;

use serde::Deserialize;

use weft_draw::ShaderError;

pub use sources::{Sources, built_in};

/// The file with the lists.
pub const PASSES: &str = "passes.ron";

/// What `passes.ron` holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passes {
    /// Columns that only the device has.
    pub columns: Vec<Private>,
    /// What several lists have in common, by name; [`Passes::read`] puts it into them.
    #[serde(default)]
    parts: BTreeMap<String, Vec<Node>>,
    pub lists: Vec<List>,
}

/// A column that only the device has; it starts at zero.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Private {
    pub table: String,
    pub column: String,
    pub element: Kind,
    /// Of a table that the state has not; left out: those of the table.
    #[serde(default)]
    pub rows: Option<usize>,
}

/// [`sim_api::Element`] as written in RON.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum Kind {
    F32,
    F32x2,
    F32x4,
    U32,
    U32x2,
    U32x4,
}

impl Kind {
    pub fn element(self) -> sim_api::Element {
        match self {
            Self::F32 => sim_api::Element::F32,
            Self::F32x2 => sim_api::Element::F32x2,
            Self::F32x4 => sim_api::Element::F32x4,
            Self::U32 => sim_api::Element::U32,
            Self::U32x2 => sim_api::Element::U32x2,
            Self::U32x4 => sim_api::Element::U32x4,
        }
    }
}

/// One way to run a solver on the GPU.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    pub name: String,
    /// The solver of the hot code that does the same.
    pub solver: String,
    pub doc: String,
    /// Constraint tables whose rows it moves.
    pub takes: Vec<String>,
    pub needs: Vec<Condition>,
    pub passes: Vec<Node>,
}

/// A part of a frame.
#[derive(Clone, Debug, Deserialize)]
pub enum Node {
    /// A dispatch, or one for each colour.
    Pass {
        /// Left out in a part for [`Node::Each`].
        #[serde(default)]
        file: String,
        #[serde(default)]
        with: Vec<String>,
        over: String,
        #[serde(default)]
        by: By,
        #[serde(default)]
        when: Vec<Condition>,
    },
    /// Exchanges two columns.
    Swap(String, String),
    Substeps(Vec<Node>),
    Iterations(Vec<Node>),
    /// In the first substep of a frame only.
    FirstSubstep(Vec<Node>),
    /// `share` times as often as there are iterations, but at least so many times.
    Rounds {
        least: u32,
        share: f32,
        passes: Vec<Node>,
    },
    /// For each colour of a table all of them; those over this table take the colour's rows.
    Colours(String, Vec<Node>),
    /// Passes with one more `when`.
    When(Vec<Condition>, Vec<Node>),
    /// One of [`Passes`]' parts.
    Part(String),
    /// A file with what each pass of a part has: libraries and `when`.
    Each {
        of: String,
        file: String,
        #[serde(default)]
        with: Vec<String>,
    },
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum By {
    /// All rows in one dispatch.
    #[default]
    Rows,
    /// A dispatch for each colour; rows that have none run one by one.
    Colours,
    /// All rows in one dispatch, a workgroup for each.
    Groups,
}

/// What must hold for a list or a pass to run.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub enum Condition {
    /// Air pushes on the cloth.
    Wind,
    Colliders,
    /// Colliders from a triangle mesh.
    Meshes,
    /// Colliders that have a mass.
    Bodies,
    /// Particles are held by the hand.
    Holds,
    /// A spring has a damper.
    Damping,
    /// Many particles share a stencil (`stencils.rs`).
    Repeats,
    /// The distance rows fit into tiles (`tiles.rs`).
    Tiles,
    /// Somebody looks at forces, stresses and accelerations after this frame.
    Looked,
    /// A table has rows of this model.
    Has(String, u32),
    /// A table has rows.
    Rows(String),
    /// A table other than that of the springs has rows that resist.
    Others,
    /// A parameter of the solver stands on this choice.
    Choice(String, String),
    /// A parameter of the solver has this value.
    Number(String, f32),
    Not(Box<Condition>),
}

impl List {
    /// Whether a parameter may stand on a choice.
    pub fn bears(&self, param: &str, choice: &str) -> bool {
        let other = |need: &Condition| matches!(need, Condition::Choice(name, wanted) if name == param && wanted != choice);
        !self.needs.iter().any(other)
    }
}

impl Passes {
    /// Reads `passes.ron`.
    pub fn read(sources: &Sources) -> Result<Self, ShaderError> {
        let text = sources.text(PASSES).ok_or_else(|| ShaderError::new(PASSES, "the file is missing"))?;
        let options =
            ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let read: Self = options.from_str(text).map_err(|error| {
            let at = error.span.start;
            let (line, column) = (at.line as u32, at.col as u32);
            let message = error.code.to_string();
            let report = format!("error: {message}\n  --> {PASSES}:{line}:{column}");
            ShaderError { file: PASSES.into(), line: Some(line), column: Some(column), message, report }
        })?;
        read.with_parts().map_err(|message| ShaderError::new(PASSES, message))
    }
}
