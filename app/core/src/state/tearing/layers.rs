//! The tables of self collision without dead triangles.
//!
//! The tree stays as it is. In every leaf the faces that live come first and are counted; an edge or a particle belongs
//! to the first leaf that still has it, as in `assemble/layers.rs`. A leaf without any is passed over by the walk.

use std::collections::HashMap;

use sim_api::model::LEAF_OF_STRANDS;

use crate::state::col;

use super::{
    super::{Blueprint, Table},
    supports::{Live, NONE, Threads},
};

/// As the scene has them.
#[derive(Default)]
pub(super) struct Layers {
    /// Corners of each face, and its row in the triangle table.
    faces: Vec<([u32; 3], u32)>,
    /// First and number of each node's faces.
    nodes: Vec<[u32; 2]>,
    /// Leaves of strands.
    strands: Vec<Leaf>,
    particles: usize,
}

struct Leaf {
    /// Each with its thread.
    edges: Vec<([u32; 2], u32)>,
    /// Tearing leaves them where they are.
    particles: Vec<u32>,
}

impl Layers {
    pub(super) fn of(blueprint: &Blueprint, threads: &Threads) -> Self {
        let triangles = blueprint.get(col::triangle::idx);
        let (corners, nodes) = (blueprint.get(col::face::corners), blueprint.get(col::node::faces));
        let rows: HashMap<[u32; 3], u32> = triangles.iter().copied().zip(0..).collect();
        let faces = corners.iter().map(|corners| (*corners, rows.get(corners).copied().unwrap_or(NONE)));
        let particles = blueprint.table("particle").map_or(0, |table| table.rows);
        debug_assert!(blueprint.get(col::node::skip).len() == nodes.len());
        let (edges, points) = (blueprint.get(col::node::edges), blueprint.get(col::node::points));
        let (ends, particle) = (blueprint.get(col::edge::ends), blueprint.get(col::point::particle));
        let range = |[first, count]: [u32; 2]| first as usize..(first + count) as usize;
        let of_strands = (0..nodes.len()).filter(|node| nodes[*node] == LEAF_OF_STRANDS);
        let thread = |ends: &[u32; 2]| (*ends, threads.find(*ends));
        let strands = of_strands.map(|node| {
            let edges = ends[range(edges[node])].iter().map(thread).collect();
            Leaf { edges, particles: particle[range(points[node])].to_vec() }
        });
        Self { faces: faces.collect(), nodes: nodes.to_vec(), strands: strands.collect(), particles }
    }

    /// Writes all columns of `face`, `edge`, `point` and `node` that depend on what lives.
    pub(super) fn fill(&self, tables: &mut [Table], live: &Live) {
        if self.nodes.is_empty() {
            return;
        }
        let whole = |thread: u32| thread == NONE || live.threads[thread as usize];
        let live = &live.triangles;
        let (mut corners, mut nodes) = (Vec::with_capacity(self.faces.len()), Vec::new());
        let (mut edge_spans, mut point_spans) = (Vec::new(), Vec::new());
        let (mut ends, mut sides, mut points) = (Vec::new(), Vec::<[u32; 2]>::new(), Vec::new());
        let mut known: HashMap<[u32; 2], usize> = HashMap::new();
        let mut seen = vec![false; self.particles];
        let mut strands = self.strands.iter();
        for &[first, count] in &self.nodes {
            if [first, count] == LEAF_OF_STRANDS {
                let (own, particles) =
                    strands.next().map_or((&[][..], &[][..]), |leaf| (&leaf.edges, &leaf.particles));
                nodes.push(LEAF_OF_STRANDS);
                let start = ends.len() as u32;
                ends.extend(own.iter().filter(|(_, thread)| whole(*thread)).map(|(ends, _)| *ends));
                edge_spans.push([start, ends.len() as u32 - start]);
                point_spans.push([points.len() as u32, particles.len() as u32]);
                sides.resize(ends.len(), [NONE; 2]);
                points.extend(particles);
                continue;
            }
            let own = &self.faces[first as usize..(first + count) as usize];
            let lives = |face: &&([u32; 3], u32)| face.1 == NONE || live[face.1 as usize];
            let (start, edges, particles) = (corners.len() as u32, ends.len() as u32, points.len() as u32);
            for (face, &([a, b, c], _)) in (start..).zip(own.iter().filter(lives)) {
                corners.push([a, b, c]);
                for edge in [[a, b], [b, c], [c, a]] {
                    let edge = [edge[0].min(edge[1]), edge[0].max(edge[1])];
                    let row = *known.entry(edge).or_insert_with(|| {
                        ends.push(edge);
                        sides.push([face, NONE]);
                        ends.len() - 1
                    });
                    if sides[row][0] != face {
                        sides[row][1] = face;
                    }
                }
                for corner in [a, b, c] {
                    if !std::mem::replace(&mut seen[corner as usize], true) {
                        points.push(corner);
                    }
                }
            }
            // Nodes above the leaves have none.
            nodes.push(if count > 0 { [start, corners.len() as u32 - start] } else { [0, 0] });
            edge_spans.push([edges, ends.len() as u32 - edges]);
            point_spans.push([particles, points.len() as u32 - particles]);
        }
        let rows = [("face", corners.len()), ("edge", ends.len()), ("point", points.len())];
        for (name, rows) in rows {
            if let Some(table) = tables.iter_mut().find(|table| table.name == name) {
                table.show(rows);
            }
        }
        write(tables, "face", "corners", &corners);
        write(tables, "edge", "ends", &ends);
        write(tables, "edge", "faces", &sides);
        write(tables, "point", "particle", &points);
        write(tables, "node", "faces", &nodes);
        write(tables, "node", "edges", &edge_spans);
        write(tables, "node", "points", &point_spans);
    }
}

pub(super) fn write<T: sim_api::Column>(tables: &mut [Table], table: &str, column: &str, values: &[T]) {
    let table = tables.iter_mut().find(|known| known.name == table);
    if let Some(column) = table.and_then(|table| table.column_mut(column)) {
        let rows = column.rows_mut::<T>();
        if rows.len() == values.len() {
            rows.copy_from_slice(values);
        }
    }
}
