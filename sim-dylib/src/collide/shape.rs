//! Signed distance to each kind of collider, in its own frame.

use glam::Vec3;

#[derive(Clone, Copy)]
pub enum Shape {
    /// Solid below local y = 0.
    Plane,
    Sphere {
        /// [m]
        radius: f32,
    },
}

impl Shape {
    /// `kind` and `size` as in the collider table; `None` for a kind this library does not know.
    pub fn of(kind: u32, size: [f32; 4]) -> Option<Self> {
        match kind {
            0 => Some(Self::Plane),
            1 => Some(Self::Sphere { radius: size[0] }),
            _ => None,
        }
    }

    /// Distance from the surface [m], negative inside, and the outward unit normal there.
    #[inline]
    pub fn distance(self, x: Vec3) -> (f32, Vec3) {
        match self {
            Self::Plane => (x.y, Vec3::Y),
            Self::Sphere { radius } => {
                let length = x.length();
                let normal = if length > 0.0 { x / length } else { Vec3::Y };
                (length - radius, normal)
            }
        }
    }
}
