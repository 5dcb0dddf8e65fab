//! Distance rows: the threads of a grid, the edges of a mesh, and the pairs that resist bending.
//!
//! With `sheet` given, the stiffness of a row is that of the strip of cloth it stands for, so the sheet is as stiff at
//! any resolution; else it is 1/`compliance`.

use std::collections::BTreeSet;

use super::super::material::{Bending, Material};
use super::edges::Edge;
use super::rest::{Grid, Rest};
use super::{Distance, Kind};

/// All structural rows, then shear, then bend.
pub(super) fn distances(rest: &Rest, edges: &[Edge], material: &Material) -> Vec<Distance> {
    let mut rows = match &rest.grid {
        Some(grid) => grid_rows(grid, material),
        None => mesh_rows(rest, edges, material),
    };
    let (springs, skip_one) = (material.membrane.has_springs(), material.bending() == Bending::SkipOne);
    rows.retain(|row| if row.kind == Kind::Bend { skip_one } else { springs });
    rows
}

/// A row of stiffness k [N/m] if the sheet gives one, else of the compliance [m/N].
fn row([a, b]: [u32; 2], rest: f32, kind: Kind, k: f64, compliance: f32, material: &Material) -> Distance {
    let mut row = Distance { a, b, rest, kind, compliance, damping: material.spring_damping };
    if k > 0.0 {
        row.compliance = (1.0 / k) as f32;
        row.damping += (k * f64::from(material.sheet.damping)) as f32;
    }
    row
}

fn grid_rows(grid: &Grid, material: &Material) -> Vec<Distance> {
    let &Grid { columns, rows, dx, dy } = grid;
    let (diagonal, compliance) = ((dx * dx + dy * dy).sqrt(), &material.compliance);
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
        for row_index in 0..rows.saturating_sub(down) {
            for column in first..columns {
                let other = column.checked_add_signed(right).filter(|&other| other < columns);
                let Some(other) = other else { continue };
                let ends = [row_index * columns + column, (row_index + down) * columns + other];
                let border = if down == 0 {
                    row_index == 0 || row_index + 1 == rows
                } else {
                    column == 0 || column + 1 == columns
                };
                let k = grid_stiffness(grid, kind, down == 0, border, material);
                distances.push(row(ends, rest, kind, k, compliance, material));
            }
        }
    }
    distances
}

/// [N/m]; 0 where the sheet gives none.
///
/// A structural row carries the strip of cloth halfway to its neighbours, half as wide on the border: k = stretch width /
/// length. Shear by gamma lengthens one diagonal of a cell by gamma dx dy / d and shortens the other by as much; with both
/// at k, k (gamma dx dy / d)² = 1/2 shear gamma² dx dy, so k = shear d² / (2 dx dy). A pull along x stretches diagonals too,
/// which adds shear dx²/dy² to the stiffness of a sheet that is held at its width.
fn grid_stiffness(grid: &Grid, kind: Kind, across: bool, border: bool, material: &Material) -> f64 {
    let (dx, dy) = (f64::from(grid.dx), f64::from(grid.dy));
    match kind {
        Kind::Structural => {
            let (length, width) = if across { (dx, dy) } else { (dy, dx) };
            f64::from(material.sheet.stretch) * width / length * if border { 0.5 } else { 1.0 }
        }
        Kind::Shear => f64::from(material.sheet.shear) * (dx * dx + dy * dy) / (2.0 * dx * dy),
        Kind::Bend => 0.0,
    }
}

/// Edges with k = stretch times the area beside it over its length squared (Van Gelder 1998), and one pair over each
/// edge that two triangles share.
fn mesh_rows(rest: &Rest, edges: &[Edge], material: &Material) -> Vec<Distance> {
    let mut areas = vec![0.0; edges.len()];
    for triangle in &rest.triangles {
        let (area, [a, b, c]) = (rest.area(*triangle), *triangle);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let ends = [from.min(to), from.max(to)];
            if let Ok(edge) = edges.binary_search_by_key(&ends, |edge| edge.ends) {
                areas[edge] += area;
            }
        }
    }
    let length = |[a, b]: [u32; 2]| rest.points[a as usize].distance(rest.points[b as usize]);
    let (stretch, compliance) = (f64::from(material.sheet.stretch), &material.compliance);
    let mut distances = Vec::new();
    for (edge, area) in edges.iter().zip(areas) {
        let e = length(edge.ends);
        let k = stretch * area / (e * e);
        distances.push(row(edge.ends, e as f32, Kind::Structural, k, compliance.structural, material));
    }
    // Two edges may lie between the same corners, and corners may share an edge of their own or a place.
    let mut known: BTreeSet<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
    for [.., left, right] in edges.iter().filter_map(Edge::hinge) {
        let ends = [left.min(right), left.max(right)];
        let e = length(ends) as f32;
        if e > 0.0 && known.insert(ends) {
            distances.push(row(ends, e, Kind::Bend, 0.0, compliance.bend, material));
        }
    }
    distances
}
