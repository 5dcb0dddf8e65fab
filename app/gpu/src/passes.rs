//! `shaders/sim`: the lists of passes in `passes.ron`.

mod parts;
mod sources;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Deserialize;

use weft_draw::{ShaderError, shader::named_in};

pub use sources::{FOLDER, Private, Sources, built_in, fault, name, path, placed};

/// The file with the lists.
pub const PASSES: &str = "shaders/sim/passes.ron";

/// What `passes.ron` holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passes {
    /// What several lists have in common, by name; [`Passes::read`] puts it into them.
    #[serde(default, deserialize_with = "parts::read_each_once")]
    parts: BTreeMap<String, Vec<Node>>,
    pub lists: Vec<List>,
}

/// One way to run a solver on the GPU.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    pub name: String,
    /// The solver of the hot code that does the same.
    pub solver: String,
    pub doc: String,
    /// Constraint tables whose rows it moves.
    pub takes: Vec<String>,
    pub needs: Vec<Condition>,
    /// What its passes may ask for with `#ifdef`, besides what they are listed with.
    #[serde(default)]
    pub features: Vec<String>,
    pub passes: Vec<Node>,
    /// Every feature of any list.
    #[serde(skip)]
    pub known: Arc<BTreeSet<String>>,
}

/// A part of a frame.
#[derive(Clone, Debug, Deserialize)]
pub enum Node {
    /// A dispatch, or one for each colour.
    Pass {
        /// Left out in a part for [`Node::Each`].
        #[serde(default)]
        file: String,
        over: String,
        #[serde(default)]
        by: By,
        #[serde(default)]
        when: Vec<Condition>,
        /// What `#ifdef` finds: the list's features, and those of what must hold for the list and for the pass.
        #[serde(skip)]
        features: Vec<String>,
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
    /// So many times as a parameter of the solver says, `each` of these at a time.
    Count {
        of: String,
        each: u32,
        passes: Vec<Node>,
    },
    /// For each colour of a table all of them; those over this table take the colour's rows.
    Colours(String, Vec<Node>),
    /// Passes with one more `when`.
    When(Vec<Condition>, Vec<Node>),
    /// One of [`Passes`]' parts.
    Part(String),
    /// A file for each pass of a part, with its `when`.
    Each {
        of: String,
        file: String,
    },
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum By {
    /// All rows in one dispatch.
    #[default]
    Rows,
    /// A dispatch for each colour; rows that have none run one by one.
    Colours,
}

/// What must hold for a list or a pass to run.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub enum Condition {
    /// Air pushes on the cloth.
    Wind,
    Colliders,
    /// Particles that are of no strand.
    Cloth,
    /// Colliders from a triangle mesh.
    Meshes,
    /// Colliders that have a mass.
    Bodies,
    /// Particles are held by the hand.
    Holds,
    /// A spring has a damper.
    Damping,
    /// Strands are closed.
    Rings,
    /// Many particles share a stencil (`stencils.rs`).
    Repeats,
    /// The distance rows fit into tiles (`tiles.rs`).
    Tiles,
    /// Forces, stresses and accelerations after this frame are asked for.
    Diagnostics,
    /// A table has rows of this model (`constants.rs`).
    Has(String, String),
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

impl Condition {
    /// What a pass that is listed with it may ask for.
    fn features(&self) -> Vec<String> {
        match self {
            Self::Wind => vec!["wind".into()],
            Self::Colliders => vec!["colliders".into()],
            Self::Cloth => vec!["cloth".into()],
            Self::Meshes => vec!["meshes".into()],
            Self::Bodies => vec!["bodies".into()],
            Self::Holds => vec!["holds".into()],
            Self::Damping => vec!["damping".into()],
            Self::Rings => vec!["rings".into()],
            Self::Repeats => vec!["repeats".into()],
            Self::Tiles => vec!["tiles".into()],
            Self::Diagnostics => vec!["diagnostics".into()],
            Self::Others => vec!["others".into()],
            Self::Has(table, model) => vec![table.clone(), model.clone()],
            Self::Rows(table) => vec![table.clone()],
            Self::Choice(..) | Self::Number(..) | Self::Not(_) => Vec::new(),
        }
    }
}

impl Node {
    /// A pass that nothing is asked of.
    pub fn pass(file: &str, over: &str) -> Self {
        let (file, over) = (file.to_string(), over.to_string());
        Self::Pass { file, over, by: By::Rows, when: Vec::new(), features: Vec::new() }
    }
}

/// Is told file, features and conditions of a pass.
type Visit<'a> = dyn FnMut(&str, &[String], &[Condition]) + 'a;

impl List {
    /// File, features and conditions of every pass.
    pub(crate) fn each_pass(&self, visit: &mut Visit) {
        let mut open: Vec<&Node> = self.passes.iter().collect();
        while let Some(node) = open.pop() {
            match node {
                Node::Pass { file, when, features, .. } => visit(file, features, when),
                Node::Substeps(nodes)
                | Node::Iterations(nodes)
                | Node::FirstSubstep(nodes)
                | Node::Rounds { passes: nodes, .. }
                | Node::Count { passes: nodes, .. }
                | Node::Colours(_, nodes)
                | Node::When(_, nodes) => open.extend(nodes),
                Node::Swap(..) | Node::Part(_) | Node::Each { .. } => {}
            }
        }
    }

    /// Whether a parameter may stand on a choice.
    pub fn bears(&self, param: &str, choice: &str) -> bool {
        let other = |need: &Condition| matches!(need, Condition::Choice(name, wanted) if name == param && wanted != choice);
        !self.needs.iter().any(other)
    }
}

/// Line and column, counted from 1, where a word first stands, and its length.
fn line_of(text: &str, word: &str) -> (usize, usize, usize) {
    let found = text.lines().zip(1..).find_map(|(line, number)| Some((number, line.find(word)? + 1)));
    let (line, column) = found.unwrap_or((1, 1));
    (line, column, word.len())
}

/// An error in the list of passes, where the first name in its message that the list has stands; else where the list that it begins
/// with has its name.
pub(crate) fn misnamed(sources: &Sources, message: &str) -> ShaderError {
    let text = sources.text(PASSES).unwrap_or_default();
    let list = message.split_once(':').map(|(list, _)| list);
    let mut names = named_in(message).chain(list).map(|name| format!("{name:?}"));
    match names.find(|name| text.contains(name.as_str())) {
        Some(name) => fault(sources, PASSES, line_of(text, &name), message),
        None => ShaderError::new(PASSES, message),
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
            fault(sources, PASSES, (at.line, at.col, 1), &error.code.to_string())
        })?;
        if read.lists.is_empty() {
            let at = line_of(text, "lists");
            return Err(fault(sources, PASSES, at, "no solver has a list of passes: `lists` is empty"));
        }
        read.with_parts().map_err(|message| misnamed(sources, &message))
    }
}
