//! Places on faces: evenly by area over those that look a way, each within one of them.

use glam::{DVec3, Vec3 as Point};

use crate::rotation;

/// Steps of a sequence that fills a square evenly: powers of the inverse of the plastic number.
const STEPS: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];

/// A face and what the place takes of its corners, for each; none where no face looks within `angle` [degrees] of `axis`.
pub(crate) fn scatter(
    faces: impl Iterator<Item = [DVec3; 3]>,
    axis: Point,
    angle: f32,
    count: u32,
) -> Vec<(usize, [f64; 3])> {
    let axis = axis.normalize_or(Point::Y).as_dvec3();
    let least = rotation::sin_cos_wide(f64::from(angle)).1;
    let (mut taken, mut area) = (Vec::new(), 0.0);
    for (face, [a, b, c]) in faces.enumerate() {
        let across = (b - a).cross(c - a);
        let twice = across.length();
        if twice > 0.0 && (angle >= 180.0 || across.dot(axis) >= least * twice) {
            area += twice;
            taken.push((area, face));
        }
    }
    let root = |i: u32| {
        let wanted = area * (f64::from(i) + 0.5) / f64::from(count);
        let (_, face) = taken[taken.partition_point(|(end, _)| *end < wanted).min(taken.len() - 1)];
        let [mut u, mut v] = STEPS.map(|step| (0.5 + step * f64::from(i)).fract());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        (face, [1.0 - u - v, u, v])
    };
    if taken.is_empty() { Vec::new() } else { (0..count).map(root).collect() }
}
