//! A cloth of a scene as plain arrays: particles, triangles and distance constraints.
//!
//! ```text
//! column 0   1   2   3          structural: right and down neighbours
//! row 0  o - o - o - o   +y     shear: both diagonals of each cell
//!        | \ | / | \ |    |     bend: two to the right, two down
//! row 1  o - o - o - o    +-+x  triangles: one diagonal per cell, alternating, so that the
//!        | / | \ | / |          cloth has no preferred direction; front side +z
//! row 2  o - o - o - o
//! ```
//! The particle at (column, row) has index `row * columns + column`. Nothing is sorted by colour here.

mod folds;

use super::cloth::{Compliance, Corner, Edge, Material, Pin, Shape};
use super::{Vec2, Vec3, rotation};

/// One cloth, world space. One row per particle unless stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClothMesh {
    /// [m]
    pub positions: Vec<Vec3>,
    /// [kg]; a third of each adjacent triangle. Pinned particles keep theirs.
    pub mass: Vec<f32>,
    /// Held in place.
    pub pinned: Vec<bool>,
    /// 0..1, (0, 0) at column 0, row 0; `uv_scale` is not applied.
    pub uvs: Vec<Vec2>,
    /// Particle indices, counter-clockwise seen from the front, one row per triangle.
    pub triangles: Vec<[u32; 3]>,
    /// All structural rows, then shear, then bend.
    pub distances: Vec<Distance>,
}

/// Keeps two particles at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    pub a: u32,
    pub b: u32,
    /// Rest length [m].
    pub rest: f32,
    pub kind: Kind,
    /// Inverse stiffness [m/N].
    pub compliance: f32,
}

/// Family of a distance constraint; the number is the one in the table's `kind` column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    Structural = 0,
    Shear = 1,
    Bend = 2,
}

/// Builds a grid of `columns * rows` particles. The shape must have passed the check: at least two
/// columns and rows, a size above zero.
pub fn grid(shape: &Shape, at: Vec3, rotation: Vec3, material: &Material, pins: &[Pin]) -> ClothMesh {
    let Shape::Grid { columns, rows, width, height, gather, folds } = *shape;
    let (last_column, last_row) = (columns.saturating_sub(1).max(1), rows.saturating_sub(1).max(1));
    let (dx, dy) = (width / last_column as f32, height / last_row as f32);
    let turn = rotation::euler(rotation);
    let profile = folds::profile(columns, width, gather, folds);
    let mut mesh = ClothMesh::default();
    for row in 0..rows {
        let v = row as f32 / last_row as f32;
        for (column, &[x, z]) in profile.iter().enumerate() {
            let [px, py, pz] = rotation::rotate(turn, [x, height * (0.5 - v), z]);
            mesh.positions.push([at[0] + px, at[1] + py, at[2] + pz]);
            mesh.uvs.push([column as f32 / last_column as f32, v]);
        }
    }
    mesh.triangles = triangles(columns, rows);
    mesh.mass = lumped(&mesh.triangles, mesh.positions.len(), 0.5 * dx * dy * material.density);
    mesh.pinned = pinned(columns, rows, pins);
    mesh.distances = distances(columns, rows, dx, dy, &material.compliance);
    mesh
}

fn triangles(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for row in 1..rows {
        for column in 1..columns {
            let d = row * columns + column;
            let (a, b, c) = (d - columns - 1, d - columns, d - 1);
            if (row + column) % 2 == 0 {
                triangles.extend([[a, c, d], [a, d, b]]);
            } else {
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    triangles
}

/// Each triangle gives a third of its mass [kg] to each corner.
fn lumped(triangles: &[[u32; 3]], particles: usize, triangle_mass: f32) -> Vec<f32> {
    let mut shares = vec![0_u32; particles];
    for &index in triangles.as_flattened() {
        shares[index as usize] += 1;
    }
    shares.into_iter().map(|share| share as f32 * (triangle_mass / 3.0)).collect()
}

fn pinned(columns: u32, rows: u32, pins: &[Pin]) -> Vec<bool> {
    let mut pinned = vec![false; columns as usize * rows as usize];
    let (right, bottom) = (columns.saturating_sub(1), rows.saturating_sub(1));
    let mut hold = |column: u32, row: u32| {
        if column < columns && row < rows {
            pinned[row as usize * columns as usize + column as usize] = true;
        }
    };
    for pin in pins {
        match *pin {
            Pin::Particle { column, row } => hold(column, row),
            Pin::Corner(Corner::TopLeft) => hold(0, 0),
            Pin::Corner(Corner::TopRight) => hold(right, 0),
            Pin::Corner(Corner::BottomLeft) => hold(0, bottom),
            Pin::Corner(Corner::BottomRight) => hold(right, bottom),
            Pin::Edge(edge) => along_edge(edge, 1, right, bottom, &mut hold),
            Pin::Every { edge, step } => along_edge(edge, step, right, bottom, &mut hold),
        }
    }
    pinned
}

fn along_edge(edge: Edge, step: u32, right: u32, bottom: u32, hold: &mut impl FnMut(u32, u32)) {
    let end = if matches!(edge, Edge::Left | Edge::Right) { bottom } else { right };
    let steps = (0..=end).step_by(step.max(1) as usize).chain([end]);
    for i in steps {
        match edge {
            Edge::Left => hold(0, i),
            Edge::Right => hold(right, i),
            Edge::Top => hold(i, 0),
            Edge::Bottom => hold(i, bottom),
        }
    }
}

fn distances(columns: u32, rows: u32, dx: f32, dy: f32, compliance: &Compliance) -> Vec<Distance> {
    let diagonal = (dx * dx + dy * dy).sqrt();
    // Column and row step, rest length, first column (a diagonal to the left starts at 1).
    let families = [
        (Kind::Structural, compliance.structural, [(1, 0, dx, 0), (0, 1, dy, 0)]),
        (Kind::Shear, compliance.shear, [(1, 1, diagonal, 0), (-1, 1, diagonal, 1)]),
        (Kind::Bend, compliance.bend, [(2, 0, 2.0 * dx, 0), (0, 2, 2.0 * dy, 0)]),
    ];
    let mut distances = Vec::new();
    // One direction after the other: first-fit colouring then comes out by parity, two colours each.
    let directions =
        families.iter().flat_map(|(kind, compliance, steps)| steps.map(|step| (*kind, *compliance, step)));
    for (kind, compliance, (right, down, rest, first)) in directions {
        for row in 0..rows.saturating_sub(down) {
            for column in first..columns {
                let other = column.checked_add_signed(right).filter(|&other| other < columns);
                if let Some(other) = other {
                    let (a, b) = (row * columns + column, (row + down) * columns + other);
                    distances.push(Distance { a, b, rest, kind, compliance });
                }
            }
        }
    }
    distances
}
