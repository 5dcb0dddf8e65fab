//! A cloth as written in a scene: shape, placement, pins, material and look.

use serde::Deserialize;

use super::{Vec2, Vec3};

/// One piece of cloth. Unrotated it stands upright in the xy plane: column 0 at -x, row 0 at the top.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cloth {
    /// Unique in the scene: letters, digits, `_` and `-`, the first a letter.
    pub id: String,
    pub shape: Shape,
    /// Centre [m], world space.
    #[serde(default)]
    pub at: Vec3,
    /// About x, then y, then z [degrees].
    #[serde(default)]
    pub rotation: Vec3,
    /// Particles held in place.
    #[serde(default)]
    pub pins: Vec<Pin>,
    #[serde(default)]
    pub material: Material,
    #[serde(default)]
    pub look: Look,
}

/// Rest shape and how it is folded at the start.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    Grid {
        /// Particles along x.
        columns: u32,
        /// Particles along y.
        rows: u32,
        /// At rest [m].
        width: f32,
        /// At rest [m].
        height: f32,
        /// Width at the start as a share of `width`; the rest lies in the folds.
        #[serde(default = "default_gather")]
        gather: f32,
        /// Number of whole waves at the start.
        #[serde(default)]
        folds: u32,
    },
}

fn default_gather() -> f32 {
    1.0
}

/// Which particles are held in place.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Pin {
    /// All particles of one edge.
    Edge(Edge),
    /// One particle.
    Corner(Corner),
    /// Every n-th particle of one edge, both ends included.
    Every { edge: Edge, step: u32 },
    /// One particle, column and row from 0.
    Particle { column: u32, row: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Corner {
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

/// What the cloth is made of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Material {
    /// Mass per area [kg/m2].
    pub density: f32,
    pub compliance: Compliance,
    /// Damping of each distance constraint [N s/m].
    pub spring_damping: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self { density: 0.15, compliance: Compliance::default(), spring_damping: 0.0 }
    }
}

/// Inverse stiffness [m/N] of each family of distance constraints; 0 is inextensible.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Compliance {
    pub structural: f32,
    pub shear: f32,
    pub bend: f32,
}

impl Default for Compliance {
    fn default() -> Self {
        Self { structural: 0.0, shear: 1e-5, bend: 1e-3 }
    }
}

/// How the cloth is drawn.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Look {
    /// Picture file relative to the scene file; empty for none.
    pub texture: String,
    /// Linear red, green, blue, 0..1; multiplies the texture.
    pub front: Vec3,
    /// The same for the other side.
    pub back: Vec3,
    /// Strength of the soft rim of fibres, 0..1.
    pub sheen: f32,
    /// 0..1, 1 is matt.
    pub roughness: f32,
    /// Depth of the drawn threads, 0..1.
    pub weave: f32,
    /// Repeats of the texture along width and height.
    pub uv_scale: Vec2,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            texture: String::new(),
            front: [0.8, 0.78, 0.72],
            back: [0.7, 0.68, 0.62],
            sheen: 0.4,
            roughness: 0.8,
            weave: 0.5,
            uv_scale: [1.0, 1.0],
        }
    }
}
