//! Roots on the mesh of a collider.

use glam::{DVec3, Vec3 as Point};

use super::scatter::scatter;
use crate::solid::Solid;

/// Places [m] and the ways out of the surface there, in the frame of the mesh; none where no face looks within `angle` [degrees] of
/// `axis`.
pub(crate) fn roots(solid: &Solid, scale: f32, axis: Point, angle: f32, count: u32) -> Vec<(Point, Point)> {
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
        let place = mixed(&solid.position) * f64::from(scale);
        (place.as_vec3(), mixed(&solid.normal).as_vec3())
    };
    scatter(faces, axis, angle, count).into_iter().map(root).collect()
}
