//! Meshes of the solids, built once: a unit sphere that is split at its equator, and a unit box.
//!
//! A vertex is (corner.xyz, cap, normal). The shader scales the corner and moves it by cap × half height along y,
//! so that one mesh is every sphere and every capsule.

use glam::Vec3;

use weft_scene::solid::Solid;

/// corner.xyz, cap (−1, 0, 1), normal.xyz
pub(crate) type SolidVertex = [f32; 7];

pub(crate) struct Mesh {
    pub vertices: Vec<SolidVertex>,
    pub indices: Vec<u32>,
}

const SLICES: u32 = 64;
/// Rings from the equator to a pole.
const RINGS: u32 = 16;

/// Unit sphere, two hemispheres joined by a band of zero height that a capsule stretches.
pub(crate) fn sphere() -> Mesh {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    // South pole to equator with cap −1, then equator to north pole with cap 1.
    for ring in 0..2 * (RINGS + 1) {
        let north = ring > RINGS;
        let step = if north { ring - 1 } else { ring };
        let latitude = (step as f32 / RINGS as f32 - 1.0) * std::f32::consts::FRAC_PI_2;
        for slice in 0..=SLICES {
            let longitude = slice as f32 / SLICES as f32 * std::f32::consts::TAU;
            let n =
                Vec3::new(latitude.cos() * longitude.sin(), latitude.sin(), latitude.cos() * longitude.cos());
            vertices.push([n.x, n.y, n.z, if north { 1.0 } else { -1.0 }, n.x, n.y, n.z]);
        }
    }
    let row = SLICES + 1;
    for ring in 0..2 * (RINGS + 1) - 1 {
        for slice in 0..SLICES {
            let low = ring * row + slice;
            let high = low + row;
            indices.extend([low, low + 1, high + 1, low, high + 1, high]);
        }
    }
    Mesh { vertices, indices }
}

/// Box of half extent 1 with flat faces.
pub(crate) fn cuboid() -> Mesh {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        let u = Vec3::new(normal.y.abs(), normal.z.abs(), normal.x.abs());
        let v = normal.cross(u);
        let first = vertices.len() as u32;
        for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let corner = normal + u * s + v * t;
            vertices.push([corner.x, corner.y, corner.z, 0.0, normal.x, normal.y, normal.z]);
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    Mesh { vertices, indices }
}

/// Cosine of the angle between a face and its corner's normal beyond which the edge is drawn sharp.
const SHARP: f32 = 0.8;

/// The faces of a collider's mesh, each with corners of its own.
pub(crate) fn faces(solid: &Solid) -> Mesh {
    let mut vertices = Vec::with_capacity(3 * solid.corners.len());
    for face in 0..solid.corners.len() {
        let [a, b, c] = solid.face(face);
        let flat = (b - a).cross(c - a).normalize_or(Vec3::Y);
        for (at, corner) in [a, b, c].into_iter().zip(solid.corners[face]) {
            let [x, y, z, _] = solid.normal[corner as usize];
            let smooth = Vec3::new(x, y, z).normalize_or(flat);
            let n = if smooth.dot(flat) < SHARP { flat } else { smooth };
            vertices.push([at.x, at.y, at.z, 0.0, n.x, n.y, n.z]);
        }
    }
    let indices = (0..vertices.len() as u32).collect();
    Mesh { vertices, indices }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_counter_clockwise_from_outside() {
        for mesh in [sphere(), cuboid()] {
            for triangle in mesh.indices.chunks(3) {
                let [a, b, c] =
                    [0, 1, 2].map(|k| Vec3::from_slice(&mesh.vertices[triangle[k] as usize][..3]));
                assert!((b - a).cross(c - a).dot(a + b + c) > -1e-6);
            }
        }
    }
}
