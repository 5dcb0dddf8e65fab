//! Drawing: a `Picture` (borrowed plain data) becomes pixels in a window or in an image.
//!
//! | file | job |
//! |---|---|
//! | `renderer` | owns the GL objects; `draw` = shadow pass, then main pass |
//! | `cloth`, `strand`, `solid`, `ground`, `line`, `thin_line`, `wire` | one kind of drawing each; `shaders/draw/<kind>.wgsl` is its other half |
//! | `shadow`, `opacity` | the light's depth map and the matrix that bounds it; layers of hair before the light |
//! | `levels` | coarser triangles of large cloth |
//! | `ribbon`, `segments`, `corners`, `detail` | places of strands, which of them are drawn, joined by ribbons or by lines, for how many hairs |
//! | `painted`, `named` | strands whose places are on a device; buffers that it knows by their names |
//! | `normals`, `primitives`, `scalp` | vertex normals of cloth; meshes of sphere, capsule and box; skin that hair grows on |
//! | `shader`, `translate`, `reflect`, `uniforms`, `program` | WGSL text → checked → GLSL → running program |
//! | `camera`, `pick` | pure mathematics: orbit, rays, what a ray hits |
//! | `texture`, `targets`, `offscreen`, `png` | pictures in, pictures out |
//! | `palette` | colours of numbers |
//! | `ui_painter` | triangles of the user interface |
//!
//! Space: right-handed, y up, metres. Colours are linear unless a name says sRGB.

mod camera;
mod cloth;
mod corners;
mod curve;
mod detail;
#[cfg_attr(target_arch = "wasm32", path = "display_web.rs")]
mod display;
#[cfg_attr(not(target_os = "linux"), path = "no_gl.rs")]
pub mod gl;
mod ground;
mod guide_maps;
mod levels;
mod line;
mod named;
mod normals;
#[cfg(not(target_arch = "wasm32"))]
pub mod offscreen;
mod opacity;
mod painted;
mod palette;
pub mod pick;
mod place;
#[cfg(not(target_arch = "wasm32"))]
pub mod png;
mod primitives;
mod program;
mod reflect;
mod renderer;
mod ribbon;
mod scalp;
mod segments;
pub mod shader;
mod shadow;
mod solid;
mod strand;
mod targets;
mod texture;
mod thin_line;
pub mod translate;
pub mod ui_painter;
mod uniforms;
mod wire;

use std::sync::Arc;

use glam::{Quat, Vec3};
use weft_scene::ColliderShape;

pub use camera::Camera;
pub use cloth::VertexNames;
pub use display::display;
pub use line::Lines;
pub use painted::{PaintedStrands, RibbonBuffers, RibbonJob, RibbonNumbers, RibbonsDone, StrandTables};
pub use palette::Palette;
pub use renderer::{Quality, Renderer};
pub use scalp::Scalp;
pub use shader::{ShaderError, ShaderSources};
pub use strand::{StrandLook, StrandsView};
pub use targets::{OffscreenTarget, SAMPLES, Target, Viewport, software_gl, window_conf};
pub use texture::TextureRef;
pub use wire::{Joined, Wires};

/// What no picture showed for this many pictures is deleted.
const KEPT_FOR: u64 = 64;
/// Streamed buffers take turns, so that the driver need not wait for the previous frame.
const TURNS: usize = 2;

/// All that one picture shows.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    pub camera: Camera,
    pub light: Light,
    pub cloths: &'a [ClothView<'a>],
    pub strands: &'a [StrandsView<'a>],
    pub solids: &'a [Solid],
    /// Over all of it, where nothing hides them.
    pub lines: Option<&'a Lines>,
    pub ground: Option<Ground>,
    pub background: Background,
}

/// One cloth as the solver left it. Nothing is copied on this side of the graphics driver.
#[derive(Clone, Copy)]
pub struct ClothView<'a> {
    /// Names the topology: a new number whenever `uvs` or all `triangles` change.
    pub id: u64,
    /// A new number whenever some of the triangles go or come back.
    pub surface: u64,
    /// World positions [m]; w is ignored. Shape (`particle_count`,).
    pub positions: &'a [[f32; 4]],
    /// Positions and normals are in the vertex buffers already ([`Renderer::vertices`]), inside this box, low and high corner
    /// [m]; `positions` only says how many.
    pub painted: Option<[Vec3; 2]>,
    /// Indices into `positions`, counter-clockwise seen from the front.
    pub triangles: &'a [[u32; 3]],
    /// Texture coordinates, one a particle; missing ones are 0.
    pub uvs: &'a [[f32; 2]],
    pub look: ClothLook,
    /// Colours that show numbers, instead of the look.
    pub shading: Option<Shading<'a>>,
}

/// Numbers on a cloth as colours.
#[derive(Clone, Copy)]
pub struct Shading<'a> {
    /// Place on the scale, 0..1, one a particle; missing ones are 0.
    pub values: &'a [f32],
    pub palette: Palette,
}

/// What the cloth is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothLook {
    /// `None` is plain white.
    pub texture: Option<TextureRef>,
    /// Linear colour that multiplies the texture on the front, 0..1.
    pub front: [f32; 3],
    /// The same on the back.
    pub back: [f32; 3],
    /// Bright fuzz at grazing angles (velvet), 0..1.
    pub sheen: f32,
    /// 0 silk .. 1 felt.
    pub roughness: f32,
    /// Relief of the threads, 0..1.
    pub weave: f32,
    /// Texture repeats per unit of uv.
    pub uv_scale: [f32; 2],
}

impl Default for ClothLook {
    fn default() -> Self {
        Self {
            texture: None,
            front: [0.80, 0.12, 0.08],
            back: [0.85, 0.66, 0.42],
            sheen: 0.4,
            roughness: 0.6,
            weave: 0.4,
            uv_scale: [1.0, 1.0],
        }
    }
}

/// Something hard that cloth lies on.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub shape: Shape,
    /// Centre [m], world space.
    pub position: Vec3,
    pub rotation: Quat,
    /// Linear colour, 0..1.
    pub color: [f32; 3],
    /// Of spheres with hair on them.
    pub scalp: Option<Scalp>,
    /// Drawn with a warm rim: selected or grabbed.
    pub highlighted: bool,
}

/// Lengths in metres, centred on the origin of the solid.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Sphere {
        radius: f32,
    },
    Box {
        half: Vec3,
    },
    /// Axis along local y; `half_height` is from the centre to the centre of a cap.
    Capsule {
        radius: f32,
        half_height: f32,
    },
    Mesh {
        solid: Arc<weft_scene::solid::Solid>,
        /// For one unit of the mesh [m].
        scale: f32,
    },
}

impl Shape {
    /// That of a collider; `None` for planes, which are drawn as ground, and for meshes that are not closed.
    pub fn of(shape: &ColliderShape) -> Option<Self> {
        Some(match shape {
            ColliderShape::Plane | ColliderShape::Mesh { solid: None | Some(Err(_)), .. } => return None,
            ColliderShape::Box { half } => Self::Box { half: (*half).into() },
            ColliderShape::Mesh { solid: Some(Ok(solid)), scale, .. } => {
                Self::Mesh { solid: Arc::clone(solid), scale: *scale }
            }
            ColliderShape::Sphere { radius } => Self::Sphere { radius: *radius },
            ColliderShape::Capsule { radius, half_height } => {
                Self::Capsule { radius: *radius, half_height: *half_height }
            }
        })
    }
}

impl Shape {
    /// Radius [m] of the sphere around the shape's centre that holds it.
    pub fn bounding_radius(&self) -> f32 {
        match *self {
            Self::Sphere { radius } => radius,
            Self::Box { half } => half.length(),
            Self::Capsule { radius, half_height } => radius + half_height,
            Self::Mesh { ref solid, scale } => solid.radius * scale,
        }
    }

    /// Signed distance [m] from a point in the shape's own space to its surface; negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        match *self {
            Self::Sphere { radius } => point.length() - radius,
            Self::Box { half } => {
                let outside = point.abs() - half;
                outside.max(Vec3::ZERO).length() + outside.max_element().min(0.0)
            }
            Self::Capsule { radius, half_height } => {
                let on_axis = Vec3::Y * point.y.clamp(-half_height, half_height);
                point.distance(on_axis) - radius
            }
            Self::Mesh { ref solid, scale } => solid.distance(point / scale) * scale,
        }
    }
}

/// An endless floor with a grid that fades into the background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// World y [m].
    pub height: f32,
    /// Edge of a grid cell [m]; 0 draws no grid.
    pub grid: f32,
    /// Linear colour, 0..1.
    pub color: [f32; 3],
}

impl Default for Ground {
    fn default() -> Self {
        Self { height: 0.0, grid: 0.25, color: [0.19, 0.20, 0.215] }
    }
}

/// The one light that casts shadows, and how much comes from everywhere else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// The way light travels: from the lamp towards the scene. Need not be of unit length.
    pub direction: Vec3,
    /// Linear colour, 0..1.
    pub color: [f32; 3],
    /// Multiplies `color`; 2 is a bright day.
    pub intensity: f32,
    /// Multiplies the light of the sky and the bounce from the floor, 0..1 or more.
    pub ambient: f32,
    /// A lamp without shadows behind the scene, opposite to this one, by its light: it draws edges.
    pub rim: f32,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            direction: Vec3::new(-0.45, -1.0, -0.55),
            color: [1.0, 0.94, 0.85],
            intensity: 1.75,
            ambient: 1.15,
            rim: 0.4,
        }
    }
}

/// The gradient behind everything, linear colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    pub horizon: [f32; 3],
    pub zenith: [f32; 3],
}

impl Default for Background {
    fn default() -> Self {
        Self { horizon: [0.33, 0.355, 0.385], zenith: [0.05, 0.10, 0.19] }
    }
}
