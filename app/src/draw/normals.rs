//! Vertex normals of a triangle mesh, once a frame.

use glam::Vec3A;

/// Writes one normal a particle to `normals` (resized, not reallocated once warm).
///
/// Sums the cross products of the triangles around a particle, so larger triangles count more, then normalises.
/// Not of unit length where a particle has no triangle: there it is +y. Triangles out of range are skipped.
pub fn vertex_normals(positions: &[[f32; 4]], triangles: &[[u32; 3]], sums: &mut Vec<Vec3A>, normals: &mut Vec<[f32; 3]>) {
    sums.clear();
    sums.resize(positions.len(), Vec3A::ZERO);
    let count = positions.len() as u32;
    for &[a, b, c] in triangles {
        if a.max(b).max(c) >= count {
            continue;
        }
        let (a, b, c) = (a as usize, b as usize, c as usize);
        let origin = point(positions[a]);
        let area = (point(positions[b]) - origin).cross(point(positions[c]) - origin);
        sums[a] += area;
        sums[b] += area;
        sums[c] += area;
    }
    normals.clear();
    normals.extend(sums.iter().map(|sum| sum.normalize_or(Vec3A::Y).to_array()));
}

fn point([x, y, z, _]: [f32; 4]) -> Vec3A {
    Vec3A::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_sheet_points_up_and_a_lone_particle_too() {
        let positions = [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [5.0, 5.0, 5.0, f32::NAN]];
        let (mut sums, mut normals) = (Vec::new(), Vec::new());
        vertex_normals(&positions, &[[0, 1, 2], [0, 1, 99]], &mut sums, &mut normals);
        assert_eq!(normals, vec![[0.0, 1.0, 0.0]; 4]);
    }
}
