//! Roots on the mesh of a collider.

use glam::{DVec3, Vec3 as Point};

use super::{build::Site, scatter::scatter};
use crate::solid::Solid;

/// The least cosine between the way out of a place and the normal of its face that counts: a normal of a sharp corner may lie along it.
const STEEPEST: f64 = 0.5;

/// Places [m] and the ways out of the surface there, in the frame of the mesh; none where no face looks within `angle` [degrees] of
/// `axis`.
pub(crate) fn roots(solid: &Solid, scale: f32, axis: Point, angle: f32, count: u32) -> Vec<Site> {
    let at = |rows: &[[f32; 4]], corner: u32| {
        let [x, y, z, _] = rows[corner as usize];
        DVec3::new(f64::from(x), f64::from(y), f64::from(z))
    };
    let faces = solid.corners.iter().map(|corners| corners.map(|corner| at(&solid.position, corner)));
    let root = |(face, [a, b, c]): (usize, [f64; 3])| {
        let mixed = |rows: &[[f32; 4]]| {
            let corners = solid.corners[face].map(|corner| at(rows, corner));
            corners[0] * a + corners[1] * b + corners[2] * c
        };
        let [a, b, c] = solid.corners[face].map(|corner| at(&solid.position, corner));
        let (place, out) = (mixed(&solid.position) * f64::from(scale), mixed(&solid.normal));
        let across = out.normalize_or_zero().dot((b - a).cross(c - a).normalize_or_zero());
        let climb = (1.0 / across.max(STEEPEST)) as f32;
        Site { place: place.as_vec3(), out: out.as_vec3(), climb }
    };
    scatter(faces, axis, angle, count).into_iter().map(root).collect()
}
