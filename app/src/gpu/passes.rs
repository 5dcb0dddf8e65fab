//! `shaders/sim`: the lists of passes in `passes.ron`, and the WGSL texts.

mod parts;

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

use crate::{draw::ShaderError, live::Project};

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

/// The texts of the folder by file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    texts: BTreeMap<String, String>,
}

macro_rules! built_in {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../../shaders/sim/", $file)))),*]
    };
}

/// What was compiled into the program.
const BUILT_IN: &[(&str, &str)] = &built_in![
    "air.wgsl",
    "area.wgsl",
    "around.wgsl",
    "block.wgsl",
    "bodies.wgsl",
    "body_advance.wgsl",
    "body_react.wgsl",
    "body_sums.wgsl",
    "chebyshev.wgsl",
    "collide.wgsl",
    "copy.wgsl",
    "damping.wgsl",
    "dihedral.wgsl",
    "distance.wgsl",
    "elastic.wgsl",
    "elastic_attachment.wgsl",
    "elastic_blocks.wgsl",
    "elastic_hinge.wgsl",
    "elastic_products.wgsl",
    "elastic_step.wgsl",
    "elastic_system.wgsl",
    "elastic_tether.wgsl",
    "elastic_triangle.wgsl",
    "energy.wgsl",
    "explicit.wgsl",
    "explicit_contact.wgsl",
    "explicit_fused.wgsl",
    "explicit_position.wgsl",
    "explicit_step.wgsl",
    "explicit_tension.wgsl",
    "explicit_velocity.wgsl",
    "find_planes.wgsl",
    "finite.wgsl",
    "forces.wgsl",
    "gas_begin.wgsl",
    "gas_compliant.wgsl",
    "gas_gradient.wgsl",
    "gas_leak.wgsl",
    "gas_move.wgsl",
    "gas_project.wgsl",
    "gas_rigid.wgsl",
    "held.wgsl",
    "hold_planes.wgsl",
    "holds.wgsl",
    "implicit.wgsl",
    "implicit_blocks.wgsl",
    "implicit_chebyshev.wgsl",
    "implicit_inverse.wgsl",
    "implicit_jacobi.wgsl",
    "implicit_step.wgsl",
    "implicit_tension.wgsl",
    "keep.wgsl",
    "keep_predicted.wgsl",
    "keep_velocity.wgsl",
    "leap.wgsl",
    "links.wgsl",
    "membrane.wgsl",
    "membrane_stress.wgsl",
    "meshes.wgsl",
    "neo_hookean.wgsl",
    "no_meshes.wgsl",
    "no_planes.wgsl",
    "normals.wgsl",
    "others.wgsl",
    "outcome.wgsl",
    "passes.ron",
    "pbd_area.wgsl",
    "pbd_attachment.wgsl",
    "pbd_dihedral.wgsl",
    "pbd_hinge.wgsl",
    "pbd_jacobi.wgsl",
    "pbd_jacobi_shares.wgsl",
    "pbd_others.wgsl",
    "pbd_quadratic_bend.wgsl",
    "pbd_shares.wgsl",
    "pbd_sor_shares.wgsl",
    "pbd_strains.wgsl",
    "pbd_tether.wgsl",
    "planes.wgsl",
    "pose.wgsl",
    "predict.wgsl",
    "quadratic_bend.wgsl",
    "row_stress.wgsl",
    "scan.wgsl",
    "scripted.wgsl",
    "self_begin.wgsl",
    "self_cell.wgsl",
    "self_clear.wgsl",
    "self_count.wgsl",
    "self_inertial.wgsl",
    "self_move.wgsl",
    "self_near.wgsl",
    "self_offsets.wgsl",
    "self_pair.wgsl",
    "self_project.wgsl",
    "self_row.wgsl",
    "self_scan.wgsl",
    "self_scatter.wgsl",
    "self_sort.wgsl",
    "self_velocity.wgsl",
    "spectrum_axis.wgsl",
    "spectrum_begin.wgsl",
    "spectrum_given.wgsl",
    "spectrum_product.wgsl",
    "spectrum_quotient.wgsl",
    "spectrum_stiffness.wgsl",
    "spectrum_sums.wgsl",
    "springs.wgsl",
    "stencils.wgsl",
    "stvk.wgsl",
    "sums.wgsl",
    "surface.wgsl",
    "sweep.wgsl",
    "tether_anchors.wgsl",
    "tile_leap.wgsl",
    "tile_sweep.wgsl",
    "vbd.wgsl",
    "vbd_begin.wgsl",
    "vbd_end.wgsl",
    "vbd_guess.wgsl",
    "vbd_solve.wgsl",
    "vbd_springs.wgsl",
    "vbd_tension.wgsl",
    "velocity.wgsl",
    "xpbd_area.wgsl",
    "xpbd_attachment.wgsl",
    "xpbd_dihedral.wgsl",
    "xpbd_distance.wgsl",
    "xpbd_force.wgsl",
    "xpbd_fused.wgsl",
    "xpbd_fused_tension.wgsl",
    "xpbd_hinge.wgsl",
    "xpbd_jacobi.wgsl",
    "xpbd_membrane.wgsl",
    "xpbd_quadratic_bend.wgsl",
    "xpbd_shares.wgsl",
    "xpbd_tether.wgsl",
    "xpbd_tile.wgsl",
];

/// A text that was compiled into the program.
pub fn built_in(file: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(name, _)| *name == file).map(|(_, text)| *text)
}

impl Sources {
    /// The texts that were compiled into the program.
    pub fn built_in() -> Self {
        let texts = BUILT_IN.iter().map(|(file, text)| ((*file).to_string(), (*text).to_string()));
        Self { texts: texts.collect() }
    }

    /// Those of the source tree, if there is one: an edit counts without a rebuild. Else the built-in ones.
    pub fn find() -> Result<Self, String> {
        let folder =
            Project::find().map(|project| project.shaders().join("sim")).filter(|folder| folder.is_dir());
        folder.map_or_else(|| Ok(Self::built_in()), |folder| Self::read(&folder))
    }

    /// All `.wgsl` and `.ron` files of a folder.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let fail = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let mut texts = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(|error| fail(folder, error))? {
            let path = entry.map_err(|error| fail(folder, error))?.path();
            if path.extension().is_some_and(|end| end == "wgsl" || end == "ron")
                && let Some(name) = path.file_name().and_then(|name| name.to_str())
            {
                texts
                    .insert(name.to_string(), fs::read_to_string(&path).map_err(|error| fail(&path, error))?);
            }
        }
        Ok(Self { texts })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    pub fn text(&self, file: &str) -> Option<&str> {
        self.texts.get(file).map(String::as_str)
    }

    /// Texts that are not to run give way to the built-in ones of their files, or go.
    pub fn leave_out(&mut self, banned: &[(String, String)]) {
        for (file, text) in banned {
            if self.text(file) == Some(text) {
                self.texts.remove(file);
                self.complete(file);
            }
        }
    }

    /// Adds the built-in text of a file that is missing.
    pub fn complete(&mut self, file: &str) {
        if let (None, Some(text)) = (self.text(file), built_in(file)) {
            self.set(file, text);
        }
    }

    /// Replaces a text, or adds one.
    pub fn set(&mut self, file: &str, text: &str) {
        self.texts.insert(file.to_string(), text.to_string());
    }
}
