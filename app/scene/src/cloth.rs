//! A cloth as written in a scene: shape, placement, pins and look.

use serde::{Deserialize, Serialize};

use super::obj::Reading;
use super::{Friction, Handle, Material, Vec2, Vec3};

/// One piece of cloth. Unrotated a grid or disc stands upright in the xy plane: column 0 at -x, row 0 at the top.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
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
    /// Of all free particles at the start [m/s].
    #[serde(default)]
    pub velocity: Vec3,
    /// Turn at the start, its axis through `at` [degrees/s].
    #[serde(default)]
    pub spin: Vec3,
    /// Particles held in place.
    #[serde(default)]
    pub pins: Vec<Pin>,
    /// Mass of some particles beside that of the sheet.
    #[serde(default)]
    pub weights: Vec<Weight>,
    /// Particles held in place that move.
    #[serde(default)]
    pub handles: Vec<Handle>,
    /// Compliance of the pins [m/N]; 0 holds the particles still, above 0 a spring ties each to where it started.
    #[serde(default)]
    pub pin_compliance: f32,
    /// Ties each free particle to the nearest pinned one.
    #[serde(default)]
    pub tethers: Option<Tethers>,
    /// Holds cloth that is long in particles together; for a grid.
    #[serde(default)]
    pub coarse: Option<Coarse>,
    /// Keeps it apart from itself and from other cloth that has this too.
    #[serde(default)]
    pub self_collision: Option<SelfCollision>,
    /// Gas inside; for a closed mesh.
    #[serde(default)]
    pub balloon: Option<Balloon>,
    #[serde(default)]
    pub material: Material,
    #[serde(default)]
    pub look: Look,
}

/// Rest shape and how it is folded at the start.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
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
    /// Triangles of a Wavefront OBJ file; where the file has them is where they start.
    Mesh {
        /// Relative to the scene file.
        file: String,
        /// Metres for one unit of the file.
        #[serde(default = "default_scale")]
        scale: f32,
        /// What was read, `None` before that.
        #[serde(skip)]
        surface: Reading,
    },
    /// Flat, near-equilateral triangles: ring `r` has 6 r particles about the centre.
    Disc {
        /// At rest [m].
        radius: f32,
        rings: u32,
    },
}

impl Cloth {
    /// Unpinned about the origin, with everything else as it is left out.
    pub fn new(id: &str, shape: Shape) -> Self {
        Self {
            id: id.to_owned(),
            shape,
            at: [0.0; 3],
            rotation: [0.0; 3],
            velocity: [0.0; 3],
            spin: [0.0; 3],
            pins: Vec::new(),
            weights: Vec::new(),
            handles: Vec::new(),
            pin_compliance: 0.0,
            tethers: None,
            coarse: None,
            self_collision: None,
            balloon: None,
            material: Material::default(),
            look: Look::default(),
        }
    }
}

impl Shape {
    /// Flat, `width` by `height` [m].
    pub fn grid(columns: u32, rows: u32, width: f32, height: f32) -> Self {
        Self::Grid { columns, rows, width, height, gather: 1.0, folds: 0 }
    }

    /// Number of particles; 0 for a mesh that was not read.
    pub fn particles(&self) -> u64 {
        match self {
            Self::Grid { columns, rows, .. } => u64::from(*columns) * u64::from(*rows),
            Self::Mesh { surface: Some(Ok(surface)), .. } => surface.positions.len() as u64,
            Self::Mesh { .. } => 0,
            Self::Disc { rings, .. } => 1 + 3 * u64::from(*rings) * (u64::from(*rings) + 1),
        }
    }
}

fn default_gather() -> f32 {
    1.0
}

fn default_scale() -> f32 {
    1.0
}

/// Something small and heavy on each of some particles, such as a hem's lead.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Chosen as pins are.
    pub on: Vec<Pin>,
    /// Of each [kg].
    pub mass: f32,
}

/// Long-range attachments (Kim, Chentanez, Müller 2012): a particle stays within its distance along the cloth.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tethers {
    /// Share of the distance that is given on top.
    pub slack: f32,
    /// [m/N]; 0 is rigid.
    pub compliance: f32,
}

impl Default for Tethers {
    fn default() -> Self {
        Self { slack: 0.02, compliance: 0.0 }
    }
}

/// Coarse constraints (Müller 2008): nodes far apart that particles between them follow, for solvers that project.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Coarse {
    /// Particles from node to node.
    pub spacing: u32,
    /// Nodes stay in reach of up to four pinned particles.
    pub anchors: bool,
    /// How far that is: 0 the straight distance at rest, 1 the way along the threads.
    pub reach: f32,
}

impl Default for Coarse {
    fn default() -> Self {
        Self { spacing: 8, anchors: true, reach: 0.05 }
    }
}

/// Cloth against cloth; between two sheets the mean of both counts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfCollision {
    /// Distance kept [m]. What starts closer keeps that.
    pub thickness: f32,
    /// Of cloth on cloth.
    pub friction: Friction,
    /// Room in the list of close pairs, for each particle.
    pub pairs: u32,
    /// Take apart what crosses; else it stays so. Between two sheets both must want it.
    pub heal: bool,
}

impl Default for SelfCollision {
    fn default() -> Self {
        Self { thickness: 0.004, friction: Friction { at_rest: 0.4, dynamic: 0.3 }, pairs: 32, heal: true }
    }
}

/// Gas in a closed cloth.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Balloon {
    /// Volume that the gas takes where nothing holds it, by that of the mesh.
    pub pressure: f32,
    /// Relative change of the volume by a pressure [1/Pa]; 0: none changes it.
    pub compliance: f32,
    /// Share of what is left that leaks away [1/s].
    pub leak: f32,
}

impl Default for Balloon {
    fn default() -> Self {
        Self { pressure: 1.0, compliance: 0.0, leak: 0.0 }
    }
}

/// Which particles are held in place. Edges, corners and `Particle` are those of a grid.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
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
    /// All particles in a ball at the start: centre [m], world space, and radius [m].
    Within { at: Vec3, radius: f32 },
    /// A vertex of the OBJ file in its order, or a particle of a disc from the centre out; from 0.
    Vertex(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Corner {
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

/// How the cloth is drawn.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
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
