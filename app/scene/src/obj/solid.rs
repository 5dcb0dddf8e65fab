//! The triangle mesh of a collider: normals, a tree of boxes and a grid of distances, built once when the file is read.
//!
//! ```text
//! surface ─ normals   of vertices by angle, of edges by sum: the sign of a distance
//!         ├ tree      boxes in depth-first order, each with the row behind its last descendant (`solid/tree.rs`)
//!         └ cells     signed distance at the centres of a coarse grid, by that tree
//! ```
//! The arrays are those of the tables `solid_*`, in units of the file; the search in them is the hot code's own
//! (`sim-dylib/kernels/collide/mesh.rs`). A crate such as parry3d has trees too, but keeps them in its own types: the hot code
//! owns no memory and sees flat columns only.

pub mod tree;

use glam::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sim_kernels::collide::mesh::{Mesh, Meshes};

use crate::{
    mesh::{edges, volume::volume},
    obj::{Fault, Progress, Surface},
};

/// Cells along the longest side of the grid; more than a few find nothing more in a fuzz target, and take it a hundred times as long.
const CELLS: f32 = if cfg!(fuzzing) { 3.0 } else { 32.0 };

/// Lengths in units of the file, about its origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Every edge has two faces: it has an inside.
    pub closed: bool,
    /// Edges with another number of faces.
    pub boundary: usize,
    /// Volume inside; negative where the faces look inwards.
    pub volume: f64,
    /// Of the ball around the origin that holds it.
    pub radius: f32,
    /// Longest side of the box around it.
    pub extent: f32,
    /// One row per vertex.
    pub position: Vec<[f32; 4]>,
    pub normal: Vec<[f32; 4]>,
    /// One row per face, in the order of the tree.
    pub corners: Vec<[u32; 3]>,
    pub edges: [Vec<[f32; 4]>; 3],
    /// One row per node.
    pub low: Vec<[f32; 4]>,
    pub high: Vec<[f32; 4]>,
    pub link: Vec<[u32; 3]>,
    /// Lowest corner of the grid, side of a cell, cells along x, y and z.
    pub grid_low: [f32; 3],
    pub cell: f32,
    pub cells: [u32; 3],
    /// One row per cell, x fastest: distance of its centre, and the nearest face.
    pub distance: Vec<f32>,
    pub nearest: Vec<u32>,
}

/// Bytes of the rows in the tables of a mesh of so many vertices and faces.
pub fn bytes(vertices: usize, faces: usize) -> usize {
    let (nodes, cells) = (2 * faces, (CELLS * CELLS * CELLS) as usize);
    32 * vertices + 60 * faces + 44 * nodes + 8 * cells
}

impl Solid {
    /// Fails only where nobody waits any more.
    pub fn new(surface: &Surface, progress: &mut Progress) -> Result<Self, Fault> {
        let points: Vec<Vec3> = surface.positions.iter().map(|x| Vec3::from(*x)).collect();
        progress.part("building its tree", 0.6, surface.triangles.len());
        let (corners, nodes) = tree::build(&points, &surface.triangles, &|faces| progress.add(faces))?;
        progress.part("finding its edges and normals", 0.8, 4);
        let all_edges = edges::edges(&corners);
        progress.add(1)?;
        let boundary = all_edges.iter().filter(|edge| edge.hinge().is_none()).count();
        let (low, high) = points
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let extent = (high - low).max_element();
        let cell = extent / CELLS;
        let flat: Vec<Vec3> = corners.par_iter().map(|face| normal(&points, *face)).collect();
        progress.add(1)?;
        let vertex_normals = vertex_normals(&points, &corners, &flat);
        progress.add(1)?;
        let mut solid = Self {
            closed: boundary == 0,
            boundary,
            volume: volume(&surface.positions, &surface.triangles),
            radius: points.iter().map(|x| x.length()).fold(0.0, f32::max),
            extent,
            normal: vertex_normals,
            edges: edge_normals(&corners, &all_edges, &flat),
            position: points.iter().map(|x| x.extend(0.0).to_array()).collect(),
            corners,
            low: nodes.iter().map(|node| node.low.extend(0.0).to_array()).collect(),
            high: nodes.iter().map(|node| node.high.extend(0.0).to_array()).collect(),
            link: nodes.iter().map(|node| node.link).collect(),
            grid_low: low.to_array(),
            cell,
            cells: ((high - low) / cell).to_array().map(|side| (side.ceil() as u32).max(1)),
            distance: Vec::new(),
            nearest: Vec::new(),
        };
        progress.part("measuring distances", 1.0, solid.cells.iter().product::<u32>() as usize);
        (solid.distance, solid.nearest) = solid.at_cells(progress)?;
        Ok(solid)
    }

    /// Bytes of its rows in the tables.
    pub fn bytes(&self) -> usize {
        32 * self.position.len() + 60 * self.corners.len() + 44 * self.link.len() + 8 * self.distance.len()
    }

    fn at_cells(&self, progress: &Progress) -> Result<(Vec<f32>, Vec<u32>), Fault> {
        let [nx, ny, nz] = self.cells;
        let center = |i: u32| {
            let place = [i % nx, i / nx % ny, i / (nx * ny)].map(|place| place as f32 + 0.5);
            Vec3::from(self.grid_low) + Vec3::from(place) * self.cell
        };
        let at = |i: u32| {
            progress.add(1)?;
            Ok(self.mesh().nearest(center(i)))
        };
        (0..nx * ny * nz).into_par_iter().map(at).collect()
    }

    fn mesh(&self) -> Mesh<'_> {
        let [nx, ny, nz] = self.cells;
        Mesh {
            of: Meshes {
                position: &self.position,
                normal: &self.normal,
                corners: &self.corners,
                edges: [0, 1, 2].map(|edge| self.edges[edge].as_slice()),
                low: &self.low,
                high: &self.high,
                link: &self.link,
                cell: &self.distance,
                cell_face: &self.nearest,
            },
            closed: self.closed,
            radius: self.radius,
            nodes: [0, self.link.len() as u32],
            low: Vec3::from(self.grid_low),
            cell: self.cell,
            cells: [nx, ny, nz, 0],
        }
    }

    /// Signed distance from the surface; negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.mesh().distance(point, f32::INFINITY).0
    }

    /// Where a ray from outside meets it first, in multiples of `direction`.
    pub fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let (inverse, mut nearest, mut node) = (direction.recip(), f32::INFINITY, 0);
        while let Some(&[skip, first, count]) = self.link.get(node) {
            let corner = |row: &[f32; 4]| (Vec3::new(row[0], row[1], row[2]) - origin) * inverse;
            let (one, other) = (corner(&self.low[node]), corner(&self.high[node]));
            let (enter, leave) = (one.min(other).max_element(), one.max(other).min_element());
            if enter > leave || leave < 0.0 || enter > nearest {
                node = skip as usize;
                continue;
            }
            for face in first..first + count {
                let [a, b, c] = self.face(face as usize);
                let ray = weft_core::ray::Ray { origin, direction };
                if let Some((distance, _)) = weft_core::ray::ray_triangle(ray, a, b, c) {
                    nearest = nearest.min(distance);
                }
            }
            node += 1;
        }
        nearest.is_finite().then_some(nearest)
    }

    /// Corners of a face.
    pub fn face(&self, face: usize) -> [Vec3; 3] {
        self.corners[face].map(|corner| {
            let [x, y, z, _] = self.position[corner as usize];
            Vec3::new(x, y, z)
        })
    }
}

fn normal(points: &[Vec3], [a, b, c]: [u32; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(|corner| points[corner as usize].as_dvec3());
    (b - a).cross(c - a).normalize_or_zero().as_vec3()
}

/// Each face gives its normal times its angle (Bærentzen and Aanæs 2005).
fn vertex_normals(points: &[Vec3], faces: &[[u32; 3]], flat: &[Vec3]) -> Vec<[f32; 4]> {
    let mut normals = vec![Vec3::ZERO; points.len()];
    for (face, &direction) in faces.iter().zip(flat) {
        for i in 0..3 {
            let [at, next, last] = [i, (i + 1) % 3, (i + 2) % 3].map(|i| points[face[i] as usize]);
            normals[face[i] as usize] += direction * (next - at).angle_between(last - at);
        }
    }
    normals.into_iter().map(|normal| normal.extend(0.0).to_array()).collect()
}

/// The sum of the normals beside each edge of each face.
fn edge_normals(faces: &[[u32; 3]], all: &[edges::Edge], flat: &[Vec3]) -> [Vec<[f32; 4]>; 3] {
    [0, 1, 2].map(|i| {
        let sum = |(face, own): (&[u32; 3], &Vec3)| {
            let (from, to) = (face[i], face[(i + 1) % 3]);
            let ends = [from.min(to), from.max(to)];
            let place = all.binary_search_by_key(&ends, |edge| edge.ends);
            let beside = place.ok().map(|place| &all[place]).filter(|edge| edge.hinge().is_some());
            let sum = beside.map(|edge| edge.triangles.map(|face| flat[face as usize]));
            sum.map_or(*own, |[a, b]| a + b).extend(0.0).to_array()
        };
        faces.par_iter().zip(flat).map(sum).collect()
    })
}

#[cfg(test)]
mod tests {
    use sim_kernels::collide::near::Near;

    use super::*;

    /// A cube with a square pit in its top, 4 x 4 x 4 with the pit from (1, 2, 1) to (3, 4, 3).
    fn pit() -> Solid {
        let text = include_str!("solid/pit.obj");
        let work = crate::ReadWork::default();
        let surface = crate::obj::parse(text).unwrap();
        let solid = Solid::new(&surface, &mut Progress::silent(&work)).unwrap();
        assert!(
            solid.closed && (solid.volume - (64.0 - 8.0)).abs() < 1e-4,
            "{} {}",
            solid.boundary,
            solid.volume
        );
        solid
    }

    /// The same shape in closed form.
    fn expected(x: Vec3) -> f32 {
        let cuboid = |low: Vec3, high: Vec3| {
            let beyond = (x - (low + high) / 2.0).abs() - (high - low) / 2.0;
            beyond.max(Vec3::ZERO).length() + beyond.max_element().min(0.0)
        };
        // Exact where the pit is not open: its lid lies inside the upper box.
        cuboid(Vec3::ZERO, Vec3::splat(4.0)).max(-cuboid(Vec3::new(1.0, 2.0, 1.0), Vec3::new(3.0, 40.0, 3.0)))
    }

    #[test]
    fn the_sign_is_right_in_a_pit_and_at_its_edges() {
        let solid = pit();
        let mut seen = [0; 2];
        for i in 0..20_000_u32 {
            let part =
                |k: u32| ((i.wrapping_mul(2_654_435_761).wrapping_mul(2 * k + 1)) >> 8) as f32 / 16_777_216.0;
            let x = Vec3::new(part(1), part(2), part(3)) * 6.0 - Vec3::ONE;
            let (distance, wanted) = (solid.distance(x), expected(x));
            if wanted.abs() > 1e-4 {
                assert_eq!(distance > 0.0, wanted > 0.0, "{x}: {distance} for {wanted}");
                seen[usize::from(wanted > 0.0)] += 1;
            }
            // A maximum of distances is never more than the distance.
            assert!(distance.abs() > wanted.abs() - 1e-4, "{x}: {distance} for {wanted}");
        }
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }

    #[test]
    fn the_tree_finds_what_a_look_at_every_face_finds() {
        let solid = pit();
        for i in 0..300_u32 {
            let part =
                |k: u32| ((i.wrapping_mul(2_654_435_761).wrapping_mul(2 * k + 1)) >> 8) as f32 / 16_777_216.0;
            let x = Vec3::new(part(1), part(2), part(3)) * 8.0 - Vec3::splat(2.0);
            let all = Mesh { nodes: [0, 0], ..solid.mesh() };
            assert!(all.nearest(x) == (0.0, u32::MAX), "no nodes, nothing found");
            let every = (0..solid.corners.len()).map(|face| {
                let leaf = Solid {
                    low: vec![[-1e9; 4]],
                    high: vec![[1e9; 4]],
                    link: vec![[1, face as u32, 1]],
                    ..solid.clone()
                };
                leaf.mesh().nearest(x).0.abs()
            });
            let nearest = every.fold(f32::INFINITY, f32::min);
            // Cut off at what is needed it is the same or nothing.
            for needed in [0.5 * nearest, 0.99 * nearest, 1.01 * nearest, 3.0 * nearest] {
                let within = solid.mesh().within(x, needed);
                assert!(within.is_some() || needed < nearest, "{x}: {nearest}");
                assert!(within.is_none_or(|within| within == solid.mesh().distance(x, f32::INFINITY)), "{x}");
            }
            assert!((solid.distance(x).abs() - nearest).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn who_remembers_its_last_look_sees_what_a_search_sees() {
        let solid = pit();
        let part = |i: u32, k: u32| {
            ((i.wrapping_mul(2_654_435_761).wrapping_mul(2 * k + 1)) >> 8) as f32 / 16_777_216.0
        };
        let (mut faces, mut ways, mut at, mut of) = ([0; 4], [0.0; 4], [0.0; 4], 0);
        let (mut x, mut kept) = (Vec3::ZERO, 0);
        for i in 0..60_000_u32 {
            let step = Vec3::new(part(i, 1), part(i, 2), part(i, 3)) - 0.5;
            // Steps of all sizes, along faces, edges and corners too; now and then somewhere else.
            x = if i % 50 == 0 { step * 7.0 + 2.0 } else { x + step * 0.5_f32.powi((i % 11) as i32 + 2) };
            if i % 7 == 0 {
                x = x.round();
            }
            let needed = [0.01, 0.1, 1.0, 10.0][(i / 50 % 4) as usize];
            let before = at;
            let mut near =
                Near { faces: &mut faces, ways: &mut ways, at: &mut at, of: &mut of, own: 1 + i / 1000 % 2 };
            let seen = solid.mesh().within_near(x, needed, &mut near);
            assert_eq!(seen, solid.mesh().within(x, needed), "{i}: {x} within {needed}");
            kept += u32::from(seen.is_some() && at == before);
        }
        assert!(kept > 10_000, "{kept} looks were spared");
    }

    #[test]
    fn rays_end_where_the_surface_is() {
        let solid = pit();
        assert_eq!(solid.ray(Vec3::new(2.1, 9.0, 1.9), Vec3::NEG_Y), Some(7.0));
        assert_eq!(solid.ray(Vec3::new(0.4, 9.0, 1.9), Vec3::NEG_Y), Some(5.0));
        assert_eq!(solid.ray(Vec3::new(-0.4, 9.0, 1.9), Vec3::NEG_Y), None);
    }
}
