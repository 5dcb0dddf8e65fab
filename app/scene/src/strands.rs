//! Strands as written in a scene: hair, ropes, wires. Rods in a row of particles, all of a list alike, that grow from one seat.
//!
//! [`build`](build::build) makes particles and rows of constraints of them; `assemble/strands.rs` puts these into the tables.

pub mod build;
pub mod grid;
pub mod neighbors;
pub mod on_cloth;
pub(crate) mod on_mesh;
mod resample;
pub mod rest;
mod ring;
pub mod rod;
mod scatter;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fields::{Choice, choice, declare};
use super::{
    Cloth, ColliderShape, Scene, Vec2, Vec3,
    obj::{Fault, locks::Locks},
    solid::Solid,
};
pub use rod::Rod;

/// Many strands of one kind.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Strands {
    /// Unique in the scene, cloths and colliders included.
    pub id: String,
    /// What the roots are fixed to; their places are in its frame.
    #[serde(default)]
    pub seat: Seat,
    pub roots: Roots,
    /// Of a strand at rest, from its root to its tip [m]; strands of a file that are longer are cut there.
    pub length: f32,
    /// How much the lengths differ: each is within `length` (1 +- `length_spread`).
    #[serde(default)]
    pub length_spread: f32,
    /// Of a strand.
    #[serde(default = "default_particles")]
    pub particles: u32,
    /// How a strand is held at its root.
    #[serde(default)]
    pub root: Root,
    /// How it is held at its tip.
    #[serde(default = "free")]
    pub tip: Root,
    /// What tips are fixed to where they start, a collider or the world: they go where it goes, and turn with it.
    #[serde(default)]
    pub tip_seat: Seat,
    /// Its last particle is joined to its first: a ring around the root, whose axis is the way that others start along.
    #[serde(default)]
    pub closed: bool,
    /// How far the ends of a ring are turned against each other before they are joined [degrees].
    #[serde(default)]
    pub twist: f32,
    /// A seat that goes farther in a frame carries its strands as they are [m].
    #[serde(default = "default_teleport")]
    pub teleport: f32,
    /// What it is at rest.
    #[serde(default)]
    pub shape: Shape,
    #[serde(default)]
    pub material: Rod,
    /// How they feel each other as a volume.
    #[serde(default)]
    pub between: Option<Between>,
    /// How they keep off cloth and strands; without it they pass through.
    #[serde(default)]
    pub self_collision: Option<StrandCollision>,
    #[serde(default)]
    pub look: StrandLook,
}

fn free() -> Root {
    Root::Free
}

fn default_particles() -> u32 {
    32
}

fn default_teleport() -> f32 {
    0.5
}

/// What strands grow from.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Seat {
    /// Nothing: places are in world space.
    #[default]
    World,
    /// A collider, by its id: roots go where it goes, and turn with it.
    Collider(String),
    /// A cloth, by its id: roots go and turn with its triangles, and pull at them.
    Cloth(String),
}

impl Seat {
    fn collider(&self, scene: &Scene) -> Option<usize> {
        let Self::Collider(id) = self else { return None };
        scene.colliders.iter().position(|collider| collider.id == *id)
    }
}

/// Where strands begin and which way they start, in the frame of the seat.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Roots {
    /// One strand at each place.
    Points {
        /// [m]
        at: Vec<Vec3>,
        /// Any length above zero.
        #[serde(default = "down")]
        direction: Vec3,
    },
    /// Evenly on a line, both ends included.
    Row {
        /// [m]
        from: Vec3,
        /// [m]
        to: Vec3,
        count: u32,
        /// Any length above zero.
        #[serde(default = "down")]
        direction: Vec3,
    },
    /// Evenly on the part of a ball that is within `angle` of `axis`; strands start straight out, or away from the axis. The seat is
    /// a sphere.
    Cap {
        /// Any length above zero.
        axis: Vec3,
        /// [degrees]
        angle: f32,
        count: u32,
        /// How far they start from straight out, away from the axis, as hair from its crown [degrees].
        #[serde(default)]
        lean: f32,
    },
    /// Evenly along the edge of a cloth; strands start straight out, in its plane. The seat is a cloth.
    Edge {
        #[serde(default)]
        side: Side,
        count: u32,
    },
    /// Evenly by area on the faces that look within `angle` of `axis`; strands start straight out. The seat is a collider from a
    /// mesh, or a cloth.
    Surface {
        /// Any length above zero.
        #[serde(default = "up")]
        axis: Vec3,
        /// [degrees]
        #[serde(default = "all_around")]
        angle: f32,
        count: u32,
    },
    /// Those of a `.hair` file, or the lines `l` of an OBJ file, roots first; they rest in the shapes that they have there. Rings,
    /// where the list is `closed`: all end where they began.
    File {
        /// Relative to the scene file.
        file: String,
        /// Metres for one unit of the file.
        #[serde(default = "one")]
        scale: f32,
        /// About x, then y, then z [degrees].
        #[serde(default)]
        rotation: Vec3,
        /// Where the file's origin comes to lie, in the frame of the seat [m].
        #[serde(default)]
        at: Vec3,
        /// One strand of so many is taken, the first included.
        #[serde(default = "every")]
        every: u32,
        /// What is in it. `None`: not read.
        #[serde(skip)]
        locks: Option<Result<Arc<Locks>, Fault>>,
    },
}

fn one() -> f32 {
    1.0
}

fn every() -> u32 {
    1
}

fn up() -> Vec3 {
    [0.0, 1.0, 0.0]
}

fn all_around() -> f32 {
    180.0
}

fn down() -> Vec3 {
    [0.0, -1.0, 0.0]
}

/// Part of the edge of a cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum Side {
    /// Of a grid, as its pins have it.
    Left,
    Right,
    Top,
    Bottom,
    /// All of it, also around holes.
    #[default]
    Rim,
}

choice!(Side: Left, Right, Top, Bottom, Rim);

/// How a strand is held at an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum Root {
    /// In place and direction: the segment there is a stub under the skin, and the length counts from its end. Roots on a collider whose
    /// `thickness` is more than a segment begin there: the stub stands on the skin.
    #[default]
    Clamped,
    /// In place.
    Pinned,
    /// Not at all.
    Free,
}

choice!(Root: Clamped, Pinned, Free);

/// What a strand is at rest, from its root on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    #[default]
    Straight,
    /// Part of a circle that bends down.
    Arc {
        /// Between its ends [degrees].
        angle: f32,
    },
    /// A helix about the way that it starts.
    Curl {
        /// [m]
        radius: f32,
        /// Way along the axis in a turn [m].
        pitch: f32,
        /// Where it begins, as a share of the length.
        #[serde(default)]
        from: f32,
    },
}

declare! {
    /// How strands of a list feel each other, as a volume: through a grid of cells, once a frame.
    pub struct Between {
        cell: f32 = 0.01, "m", [1e-3, 1.0], Live, "side of a cell: how near strands feel each other", slider log;
        friction: f32 = 0.2, "1", [0.0, 1.0], Live, "fraction of its velocity against those around that a strand loses in 1/60 s", slider;
        pressure: f32 = 0.2, "m2/s2", [0.0, 100.0], Live, "how hard strands push apart where they are denser than `density`", slider;
        density: f32 = 0.0, "kg/m3", [0.0, 1e5], Live, "mass per volume from which on they push; 0: the mean of how they start", slider;
        shelter: f32 = 0.0, "kg/m3", [0.0, 1e5], Live, "mass per volume of strands that keeps half of the wind from those between; 0: none does", slider;
    }
}

declare! {
    /// How strands keep off cloth, off other strands and off each other; between two the mean of both counts.
    pub struct StrandCollision {
        thickness: f32 = 0.004, "m", [1e-5, 1.0], Live, "distance kept; what starts closer keeps that", slider log;
        friction: Vec2 = [0.4, 0.3], "1", [0.0, 10.0], Live, "Coulomb coefficients at rest and sliding";
        pairs: u32 = 32, "1", [1.0, 1000.0], Rescale, "room in the list of close pairs for each particle; more if `self_overflow` is not 0";
        among: bool = true, "1", [0.0, 1.0], Rescale, "they meet each other; false, for hair: only cloth and other strands";
    }
}

declare! {
    /// How strands are drawn.
    pub struct StrandLook {
        root: Vec3 = [0.10, 0.045, 0.018], "1", [0.0, 1.0], Live, "linear colour at the root";
        tip: Vec3 = [0.23, 0.11, 0.045], "1", [0.0, 1.0], Live, "linear colour at the tip";
        children: u32 = 24, "1", [1.0, 512.0], Live, "hairs that are drawn for each strand", slider;
        spread: f32 = 0.006, "m", [0.0, 1.0], Live, "farthest that one of them lies from its strand", slider;
        clump: f32 = 0.5, "1", [0.0, 1.0], Live, "how far they come together at the tip", slider;
        interpolation: f32 = 1.0, "1", [0.0, 1.0], Live, "how far hairs lie between neighbouring strands, by barycentric weights, and not around one: where strands grow side by side, but for rings, ropes and yarn", slider;
        width: f32 = 0.0002, "m", [1e-6, 0.1], Live, "of a drawn hair at its root; it ends in a point", slider log;
        melanin: f32 = -1.0, "1", [-1.0, 1.0], Live, "pigment: 0 white, 0.1 blond, 0.3 light brown, 0.6 dark, 1 black; it goes before `root` and `tip`, which count below 0", slider;
        redness: f32 = 0.0, "1", [0.0, 1.0], Live, "part of the pigment that is red (pheomelanin)", slider;
        lobes: bool = true, "1", [0.0, 1.0], Live, "light goes through it as through hair (Marschner); false, for yarn: it only shines (Kajiya-Kay)";
        wet: f32 = 0.0, "1", [0.0, 1.0], Live, "water on it, which makes it darker and lets it gleam; wet hair comes together, too: `clump`", slider;
    }
}

impl StrandLook {
    /// Linear colours at the root and at the tip: those given, or that of a mass of hair with this pigment.
    pub fn colors(&self) -> [Vec3; 2] {
        if self.melanin < 0.0 {
            return [self.root, self.tip];
        }
        // Concentrations as Blender's `Principled Hair` has them from the same two numbers: even steps look even.
        let pigment = -(1.0 - self.melanin).max(1e-4).ln();
        let (brown, red) = (pigment * (1.0 - self.redness), pigment * self.redness);
        let color = std::array::from_fn(|i| {
            let absorption = EUMELANIN[i] * brown + PHEOMELANIN[i] * red;
            (-ALBEDO_SLOPE * absorption.sqrt()).exp()
        });
        [color; 2]
    }
}

/// Absorption by the radius of a hair at a concentration of 1, red, green and blue (d'Eon et al. 2011; Chiang et al. 2016).
const EUMELANIN: [f32; 3] = [0.419, 0.697, 1.37];
const PHEOMELANIN: [f32; 3] = [0.187, 0.4, 1.05];
/// The albedo of a mass of hair is exp(-D sqrt(absorption)): D at the azimuthal roughness 0.3 (Chiang et al. 2016, equation 9; the
/// shader `strand.wgsl` takes the absorption back from the colour).
const ALBEDO_SLOPE: f32 = 5.89;

impl Roots {
    /// Number of strands.
    pub fn count(&self) -> u64 {
        match self {
            Self::Points { at, .. } => at.len() as u64,
            Self::Row { count, .. }
            | Self::Cap { count, .. }
            | Self::Edge { count, .. }
            | Self::Surface { count, .. } => u64::from(*count),
            Self::File { locks: Some(Ok(locks)), every, .. } => {
                (locks.count() as u64).div_ceil(u64::from(*every).max(1))
            }
            Self::File { .. } => 0,
        }
    }
}

impl Strands {
    /// Of all strands.
    pub fn all_particles(&self) -> u64 {
        self.roots.count().saturating_mul(u64::from(self.particles))
    }

    /// The mesh that they grow from, and metres for one unit of it.
    pub fn mesh<'a>(&self, scene: &'a Scene) -> Option<(&'a Arc<Solid>, f32)> {
        match &scene.colliders[self.seat(scene)?].shape {
            ColliderShape::Mesh { solid: Some(Ok(solid)), scale, .. } => Some((solid, *scale)),
            _ => None,
        }
    }

    /// The cloth that they grow from, and its place in the scene's list.
    pub fn cloth<'a>(&self, scene: &'a Scene) -> Option<(usize, &'a Cloth)> {
        let Seat::Cloth(id) = &self.seat else { return None };
        scene.cloths.iter().enumerate().find(|(_, cloth)| cloth.id == *id)
    }

    /// Place in the scene's list of the collider that they grow from.
    pub fn seat(&self, scene: &Scene) -> Option<usize> {
        self.seat.collider(scene)
    }

    /// The same of the collider that holds their tips.
    pub fn tip_seat(&self, scene: &Scene) -> Option<usize> {
        if self.tip == Root::Free { None } else { self.tip_seat.collider(scene) }
    }
}
