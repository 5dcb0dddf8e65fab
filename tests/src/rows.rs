//! Tables of triangles, hinges, tethers and soft pins by hand, beside those of [`crate::grid::particles`].

use glam::{DVec2, DVec3};
use sim_api::Key;
use weft_core::state::{Blueprint, Data, State, TableRows};

use crate::grid;

/// A table by hand; all rows are those of the first cloth.
pub fn table(name: &'static str, rows: usize, mut columns: Vec<(&'static str, Data)>) -> TableRows {
    columns.push(("object", Data::U32(vec![0; rows])));
    TableRows { name, rows, columns }
}

/// A triangle: corners, model (1 StVK, 2 neo-Hookean, 3 area), mu and lame [N/m].
#[derive(Clone, Copy)]
pub struct Triangle {
    pub corners: [u32; 3],
    pub model: u32,
    pub mu: f32,
    pub lame: f32,
}

/// `at`: rest positions of all particles in the plane [m].
pub fn triangles(at: &[DVec2], rows: &[Triangle]) -> TableRows {
    let edges = |row: &Triangle| {
        let [a, b, c] = row.corners.map(|corner| at[corner as usize]);
        (b - a, c - a)
    };
    let area = |row| edges(row).0.perp_dot(edges(row).1) / 2.0;
    let inverse = |row: &Triangle| {
        let (a, b) = edges(row);
        [b.y, -a.y, -b.x, a.x].map(|x| (x / a.perp_dot(b)) as f32)
    };
    let columns = vec![
        ("idx", Data::U32x3(rows.iter().map(|row| row.corners).collect())),
        ("model", Data::U32(rows.iter().map(|row| row.model).collect())),
        ("inverse_rest", Data::F32x4(rows.iter().map(inverse).collect())),
        ("area", Data::F32(rows.iter().map(|row| area(row) as f32).collect())),
        ("mu", Data::F32(rows.iter().map(|row| row.mu).collect())),
        ("lame", Data::F32(rows.iter().map(|row| row.lame).collect())),
    ];
    table("triangle", rows.len(), columns)
}

/// A hinge: corners, model (0 quadratic, 1 dihedral), rest angle [rad], stiffness [N m].
#[derive(Clone, Copy)]
pub struct Hinge {
    pub corners: [u32; 4],
    pub model: u32,
    pub rest_angle: f32,
    pub stiffness: f32,
}

/// Weights of a flat hinge whose sum of weight x is the bending angle for small angles [1/m].
pub fn hinge_weights(at: &[DVec2], [a, b, c, d]: [u32; 4]) -> [f64; 4] {
    let at = |i: u32| at[i as usize];
    let (edge, mut weights) = (at(b) - at(a), [0.0; 4]);
    for (corner, i) in [(2, c), (3, d)] {
        let side = at(i) - at(a);
        let (weight, foot) =
            (edge.length() / edge.perp_dot(side).abs(), side.dot(edge) / edge.length_squared());
        weights[corner] = weight;
        weights[0] -= (1.0 - foot) * weight;
        weights[1] -= foot * weight;
    }
    weights
}

pub fn hinges(at: &[DVec2], rows: &[Hinge]) -> TableRows {
    let weights = |row: &Hinge| hinge_weights(at, row.corners).map(|w| w as f32);
    let columns = vec![
        ("idx", Data::U32x4(rows.iter().map(|row| row.corners).collect())),
        ("model", Data::U32(rows.iter().map(|row| row.model).collect())),
        ("weights", Data::F32x4(rows.iter().map(weights).collect())),
        ("rest_angle", Data::F32(rows.iter().map(|row| row.rest_angle).collect())),
        ("stiffness", Data::F32(rows.iter().map(|row| row.stiffness).collect())),
    ];
    table("hinge", rows.len(), columns)
}

/// Tethers of (particle, anchor, rest, compliance).
pub fn tethers(rows: &[(u32, u32, f32, f32)]) -> TableRows {
    let columns = vec![
        ("idx", Data::U32(rows.iter().map(|row| row.0).collect())),
        ("anchor", Data::U32(rows.iter().map(|row| row.1).collect())),
        ("rest", Data::F32(rows.iter().map(|row| row.2).collect())),
        ("compliance", Data::F32(rows.iter().map(|row| row.3).collect())),
    ];
    table("tether", rows.len(), columns)
}

/// Soft pins of (particle, target, compliance).
pub fn attachments(rows: &[(u32, [f32; 3], f32)]) -> TableRows {
    let target = |&(_, [x, y, z], _): &(u32, [f32; 3], f32)| [x, y, z, 0.0];
    let columns = vec![
        ("idx", Data::U32(rows.iter().map(|row| row.0).collect())),
        ("target", Data::F32x4(rows.iter().map(target).collect())),
        ("compliance", Data::F32(rows.iter().map(|row| row.2).collect())),
    ];
    table("attachment", rows.len(), columns)
}

/// A level sheet of `columns` x `rows` particles 0.05 m apart with rows in every table: soft structural springs,
/// triangles that cycle through all models, hinges of both, a pinned corner with tethers to it, and soft pins.
pub fn sheet(columns: u32, rows: u32) -> Blueprint {
    let place = |i: u32| DVec2::new(f64::from(i % columns), f64::from(i / columns)) * 0.05;
    let at: Vec<DVec2> = (0..columns * rows).map(place).collect();
    let ends: Vec<_> = (0..columns * rows)
        .map(|i| {
            let (p, bump) = (place(i), 0.004 * f64::from(i * 7 % 5));
            ([p.x as f32, bump as f32, -p.y as f32], if i == 0 { 0.0 } else { 0.002 })
        })
        .collect();
    let (mut springs, mut faces, mut folds) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..columns * rows {
        let (right, up) = (i % columns + 1 < columns, i / columns + 1 < rows);
        if right {
            springs.push((i, i + 1, 0.05, 0.01));
        }
        if up {
            springs.push((i, i + columns, 0.05, 0.01));
        }
        if right && up {
            let (a, b, c, d) = (i, i + 1, i + columns, i + columns + 1);
            let model = i % 4;
            faces.push(Triangle { corners: [a, b, c], model, mu: 20.0, lame: 10.0 });
            faces.push(Triangle { corners: [b, d, c], model, mu: 20.0, lame: 10.0 });
            folds.push(Hinge { corners: [b, c, a, d], model: i % 2, rest_angle: 0.0, stiffness: 1e-4 });
        }
    }
    let corner = columns - 1;
    let mut blueprint = grid::particles(&ends, &springs);
    let far = |i: u32| (i, 0, place(i).length() as f32, 1e-4);
    blueprint.tables.extend([
        triangles(&at, &faces),
        hinges(&at, &folds),
        tethers(&(1..columns * rows).map(far).collect::<Vec<_>>()),
        attachments(&[(corner, ends[corner as usize].0, 1e-3)]),
    ]);
    blueprint
}

/// The constraint tables, numbered as in `incident`.
pub const TABLES: [&str; 5] = ["distance", "triangle", "hinge", "tether", "attachment"];

/// The particles of each row, in the order of the table.
///
/// # Panics
/// If the table has no `idx`.
pub fn ends(state: &State, name: &str) -> Vec<Vec<u32>> {
    let idx = state.table(name).unwrap().column("idx").unwrap();
    let number = |bytes: &[u8]| u32::from_ne_bytes(bytes.try_into().unwrap());
    let rows = idx.bytes().chunks(idx.element.size());
    rows.map(|row| row.chunks(4).map(number).collect()).collect()
}

/// The same, but nothing for triangles that are only drawn.
///
/// # Panics
/// If the table has no `idx`.
pub fn acting(state: &State, name: &'static str) -> Vec<Vec<u32>> {
    let mut rows = ends(state, name);
    if name == "triangle" {
        for (ends, _) in
            rows.iter_mut().zip(state.get(Key::<u32>::new(name, "model"))).filter(|(_, m)| **m == 0)
        {
            ends.clear();
        }
    }
    rows
}

/// The xyz of rest positions in the plane, level with y up: (x, 0, -y), fronts up.
pub fn level(at: &[DVec2]) -> Vec<DVec3> {
    at.iter().map(|p| DVec3::new(p.x, 0.0, -p.y)).collect()
}
