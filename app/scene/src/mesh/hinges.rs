//! Hinges that make a cloth as stiff as the sheet at any resolution.
//!
//! On a mesh there is one per edge between two triangles. A grid has one along and one across at each particle that has
//! neighbours on both sides, and one over a diagonal of each cell, for the twist (see [`of_grid`]).
//!
//! ```text
//!        x2            x0 -> x1 is the edge; x0, x1, x2 and x1, x0, x3 are
//!      / t0 \          counter-clockwise seen from the front
//!    x0 ---- x1
//!      \ t1 /          of a grid, along: x3 -- x0 -- x2, and x1 the next particle across;
//!        x3            of a mesh the corners of two triangles
//! ```

use glam::DVec3;

use super::super::material::{Bending, Material};
use super::edges::Edge;
use super::rest::{Grid, Rest};

/// A sheet that is bent more than this anywhere [rad] is not flat: the quadratic model would flatten it.
const FLAT: f32 = 1e-3;
/// Triangles are slivers where a corner that moves by their length turns a hinge by so many radians: 50 times as long as high.
const SHARP: f64 = 50.0;
/// Stiffest hinge of slivers over the inverse mass of its lightest corner [1/s2]: where the corner that moves them least goes
/// would be what the rounding of the others leaves. Those 1e5 times as long as high pulled with 5e11 N/m for a kg, and threw it
/// at 11 to 93 m/s.
const STIFFEST: f64 = 5e5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    pub idx: [u32; 4],
    /// 0 quadratic, 1 dihedral angle.
    pub model: u32,
    /// |sum of weight x| is the bending angle, for small angles [1/m].
    pub weights: [f32; 4],
    /// [rad], positive where x2 and x3 lie in front.
    pub rest_angle: f32,
    /// [N m]
    pub stiffness: f32,
    /// It would be stiffer if its triangles were no slivers.
    pub is_held_back: bool,
}

/// None if the material bends by skip-one rows or does not resist bending at all. `mass` [kg] of the sheet at its particles,
/// and which of them are `held`. A grid needs no `edges`.
pub fn hinges(rest: &Rest, edges: &[Edge], material: &Material, mass: &[f32], held: &[bool]) -> Vec<Hinge> {
    let model = match material.bending() {
        Bending::Auto | Bending::SkipOne => return Vec::new(),
        Bending::Quadratic => 0,
        Bending::Dihedral => 1,
    };
    if material.sheet.bend <= 0.0 {
        return Vec::new();
    }
    let hinge = |(idx, share): ([u32; 4], f64)| {
        let x = idx.map(|corner| rest.points[corner as usize]);
        let clamp = rest.grid.is_some() && is_clamp(idx.map(|corner| held[corner as usize]));
        let share = if clamp { 2.0 * share } else { share };
        let stiffness = share * f64::from(material.sheet.bend);
        let weights = weights(x);
        let most = stiffest(x, weights, idx.map(|corner| mass[corner as usize]));
        Hinge {
            idx,
            model,
            weights: weights.map(|weight| weight as f32),
            rest_angle: angle(x) as f32,
            stiffness: stiffness.min(most) as f32,
            is_held_back: stiffness > most,
        }
    };
    let rows = rest.grid.as_ref().map_or_else(|| of_mesh(rest, edges), of_grid);
    let mut hinges: Vec<Hinge> = rows.into_iter().map(hinge).collect();
    if material.bending == Bending::Auto && hinges.iter().any(|hinge| hinge.rest_angle.abs() > FLAT) {
        hinges.iter_mut().for_each(|hinge| hinge.model = 1);
    }
    hinges
}

/// The edge and one side of it are held, the other side is not: a clamp begins here. Half of the cloth that the hinge stands
/// for cannot bend, so the angle is that of the other half: twice the stiffness, as a clamped strand has it. With the
/// same stiffness a cantilever would be half a cell longer than it looks. Of a grid alone: the presets drape as fabrics do (V10)
/// on discs whose clamp has whole hinges.
fn is_clamp([a, b, left, right]: [bool; 4]) -> bool {
    a && b && left != right
}

/// Corners of all hinges of a mesh, and their stiffness over that of the sheet: the edge's length squared over a third of the
/// area beside it, by 3 (Seung and Nelson 1988, 2 B / sqrt(3) on equilateral triangles): exact for cylinders of any direction, 2/3
/// for bowls and 4/3 for saddles.
fn of_mesh(rest: &Rest, edges: &[Edge]) -> Vec<([u32; 4], f64)> {
    let hinge = |edge: &Edge| {
        // Two triangles back to back have one corner in both places, and no hinge.
        let idx = edge.hinge().filter(|idx| idx[2] != idx[3])?;
        let x = idx.map(|corner| rest.points[corner as usize]);
        let area = 0.5 * (normal([x[0], x[1], x[2]]).length() + normal([x[1], x[0], x[3]]).length());
        Some((idx, (x[1] - x[0]).length_squared() / area))
    };
    edges.iter().filter_map(hinge).collect()
}

/// The same of a grid: the plate B/2 (kxx² + kyy² + 2 kxy²) by central differences. All weights of x1 of a hinge along or across
/// are 0 in the flat: it gives the axis alone.
///
/// Hinges over the edges of its triangles alone cannot do it. At half of the particles none would be centred: these would
/// rise where the cloth bends, so that diagonals take part of the bend in turn to either side, and with
/// stiffness c B of edges along and across and d B of diagonals the cloth would be a plate of rigidity c (c + 2d) / (2c + 2d) B and of
/// Poisson's ratio -c / (c + 2d). No c and d make both a narrow strip and a wide sheet right, nor one strip at a small and a
/// large load (`tests/results/hinges.csv`). Hinges over the edges of both ways to cut the cells, half as stiff, give the same numbers as
/// these with twice as many rows.
fn of_grid(grid: &Grid) -> Vec<([u32; 4], f64)> {
    let &Grid { columns, rows, dx, dy } = grid;
    let (dx, dy) = (f64::from(dx), f64::from(dy));
    if columns < 2 || rows < 2 {
        return Vec::new();
    }
    let at = |column: u32, row: u32| row * columns + column;
    // The cloth of a particle on the border is half as wide.
    let width = |i: u32, count: u32| if i == 0 || i + 1 == count { 0.5 } else { 1.0 };
    let mut hinges = Vec::new();
    for row in 0..rows {
        for column in 1..columns - 1 {
            let (p, share) = (at(column, row), width(row, rows) * dy / dx);
            // Seen from the front, rows run downwards.
            let idx =
                if row + 1 < rows { [p, p + columns, p + 1, p - 1] } else { [p, p - columns, p - 1, p + 1] };
            hinges.push((idx, share));
        }
    }
    for row in 1..rows - 1 {
        for column in 0..columns {
            let (p, share) = (at(column, row), width(column, columns) * dx / dy);
            let idx = if column + 1 < columns {
                [p, p + 1, p - columns, p + columns]
            } else {
                [p, p - 1, p + columns, p - columns]
            };
            hinges.push((idx, share));
        }
    }
    for row in 1..rows {
        for column in 1..columns {
            let d = at(column, row);
            let (a, b, c) = (d - columns - 1, d - columns, d - 1);
            // The diagonal that its triangles have. A twist k turns it by k times its length.
            let idx = if (row + column) % 2 == 0 { [a, d, b, c] } else { [b, c, d, a] };
            hinges.push((idx, 2.0 * dx * dy / (dx * dx + dy * dy)));
        }
    }
    hinges
}

/// Most stiffness of a hinge [N m]; none but that of slivers is held back. `mass` [kg] of its corners.
fn stiffest(x: [DVec3; 4], weights: [f64; 4], mass: [f32; 4]) -> f64 {
    let squares = weights.map(|weight| weight * weight);
    let sides = [x[1] - x[0], x[2] - x[0], x[3] - x[0], x[2] - x[1], x[3] - x[1], x[3] - x[2]];
    let longest = sides.into_iter().map(DVec3::length_squared).fold(0.0, f64::max);
    if squares.into_iter().fold(0.0, f64::max) * longest <= SHARP * SHARP {
        return f64::INFINITY;
    }
    let each = squares.into_iter().zip(mass).map(|(square, mass)| f64::from(mass) / square);
    STIFFEST * each.fold(f64::INFINITY, f64::min)
}

/// Doubled area along the normal [m2].
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Cotangent weights K of Bergou et al. 2006 (A Quadratic Bending Model for Inextensible Surfaces) over the length
/// of the edge: |K x| is twice the length times the sine of half the angle.
pub fn weights(x: [DVec3; 4]) -> [f64; 4] {
    // Cotangent of the angle at `a`, between the edges to `b` and `c`.
    let cot = |a: DVec3, b: DVec3, c: DVec3| (b - a).dot(c - a) / (b - a).cross(c - a).length();
    let (c01, c03) = (cot(x[0], x[1], x[2]), cot(x[1], x[0], x[2]));
    let (c02, c04) = (cot(x[0], x[1], x[3]), cot(x[1], x[0], x[3]));
    let length = (x[1] - x[0]).length();
    [c03 + c04, c01 + c02, -c01 - c03, -c02 - c04].map(|weight| weight / length)
}

/// Between the normals [rad], positive in a valley seen from the front.
pub fn angle(x: [DVec3; 4]) -> f64 {
    let (n0, n1) = (normal([x[0], x[1], x[2]]), normal([x[1], x[0], x[3]]));
    let axis = (x[1] - x[0]).normalize();
    // The normals lean towards each other in a valley: n1 x n0 runs along the edge.
    n1.cross(n0).dot(axis).atan2(n0.dot(n1))
}
