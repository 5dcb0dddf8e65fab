//! A collider as written in a scene: a rigid shape that cloth touches, and how it moves.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Vec3;
use super::obj::Fault;
use crate::solid::Solid;

/// A rigid body: with a prescribed motion, which cloth does not push, or with a mass, which falls and is pushed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Unique in the scene, cloths included.
    pub id: String,
    pub shape: ColliderShape,
    /// Centre [m], world space, before any motion.
    #[serde(default)]
    pub at: Vec3,
    /// About x, then y, then z [degrees].
    #[serde(default)]
    pub rotation: Vec3,
    #[serde(default)]
    pub friction: Friction,
    /// Share of the normal speed given back, 0..1.
    #[serde(default)]
    pub restitution: f32,
    /// Distance kept from the surface [m].
    #[serde(default = "default_thickness")]
    pub thickness: f32,
    /// Linear red, green, blue, 0..1.
    #[serde(default = "default_color")]
    pub color: Vec3,
    #[serde(default)]
    pub motion: Motion,
    /// In the window arrows move it level, J up and K down.
    #[serde(default)]
    pub keys: bool,
    /// [kg]; 0: moved by `motion` or the hand only. Spheres and boxes may have one.
    #[serde(default)]
    pub mass: f32,
    /// At the start [m/s], world space; of a body with a mass.
    #[serde(default)]
    pub velocity: Vec3,
}

fn default_thickness() -> f32 {
    0.004
}

fn default_color() -> Vec3 {
    [0.6, 0.6, 0.62]
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ColliderShape {
    Sphere {
        /// [m]
        radius: f32,
    },
    /// Axis along local y.
    Capsule {
        /// [m]
        radius: f32,
        /// From the centre to the centre of a cap [m].
        half_height: f32,
    },
    Box {
        /// From the centre to the faces along x, y and z [m].
        half: Vec3,
    },
    /// Triangles of a Wavefront OBJ file, counter-clockwise seen from outside, about the origin of the file.
    Mesh {
        /// Relative to the scene file.
        file: String,
        /// Metres for one unit of the file.
        #[serde(default = "default_scale")]
        scale: f32,
        /// What was read, `None` before that.
        #[serde(skip)]
        solid: Option<Result<Arc<Solid>, Fault>>,
    },
    /// Everything below the local xz plane; local +y is the normal.
    Plane,
}

fn default_scale() -> f32 {
    1.0
}

/// Coulomb coefficients, dimensionless.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Friction {
    #[serde(rename = "static")]
    pub at_rest: f32,
    pub dynamic: f32,
}

impl Default for Friction {
    fn default() -> Self {
        Self { at_rest: 0.5, dynamic: 0.4 }
    }
}

/// A prescribed motion; [`Motion::pose`](super::motion) evaluates it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Motion {
    #[default]
    Still,
    /// From `at` to `at + offset` and back, at rest at both ends.
    Oscillate {
        /// [m], world space.
        offset: Vec3,
        /// There and back [s].
        period: f32,
        /// Time before it starts [s].
        #[serde(default)]
        delay: f32,
    },
    /// Turns about an axis through the centre.
    Spin {
        /// World space, any length above zero.
        axis: Vec3,
        /// One turn [s].
        period: f32,
    },
    /// Passes through `at + offset` at each key's time by monotone cubics (Fritsch, Butland 1984), which rest at the first and the last key and
    /// where they turn: between two keys the peak is 1.5 times the mean speed.
    Path {
        keys: Vec<Key>,
        /// Start again from the first key after the last.
        #[serde(default)]
        repeat: bool,
    },
    /// As `Path`, with a rotation at each key on top of the collider's own.
    Keyframes {
        keys: Vec<Pose>,
        /// Start again from the first key after the last.
        #[serde(default)]
        repeat: bool,
    },
}

/// Time [s], offset from `at` [m], and angles about x, then y, then z, world space [degrees].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Pose(pub f32, pub Vec3, pub Vec3);

/// Time [s] and offset from `at` [m], world space.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Key(pub f32, pub Vec3);
