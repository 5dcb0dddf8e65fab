//! Half lines, and where they meet triangles.

use glam::Vec3;

/// A half line; `direction` has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// [m]
    pub origin: Vec3,
    pub direction: Vec3,
}

impl Ray {
    /// The point at `distance` [m] along the ray.
    pub fn at(self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

/// Distance and weights of the corners (Möller and Trumbore 1997).
pub fn ray_triangle(ray: Ray, a: Vec3, b: Vec3, c: Vec3) -> Option<(f32, [f32; 3])> {
    let (ab, ac) = (b - a, c - a);
    let p = ray.direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant.abs() < f32::MIN_POSITIVE {
        return None;
    }
    let from_a = ray.origin - a;
    let v = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let w = ray.direction.dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    let hit = v >= 0.0 && w >= 0.0 && v + w <= 1.0 && distance > 0.0;
    hit.then_some((distance, [1.0 - v - w, v, w]))
}
