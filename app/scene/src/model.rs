//! The scene as written in a file: format version 1.
//!
//! SI units, right-handed, y up, angles in degrees. Every type refuses unknown fields; every field
//! except `version`, one of `cloths` and `strands`, and the `id` and `shape` of an object has a default.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Auto, Camera, Cloth, Collider, ColliderShape, Expect, Light, Roots, RunChoice, Shape, Strands, Value,
    Wind,
};

/// The newest format version that this build reads.
pub const VERSION: u32 = 1;

/// Two plain numbers; the unit is the field's.
pub type Vec2 = [f32; 2];
/// Three plain numbers (x, y, z) or (red, green, blue); the unit is the field's.
pub type Vec3 = [f32; 3];

/// A whole scene file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Format version, 1.
    pub version: u32,
    /// Name shown in the window.
    #[serde(default)]
    pub title: String,
    /// What to look at and try, one or two sentences.
    #[serde(default)]
    pub doc: String,
    /// Acceleration of gravity [m/s2], world space.
    #[serde(default = "default_gravity")]
    pub gravity: Vec3,
    /// Fixed step of one frame [s].
    #[serde(default = "default_step")]
    pub step: f32,
    /// Damping of cloth and strands proportional to mass [1/s]: a = -c v.
    #[serde(default = "default_air_damping")]
    pub air_damping: f32,
    #[serde(default)]
    pub wind: Wind,
    #[serde(default)]
    pub solver: SolverChoice,
    #[serde(default)]
    pub auto: Auto,
    /// Beside that one, on the same state: what the window shows side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunChoice>,
    /// Cloths and strands together: at least one.
    #[serde(default)]
    pub cloths: Vec<Cloth>,
    #[serde(default)]
    pub strands: Vec<Strands>,
    #[serde(default)]
    pub colliders: Vec<Collider>,
    #[serde(default)]
    pub camera: Camera,
    #[serde(default)]
    pub light: Light,
    /// What `weft run --check` compares.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// What the positions of a run are relative to [m], world space; in no file.
    #[serde(skip)]
    pub origin: Vec3,
}

impl Scene {
    /// Names of the textures, meshes and strands that it has in files.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let cloths = self.cloths.iter_mut().flat_map(|cloth| {
            let mesh = if let Shape::Mesh { file, .. } = &mut cloth.shape { Some(file) } else { None };
            std::iter::once(&mut cloth.look.texture).chain(mesh)
        });
        let colliders = self.colliders.iter_mut().filter_map(|collider| match &mut collider.shape {
            ColliderShape::Mesh { file, .. } => Some(file),
            _ => None,
        });
        let strands = self.strands.iter_mut().filter_map(|strands| match &mut strands.roots {
            Roots::File { file, .. } => Some(file),
            _ => None,
        });
        cloths.chain(colliders).chain(strands).filter(|file| !file.is_empty())
    }
}

fn default_gravity() -> Vec3 {
    [0.0, -9.81, 0.0]
}

fn default_step() -> f32 {
    1.0 / 60.0
}

fn default_air_damping() -> f32 {
    0.1
}

/// Which solver runs, with its own parameters by name.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct SolverChoice {
    /// Left out it is `xpbd`, and `strand_newton` in a scene with strands.
    pub name: String,
    /// Only what differs from the solver's defaults.
    pub params: BTreeMap<String, Value>,
    /// The same for other solvers, by name: what they run with when they are chosen instead.
    pub others: BTreeMap<String, BTreeMap<String, Value>>,
}

/// The solver of a scene that names none: part of the format, like every other default of a field.
pub const DEFAULT_SOLVER: &str = "xpbd";
/// The same where there are strands: others do not carry the weight of real hair along it in a frame.
pub(crate) const DEFAULT_SOLVER_OF_STRANDS: &str = "strand_newton";

impl SolverChoice {
    /// Chooses another solver, with its parameters of this scene; the ones of the last solver go to the others.
    pub fn choose(&mut self, name: &str) {
        if self.name != name {
            let params = std::mem::replace(&mut self.params, self.others.remove(name).unwrap_or_default());
            self.others.insert(std::mem::replace(&mut self.name, name.to_owned()), params);
        }
    }
}

impl Default for SolverChoice {
    fn default() -> Self {
        Self { name: DEFAULT_SOLVER.to_owned(), params: BTreeMap::new(), others: BTreeMap::new() }
    }
}
