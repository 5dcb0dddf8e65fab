//! Vertex normals and curvature of a triangle mesh, once a frame.

use glam::{Vec3, Vec3A};

/// What the triangles around a particle add up to.
#[derive(Clone, Copy, Default)]
struct Ring {
    /// Cross products of edges: the normal times twice the area [m²].
    area: Vec3A,
    /// Neighbours minus the particle [m]: points to the side to which the surface bends.
    bend: Vec3A,
}

/// Buffers that live from frame to frame.
#[derive(Default)]
pub struct Normals {
    rings: Vec<Ring>,
    /// Curvature summed over the triangles around a particle, and how many there are.
    smooth: Vec<[f32; 2]>,
    /// Unit normal, and mean curvature [1/m], positive in a valley seen from the front. One row a particle.
    pub rows: Vec<[f32; 4]>,
}

impl Normals {
    /// Fills `rows`. Larger triangles count more. A particle without triangles gets +y; triangles out of range are skipped.
    pub fn compute(&mut self, positions: &[[f32; 4]], triangles: &[[u32; 3]]) {
        self.rings.clear();
        self.rings.resize(positions.len(), Ring::default());
        let count = positions.len() as u32;
        for &[a, b, c] in triangles {
            if a.max(b).max(c) >= count {
                continue;
            }
            let corners = [a, b, c].map(|i| i as usize);
            let [a, b, c] =
                corners.map(|i| Vec3A::from(Vec3::new(positions[i][0], positions[i][1], positions[i][2])));
            let area = (b - a).cross(c - a);
            let sum = a + b + c;
            for (corner, point) in corners.into_iter().zip([a, b, c]) {
                let ring = &mut self.rings[corner];
                ring.area += area;
                ring.bend += sum - 3.0 * point;
            }
        }
        self.rows.clear();
        self.rows.extend(self.rings.iter().map(|ring| {
            let twice_area = ring.area.length().max(f32::MIN_POSITIVE);
            let normal = ring.area.normalize_or(Vec3A::Y);
            [normal.x, normal.y, normal.z, ring.bend.dot(normal) / twice_area]
        }));
        self.smooth_curvature(triangles);
    }

    /// One average over the neighbours: the curvature of a single ring shows the mesh.
    fn smooth_curvature(&mut self, triangles: &[[u32; 3]]) {
        self.smooth.clear();
        self.smooth.resize(self.rows.len(), [0.0; 2]);
        let count = self.rows.len() as u32;
        for &[a, b, c] in triangles {
            if a.max(b).max(c) >= count {
                continue;
            }
            let corners = [a, b, c].map(|i| i as usize);
            let mean = corners.iter().map(|&i| self.rows[i][3]).sum::<f32>() / 3.0;
            for corner in corners {
                let [sum, weight] = &mut self.smooth[corner];
                *sum += mean;
                *weight += 1.0;
            }
        }
        for (row, [sum, weight]) in self.rows.iter_mut().zip(&self.smooth) {
            row[3] = sum / weight.max(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_sheet_points_up_and_a_lone_particle_too() {
        let positions =
            [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [5.0, 5.0, 5.0, f32::NAN]];
        let mut normals = Normals::default();
        normals.compute(&positions, &[[0, 1, 2], [0, 1, 99]]);
        assert_eq!(normals.rows, vec![[0.0, 1.0, 0.0, 0.0]; 4]);
    }

    #[test]
    fn the_bottom_of_a_bowl_is_a_valley() {
        let rim = [[1.0, 0.2, 0.0, 0.0], [0.0, 0.2, -1.0, 0.0], [-1.0, 0.2, 0.0, 0.0], [0.0, 0.2, 1.0, 0.0]];
        let positions = [&[[0.0; 4]], &rim[..]].concat();
        let mut normals = Normals::default();
        normals.compute(&positions, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]]);
        assert_eq!(&normals.rows[0][..3], &[0.0, 1.0, 0.0]);
        assert!(normals.rows[0][3] > 0.01);
    }
}
