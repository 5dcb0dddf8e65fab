//! The texts of `shaders/sim`: those that were compiled into the program, and those of the source tree.

use std::{collections::BTreeMap, fs, path::Path};

use weft_core::project::Project;

/// The texts of the folder by file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    texts: BTreeMap<String, String>,
}

macro_rules! built_in {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../../../shaders/sim/", $file)))),*]
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
    "tear_begin.wgsl",
    "tear_break.wgsl",
    "tear_load.wgsl",
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
