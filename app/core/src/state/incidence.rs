//! The rows that touch each particle, and colours of particles: what a solver needs that moves one particle at a time.
//!
//! Derived from the constraint tables after their rows were sorted by colour, and never part of a scene. Two particles
//! of one colour share no row of any table, so a colour's particles may move at the same time.
//!
//! ```text
//! vertex     colour 0: v0 v1 v2 … v7 | v8 …   strips of 8; the last strip of a colour may be shorter
//! incident   v0 v1 … v7   first distance row of each
//!            v0 v1 … v7   second …            padded to the longest list of the strip
//!            …
//!            rows of the other tables, one particle after the other
//! ```
//! Rows of one particle lie 8 apart, so that 8 lanes load them with one read. First fit over the particles in scene
//! order, 64 colours; who finds none is in the serial tail.

use sim_api::model::MembraneModel;

use super::{Blueprint, Coloring, Data, Table, TableRows, rows};
use crate::{csr::Csr, state::col};

/// Particles of a strip.
pub const STRIP: usize = 8;
/// Numbers of the column `incident.table`; [`PADDING`] belongs to no row.
pub const TABLES: [&str; 5] = ["distance", "triangle", "hinge", "tether", "attachment"];
pub const PADDING: u32 = u32::MAX;
/// Place of the triangles in [`TABLES`].
const TRIANGLE: u32 = 1;

/// One bit each in a mask.
const MAX_COLORS: u32 = 64;

/// A corner of a row of a constraint table.
#[derive(Clone, Copy)]
struct Corner {
    table: u32,
    /// Row in the sorted table.
    row: u32,
    /// The same row in scene order.
    scene_row: u32,
    corner: u32,
}

/// Fills the tables `vertex` and `incident`, if the code declares them.
pub fn fill(tables: &mut [Table], blueprint: &Blueprint) {
    if !tables.iter().any(|table| ["vertex", "incident"].contains(&table.name.as_str())) {
        return;
    }
    let (rows, coloring) = derive(tables, blueprint);
    for filled in rows {
        let Some(table) = tables.iter_mut().find(|table| table.name == filled.name) else { continue };
        table.fill_derived(&filled);
        if table.name == "vertex" {
            table.coloring.ends.clone_from(&coloring.ends);
        }
    }
}

/// The two tables and the colours of `vertex`, whose rows already stand in that order.
fn derive(tables: &[Table], blueprint: &Blueprint) -> ([TableRows; 2], Coloring) {
    let particles = blueprint.table("particle").map_or(0, |table| table.rows);
    let idx = TABLES.map(|name| blueprint.table(name)?.column("idx").map(Data::unpacked));
    let idx = idx.each_ref().map(|idx| idx.as_ref().map_or((1, &[][..]), |idx| particles_of(idx)));
    let touching = touching(tables, blueprint, &idx, particles);
    let coloring = color(&touching, &idx);
    // The first table is that of the distance rows.
    let at_springs = |particle: u32| {
        let corners = touching.row(particle as usize);
        &corners[..corners.partition_point(|corner| corner.table == 0)]
    };

    let number = |values: &[f32], corner: &Corner| values.get(corner.scene_row as usize).copied();
    let rests = blueprint.get(col::distance::rest);
    let (mut springs, mut others) = (vec![[0; 2]; particles], vec![[0; 2]; particles]);
    let (mut table, mut row, mut other) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = Vec::new();
    let mut start = 0;
    for end in coloring.ends.iter().map(|&end| end as usize).chain([particles]) {
        for strip in (start..end).step_by(STRIP) {
            let members = &coloring.order[strip..end.min(strip + STRIP)];
            let depth = members.iter().map(|&particle| at_springs(particle).len()).max().unwrap_or(0);
            for lane in 0..members.len() {
                springs[strip + lane] = [(row.len() + lane) as u32, depth as u32];
            }
            for (place, lane) in (0..depth).flat_map(|place| (0..STRIP).map(move |lane| (place, lane))) {
                let spring = members.get(lane).and_then(|&particle| at_springs(particle).get(place));
                table.push(spring.map_or(PADDING, |corner| corner.table));
                row.push(spring.map_or(PADDING, |corner| corner.row));
                // Padding ties a particle to itself.
                let itself = members.get(lane).unwrap_or(&members[0]);
                other.push(spring.map_or(*itself, |corner| {
                    idx[0].1[2 * corner.scene_row as usize + 1 - corner.corner as usize]
                }));
                rest.push(spring.and_then(|corner| number(rests, corner)).unwrap_or(0.0));
            }
        }
        start = end;
    }
    for (vertex, &particle) in coloring.order.iter().enumerate() {
        let first = row.len();
        for corner in &touching.row(particle as usize)[at_springs(particle).len()..] {
            table.push(corner.table);
            row.push(corner.row);
            other.push(corner.corner);
            rest.push(0.0);
        }
        others[vertex] = [first as u32, (row.len() - first) as u32];
    }

    let vertex = rows::Vertex { particle: coloring.order.clone(), springs, others };
    let incident = rows::Incident { table, row, other, rest };
    ([vertex.table(), incident.table()], coloring)
}

/// Particles a row, and the particles of all rows in scene order.
fn particles_of(idx: &Data) -> (usize, &[u32]) {
    (idx.element().lanes(), bytemuck::cast_slice(idx.bytes()))
}

/// The corners at each particle: table by table, rows as sorted.
fn touching(
    tables: &[Table],
    blueprint: &Blueprint,
    idx: &[(usize, &[u32]); TABLES.len()],
    particles: usize,
) -> Csr<Corner> {
    Csr::visiting(particles, |give| {
        for (table, (name, (arity, idx))) in (0..).zip(TABLES.iter().zip(idx)) {
            corners((table, name), tables, blueprint, (*arity, idx), particles, give);
        }
    })
}

/// The corners of the rows of one table.
fn corners(
    (number, name): (u32, &str),
    tables: &[Table],
    blueprint: &Blueprint,
    (arity, idx): (usize, &[u32]),
    particles: usize,
    give: &mut dyn FnMut(u32, Corner),
) {
    let Some(table) = tables.iter().find(|table| table.name == name) else { return };
    let filled = blueprint.table(name).filter(|filled| filled.rows == table.coloring.order.len());
    let Some(filled) = filled else { return };
    let models: &[u32] = filled.column("model").and_then(Data::rows).unwrap_or_default();
    for (row, &scene_row) in (0..).zip(table.coloring.order.iter().take(table.rows)) {
        // Triangles that are only drawn hold nothing together.
        let model = models.get(scene_row as usize);
        if number == TRIANGLE && model.is_none_or(|model| *model == MembraneModel::Drawn as u32) {
            continue;
        }
        let at = scene_row as usize * arity;
        let ends = idx.get(at..at + arity).unwrap_or(&[]);
        if arity == 2 && ends.first() == ends.last() {
            continue;
        }
        for (corner, &end) in (0..).zip(ends).filter(|(_, end)| (**end as usize) < particles) {
            give(end, Corner { table: number, row, scene_row, corner });
        }
    }
}

/// Colours of the particles; `order` holds particles.
fn color(touching: &Csr<Corner>, idx: &[(usize, &[u32]); TABLES.len()]) -> Coloring {
    let mut colors = vec![u32::MAX; touching.len()];
    for particle in 0..colors.len() {
        let mut taken = 0_u64;
        for corner in touching.row(particle) {
            let (arity, idx) = idx[corner.table as usize];
            let row = corner.scene_row as usize * arity;
            for &other in &idx[row..row + arity] {
                // Those without a colour yet, or in the tail, take none away.
                taken |= 1_u64.checked_shl(colors[other as usize]).unwrap_or(0);
            }
        }
        colors[particle] = taken.trailing_ones();
    }
    let mut order: Vec<u32> = (0..colors.len() as u32).collect();
    order.sort_by_key(|&particle| colors[particle as usize]);
    let used = colors.iter().copied().filter(|&color| color < MAX_COLORS).max().map_or(0, |most| most + 1);
    let end = |color| order.partition_point(|&particle| colors[particle as usize] <= color) as u32;
    Coloring { ends: (0..used).map(end).collect(), order }
}
