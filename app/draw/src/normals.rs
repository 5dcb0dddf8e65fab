//! Vertex normals and curvature of a triangle mesh, once a frame.
//!
//! Triangle by triangle, which is least work; of a large mesh particle by particle ([`triangles_around`]), which several threads can
//! share. Both add in the order of the triangles and have the same bits.

use glam::{Vec3, Vec3A};
use rayon::prelude::*;
use weft_core::csr::Csr;

/// From so many particles on a mesh is large.
pub(crate) const LARGE: usize = 1 << 16;

/// From so many particles on threads share the work on hair.
pub(crate) const MANY: usize = 1 << 14;

/// The triangles around each particle, in their order. Triangles out of range are left out.
pub(crate) fn triangles_around(particles: usize, triangles: &[[u32; 3]]) -> Csr {
    let in_range = |(_, idx): &(u32, &[u32; 3])| idx.iter().all(|&i| (i as usize) < particles);
    Csr::incidence(particles, (0..).zip(triangles).filter(in_range))
}

fn point([x, y, z, _]: [f32; 4]) -> Vec3A {
    Vec3A::from(Vec3::new(x, y, z))
}

/// Calls `fill` with parts of `rows` and the row that each begins with, on as many threads as there are cores.
pub(crate) fn shared<T: Send>(rows: &mut [T], fill: impl Fn(usize, &mut [T]) + Sync) {
    let part = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    rows.par_chunks_mut(part).enumerate().for_each(|(index, rows)| fill(index * part, rows));
}

/// The same, on this thread alone where it is about less than [`MANY`] particles.
pub(crate) fn shared_if_many<T: Send>(
    particles: usize,
    rows: &mut [T],
    fill: impl Fn(usize, &mut [T]) + Sync,
) {
    if particles < MANY { fill(0, rows) } else { shared(rows, fill) }
}

/// What the triangles around a particle add up to.
#[derive(Clone, Copy, Default)]
struct Ring {
    /// Cross products of edges: the normal times twice the area [m²].
    area: Vec3A,
    /// Adjacency minus the particle [m]: points to the side to which the surface bends.
    bend: Vec3A,
}

impl Ring {
    /// Adds a triangle around `own`.
    fn add(&mut self, own: Vec3A, [a, b, c]: [Vec3A; 3]) {
        self.area += (b - a).cross(c - a);
        self.bend += a + b + c - 3.0 * own;
    }

    /// Unit normal, and curvature before it is smoothed.
    fn row(&self) -> [f32; 4] {
        let twice_area = self.area.length().max(f32::MIN_POSITIVE);
        let normal = self.area.normalize_or(Vec3A::Y);
        [normal.x, normal.y, normal.z, self.bend.dot(normal) / twice_area]
    }
}

/// Buffers that live from frame to frame.
#[derive(Default)]
pub(crate) struct Normals {
    rings: Vec<Ring>,
    /// Curvature summed over the triangles around a particle, and how many there are.
    smooth: Vec<[f32; 2]>,
    /// Unit normal, and mean curvature [1/m], positive in a valley seen from the front. One row a particle.
    pub rows: Vec<[f32; 4]>,
}

impl Normals {
    /// Fills `rows`. Larger triangles count more. A particle without triangles gets +y; triangles out of range are skipped.
    pub(crate) fn compute(&mut self, positions: &[[f32; 4]], triangles: &[[u32; 3]]) {
        self.rings.clear();
        self.rings.resize(positions.len(), Ring::default());
        let count = positions.len() as u32;
        for &[a, b, c] in triangles {
            if a.max(b).max(c) >= count {
                continue;
            }
            let corners = [a, b, c].map(|i| i as usize);
            let points = corners.map(|i| point(positions[i]));
            for (corner, own) in corners.into_iter().zip(points) {
                self.rings[corner].add(own, points);
            }
        }
        self.rows.clear();
        self.rows.extend(self.rings.iter().map(Ring::row));
        self.smooth_curvature(triangles);
    }

    /// The same with several threads.
    pub(crate) fn compute_large(&mut self, positions: &[[f32; 4]], triangles: &[[u32; 3]], fans: &Csr) {
        self.rows.resize(positions.len(), [0.0; 4]);
        shared(&mut self.rows, |start, rows| {
            for (i, row) in (start..).zip(rows) {
                let (mut ring, own) = (Ring::default(), point(positions[i]));
                for &triangle in fans.row(i) {
                    ring.add(own, triangles[triangle as usize].map(|i| point(positions[i as usize])));
                }
                *row = ring.row();
            }
        });
        let normals = &self.rows;
        self.smooth.resize(positions.len(), [0.0; 2]);
        shared(&mut self.smooth, |start, rows| {
            for (i, [sum, weight]) in (start..).zip(rows) {
                (*sum, *weight) = (0.0, fans.row(i).len() as f32);
                for &triangle in fans.row(i) {
                    *sum += triangles[triangle as usize].iter().map(|&i| normals[i as usize][3]).sum::<f32>()
                        / 3.0;
                }
            }
        });
        for (row, [sum, weight]) in self.rows.iter_mut().zip(&self.smooth) {
            row[3] = sum / weight.max(1.0);
        }
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
    fn a_large_mesh_has_the_bits_of_a_small_one() {
        let n = 37_u32;
        let height = |i: u32| ((i * 7919) % 101) as f32 * 1e-3;
        let row = |i: u32| [(i % n) as f32 * 0.1, height(i), (i / n) as f32 * 0.1, 0.0];
        let positions: Vec<[f32; 4]> = (0..n * n).map(row).collect();
        let cell = |i: u32| [[i, i + n, i + 1], [i + 1, i + n, i + n + 1]];
        let mut triangles: Vec<[u32; 3]> = (0..n * (n - 1) - 1).flat_map(cell).collect();
        triangles.push([0, 1, n * n]);
        let (mut small, mut large) = (Normals::default(), Normals::default());
        small.compute(&positions, &triangles);
        large.compute_large(&positions, &triangles, &triangles_around(positions.len(), &triangles));
        assert_eq!(small.rows, large.rows);
        assert!(small.rows.iter().any(|row| row[3] > 0.1));
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
