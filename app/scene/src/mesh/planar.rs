//! Texture places of a mesh that has none: its two largest sides, flat.

use super::super::{Vec2, Vec3};

/// 0..1 over the box around the points; v runs down the second of the two axes.
pub(super) fn uvs(points: &[Vec3]) -> Vec<Vec2> {
    let bounds = [0, 1, 2].map(|axis| {
        let values = points.iter().map(|x| x[axis]);
        (values.clone().fold(f32::MAX, f32::min), values.fold(f32::MIN, f32::max))
    });
    let side = |axis: usize| bounds[axis].1 - bounds[axis].0;
    let [u, v] = if side(2) <= side(0).min(side(1)) {
        [0, 1]
    } else if side(1) <= side(0) {
        [0, 2]
    } else {
        [2, 1]
    };
    let share = |x: f32, axis: usize| {
        let side = side(axis);
        if side > 0.0 { (x - bounds[axis].0) / side } else { 0.5 }
    };
    // Seen from above, -z is up.
    points
        .iter()
        .map(|x| [share(x[u], u), if v == 2 { share(x[v], v) } else { 1.0 - share(x[v], v) }])
        .collect()
}
