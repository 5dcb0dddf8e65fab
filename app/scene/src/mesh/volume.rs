//! The volume inside a closed mesh.

use glam::DVec3;

/// Positive where the front, from which corners run counter-clockwise, is outside; in cubic units of the positions.
pub fn volume(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let at = |i: u32| DVec3::from(positions[i as usize].map(f64::from));
    // From a point of its own: far from the origin the parts would hide the sum.
    let origin = triangles.first().map_or(DVec3::ZERO, |corners| at(corners[0]));
    let six = triangles.iter().map(|&[a, b, c]| (at(a) - origin).dot((at(b) - origin).cross(at(c) - origin)));
    six.sum::<f64>() / 6.0
}

#[cfg(test)]
mod tests {
    use super::volume;

    #[test]
    fn a_tetrahedron_has_a_sixth_of_its_box() {
        let corners = [[10.0, 0.0, 0.0], [12.0, 0.0, 0.0], [10.0, 3.0, 0.0], [10.0, 0.0, 5.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        assert!((volume(&corners, &faces) - 5.0).abs() < 1e-12);
        let turned = faces.map(|[a, b, c]| [a, c, b]);
        assert!((volume(&corners, &turned) + 5.0).abs() < 1e-12);
    }
}
