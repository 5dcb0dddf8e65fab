//! Signed distance to each kind of collider, in its own frame.

use glam::Vec3;
use sim_api::model::ColliderKind;

use super::{
    mesh::{Mesh, Meshes},
    near::Near,
};
use crate::state::Collider;

#[derive(Clone, Copy)]
#[allow(
    clippy::large_enum_variant,
    reason = "one on the stack for each collider; the hot code allocates nothing"
)]
pub(crate) enum Shape<'a> {
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
    Box {
        /// From the centre to the faces [m].
        half: Vec3,
    },
    Mesh(Mesh<'a>),
}

impl<'a> Shape<'a> {
    /// That of a row of the collider table; `None` for a kind this library does not know.
    pub(crate) fn of(collider: &Collider, meshes: &Meshes<'a>, i: usize) -> Option<Self> {
        let size = collider.size[i];
        match ColliderKind::from_number(collider.kind[i])? {
            ColliderKind::Plane => Some(Self::Plane),
            ColliderKind::Sphere => Some(Self::Sphere { radius: size[0] }),
            ColliderKind::Capsule => Some(Self::Capsule { radius: size[0], half_height: size[1] }),
            ColliderKind::Box => Some(Self::Box { half: Vec3::new(size[0], size[1], size[2]) }),
            ColliderKind::Mesh => Some(Self::Mesh(meshes.mesh(collider, i))),
        }
    }

    /// Radius [m] of the ball around the local origin that holds it; infinite for a plane.
    pub(crate) fn radius(&self) -> f32 {
        match *self {
            Self::Plane => f32::INFINITY,
            Self::Sphere { radius } => radius,
            Self::Capsule { radius, half_height } => radius + half_height,
            Self::Box { half } => half.length(),
            Self::Mesh(mesh) => mesh.radius,
        }
    }

    /// Whether a straight way along its surface cannot meet it again.
    #[inline]
    pub(crate) fn is_convex(&self) -> bool {
        !matches!(self, Self::Mesh(_))
    }

    /// Distance from the surface [m], negative inside, and the outward unit normal there. Never more than the way to the
    /// surface, and exact but for what a mesh knows at a glance to be farther than `needed` [m].
    #[inline]
    pub(crate) fn distance(&self, x: Vec3, needed: f32) -> (f32, Vec3) {
        match *self {
            Self::Plane => (x.y, Vec3::Y),
            Self::Sphere { radius } => round(x, radius, Vec3::Y),
            Self::Capsule { radius, half_height } => {
                let on_axis = x.y.clamp(-half_height, half_height);
                round(Vec3::new(x.x, x.y - on_axis, x.z), radius, Vec3::X)
            }
            Self::Box { half } => cuboid(x, half),
            Self::Mesh(mesh) => mesh.distance(x, needed),
        }
    }

    /// As [`Shape::distance`]; `None` where it is known to be more than `needed` [m].
    #[inline]
    pub(crate) fn within(&self, x: Vec3, needed: f32) -> Option<(f32, Vec3)> {
        match self {
            Self::Mesh(mesh) => mesh.within(x, needed),
            shape => Some(shape.distance(x, needed)),
        }
    }

    /// [`Shape::within`] for a particle that remembers its last look.
    #[inline]
    pub(super) fn within_near(&self, x: Vec3, needed: f32, near: Option<Near>) -> Option<(f32, Vec3)> {
        match (self, near) {
            (Self::Mesh(mesh), Some(mut near)) => mesh.within_near(x, needed, &mut near),
            _ => self.within(x, needed),
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

/// Distance from a box around the origin: outside to its nearest point, inside to the nearest face.
#[inline]
fn cuboid(x: Vec3, half: Vec3) -> (f32, Vec3) {
    let side = Vec3::new(sign(x.x), sign(x.y), sign(x.z));
    let beyond = x.abs() - half;
    if beyond.x > 0.0 || beyond.y > 0.0 || beyond.z > 0.0 {
        let way = beyond.max(Vec3::ZERO);
        let length = way.length();
        // A way so short that its square is nothing.
        if length > 0.0 {
            return (length, way * side / length);
        }
    }
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        (beyond.x, Vec3::new(side.x, 0.0, 0.0))
    } else if beyond.y >= beyond.z {
        (beyond.y, Vec3::new(0.0, side.y, 0.0))
    } else {
        (beyond.z, Vec3::new(0.0, 0.0, side.z))
    }
}

#[inline]
fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_a_box_are_those_of_its_nearest_point() {
        let shape = Shape::Box { half: Vec3::new(0.5, 1.0, 2.0) };
        let at = |x: f32, y: f32, z: f32| shape.distance(Vec3::new(x, y, z), f32::INFINITY);
        assert_eq!(at(0.75, 0.3, -1.0), (0.25, Vec3::X));
        assert_eq!(at(-0.4, 0.0, 0.0), (-0.099_999_994, Vec3::NEG_X));
        assert_eq!(at(0.0, -0.9, 0.0).1, Vec3::NEG_Y);
        let (corner, normal) = at(-0.8, 1.4, 2.0);
        assert!((corner - 0.5).abs() < 1e-6 && (normal - Vec3::new(-0.6, 0.8, 0.0)).length() < 1e-6);
    }
}
