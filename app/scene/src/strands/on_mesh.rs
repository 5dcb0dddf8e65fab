//! Roots on a mesh: evenly by area over the faces that look a way, each within one of them.

use glam::{DVec3, Vec3 as Point};

use crate::{rotation, solid::Solid};

/// Steps of a sequence that fills a square evenly: powers of the inverse of the plastic number.
const STEPS: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];

/// Places [m] and the ways out of the surface there, in the frame of the mesh; none where no face looks within `angle` [degrees] of
/// `axis`.
pub(crate) fn roots(solid: &Solid, scale: f32, axis: Point, angle: f32, count: u32) -> Vec<(Point, Point)> {
    let axis = axis.normalize_or(Point::Y).as_dvec3();
    let least = rotation::sin_cos_wide(f64::from(angle)).1;
    let at = |rows: &[[f32; 4]], corner: u32| {
        let [x, y, z, _] = rows[corner as usize];
        DVec3::new(f64::from(x), f64::from(y), f64::from(z))
    };
    let (mut faces, mut area) = (Vec::new(), 0.0);
    for corners in &solid.corners {
        let [a, b, c] = corners.map(|corner| at(&solid.position, corner));
        let across = (b - a).cross(c - a);
        let twice = across.length();
        if twice > 0.0 && (angle >= 180.0 || across.dot(axis) >= least * twice) {
            area += twice;
            faces.push((area, *corners));
        }
    }
    let root = |i: u32| {
        let wanted = area * (f64::from(i) + 0.5) / f64::from(count);
        let (_, corners) = faces[faces.partition_point(|(end, _)| *end < wanted).min(faces.len() - 1)];
        let [mut u, mut v] = STEPS.map(|step| (0.5 + step * f64::from(i)).fract());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let mixed = |rows: &[[f32; 4]]| {
            let [a, b, c] = corners.map(|corner| at(rows, corner));
            a * (1.0 - u - v) + b * u + c * v
        };
        let place = mixed(&solid.position) * f64::from(scale);
        (place.as_vec3(), mixed(&solid.normal).as_vec3())
    };
    if faces.is_empty() { Vec::new() } else { (0..count).map(root).collect() }
}
