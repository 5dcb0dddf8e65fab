//! Signed distance to each kind of collider, in its own frame.

use glam::Vec3;

use super::pose::Pose;

#[derive(Clone, Copy)]
pub enum Shape {
    /// Solid below local y = 0.
    Plane,
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
}

impl Shape {
    /// `kind` and `size` as in the collider table; `None` for a kind this library does not know.
    pub fn of(kind: u32, size: [f32; 4]) -> Option<Self> {
        match kind {
            0 => Some(Self::Plane),
            1 => Some(Self::Sphere { radius: size[0] }),
            2 => Some(Self::Capsule { radius: size[0], half_height: size[1] }),
            _ => None,
        }
    }

    /// What a particle must be in to be near, in world space: a cheap test before the exact one.
    pub fn reach(self, pose: &Pose, thickness: f32) -> Reach {
        // A little more than exact, so that rounding never decides.
        let ball = |radius: f32| (1.001 * (radius + thickness)).powi(2);
        let (center, normal) = (pose.position, pose.rotate(Vec3::Y));
        match self {
            Self::Plane => Reach::Below { normal, height: normal.dot(center) + 1.001 * thickness + 1e-5 },
            Self::Sphere { radius } => Reach::Ball { center, squared: ball(radius) },
            Self::Capsule { radius, half_height } => {
                Reach::Ball { center, squared: ball(radius + half_height) }
            }
        }
    }

    /// Distance from the surface [m], negative inside, and the outward unit normal there.
    #[inline]
    pub fn distance(self, x: Vec3) -> (f32, Vec3) {
        match self {
            Self::Plane => (x.y, Vec3::Y),
            Self::Sphere { radius } => round(x, radius, Vec3::Y),
            Self::Capsule { radius, half_height } => {
                let on_axis = x.y.clamp(-half_height, half_height);
                round(Vec3::new(x.x, x.y - on_axis, x.z), radius, Vec3::X)
            }
        }
    }
}

/// Half space or ball around a collider.
pub enum Reach {
    Below { normal: Vec3, height: f32 },
    Ball { center: Vec3, squared: f32 },
}

impl Reach {
    #[inline]
    pub fn holds(&self, x: Vec3) -> bool {
        match self {
            Self::Below { normal, height } => normal.dot(x) < *height,
            Self::Ball { center, squared } => (x - center).length_squared() < *squared,
        }
    }
}

/// Distance from a ball around the origin; `up` is the normal at its very centre.
#[inline]
fn round(x: Vec3, radius: f32, up: Vec3) -> (f32, Vec3) {
    let length = x.length();
    let normal = if length > 0.0 { x / length } else { up };
    (length - radius, normal)
}
