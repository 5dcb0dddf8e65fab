//! A collider as written in a scene: a rigid shape that cloth touches, and how it moves.

use serde::{Deserialize, Serialize};

use super::Vec3;

/// A rigid body with a prescribed motion; cloth does not push it.
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
    /// Everything below the local xz plane; local +y is the normal.
    Plane,
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
    /// Passes through `at + offset` at each key's time, smoothly, without overshoot.
    Path {
        keys: Vec<Key>,
        /// Start again from the first key after the last.
        #[serde(default)]
        repeat: bool,
    },
}

/// Time [s] and offset from `at` [m], world space.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Key(pub f32, pub Vec3);
