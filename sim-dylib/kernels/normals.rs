//! Vertex normals and areas, from the triangles: what wind pushes on.

use glam::Vec3;
use sim_api::Mapped;

use crate::state::{Particle, Triangle};

/// Fills `particle.normal`: unit normal, w = a third of the area of all triangles around the particle [m2].
///
/// Triangles are added in their order, on one thread: the sum has the same bits on every machine.
pub fn update(particle: &mut Particle, triangle: &Triangle) {
    particle.normal.fill([0.0; 4]);
    for idx in triangle.idx {
        let [a, b, c] = idx.mapped(|i| xyz(particle.position[i as usize]));
        let doubled = (b - a).cross(c - a);
        for &i in idx {
            let sum = &mut particle.normal[i as usize];
            *sum =
                [sum[0] + doubled.x, sum[1] + doubled.y, sum[2] + doubled.z, sum[3] + doubled.length() / 6.0];
        }
    }
    for normal in particle.normal.iter_mut() {
        let unit = xyz(*normal).normalize_or_zero();
        *normal = [unit.x, unit.y, unit.z, normal[3]];
    }
}

/// The first three values of a row.
#[inline]
pub fn xyz(row: [f32; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}
