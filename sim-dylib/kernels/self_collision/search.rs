//! The walk of the broad phase: pairs of leaves whose boxes meet, pairs of their primitives whose boxes meet, and of those
//! the ones that are close enough, eight at once.

#![allow(clippy::needless_bitwise_bool, reason = "a branch for each would be guessed wrong too often")]

use std::ops::Range;

use sim_api::{Par, SharedMut};

use super::{
    advance::Form,
    batches::{self, NODES},
    part::{Columns, Part},
    tree::{self, Bounds},
};
use crate::state::{Batch, Edge, Face, Layer, Node, Pair, Point};

/// A batch with this many times its even share of the room stops: cloth that has collapsed would be searched for ever.
const CROWDED: usize = 16;

pub(super) struct Search<'a, 'b> {
    pub layer: &'a Layer<'b>,
    pub face: &'a Face<'b>,
    pub edge: &'a Edge<'b>,
    pub point: &'a Point<'b>,
    pub node: &'a Node<'b>,
}

/// What a search found.
pub(super) struct Found {
    /// Pairs, with those that found no room in the part of their batch.
    pub pairs: usize,
    /// Batches that stopped before they had seen all.
    pub stopped: usize,
}

impl Search<'_, '_> {
    /// Fills each batch's part of the list, as far as it goes, and `batch.listed`, `batch.found`.
    pub(super) fn fill(&self, par: &Par, batch: &mut Batch, pair: &mut Pair) -> Found {
        let (room, columns) = (pair.form.len(), Columns::new(pair));
        let most = room.div_ceil(batch.first.len().max(1)) * CROWDED;
        let (first, listed) = (&*batch.first, SharedMut::new(batch.listed));
        let found = SharedMut::new(batch.found);
        par.each(first.len(), |i| {
            let range = first[i] as usize..batches::end(first, i, room);
            let mut part = Part::new(self.layer, &columns, range);
            let nodes = i * NODES..((i + 1) * NODES).min(self.node.skip.len());
            for own in nodes.filter(|&own| tree::is_leaf(self.node, own)) {
                // Leaves before this one found it themselves.
                let alone = self.node.alone[own];
                tree::walk(self.node, own, alone, &tree::bounds(self.node, own), |other| {
                    if part.found > most {
                        return;
                    }
                    self.points_and_faces(own, other, &mut part);
                    if other > own {
                        self.points_and_faces(other, own, &mut part);
                    }
                    self.edges_and_edges(own, other, &mut part);
                });
            }
            let all = part.close();
            // SAFETY: each batch writes its own row.
            unsafe {
                listed.set(i, all as u32);
                found.set(i, part.found as u32);
            }
        });
        let mut all = Found { pairs: 0, stopped: 0 };
        for &found in &*batch.found {
            all.pairs += found as usize;
            all.stopped += usize::from(found as usize > most);
        }
        all
    }

    /// The particles of one leaf and the triangles of another, or of the same.
    #[inline(always)]
    fn points_and_faces(&self, of_points: usize, of_faces: usize, part: &mut Part) {
        let there = tree::bounds(self.node, of_faces);
        for i in rows(self.node.points[of_points]) {
            let around = Bounds::at(self.point.lower, self.point.upper, i);
            if !around.meets(&there) {
                continue;
            }
            let p = self.point.particle[i];
            for f in rows(self.node.faces[of_faces]) {
                let [a, b, c] = self.face.corners[f];
                let meets = Bounds::at(self.face.lower, self.face.upper, f).meets(&around);
                part.take(Form::PointTriangle, [p, a, b, c], meets & (a != p) & (b != p) & (c != p));
            }
        }
    }

    /// The edges of two leaves, or of one, each pair once.
    #[inline(always)]
    fn edges_and_edges(&self, own: usize, other: usize, part: &mut Part) {
        let (there, others) = (tree::bounds(self.node, other), rows(self.node.edges[other]));
        for e in rows(self.node.edges[own]) {
            let around = Bounds::at(self.edge.lower, self.edge.upper, e);
            if !around.meets(&there) {
                continue;
            }
            let [a, b] = self.edge.ends[e];
            for f in if own == other { e + 1..others.end } else { others.clone() } {
                let [c, d] = self.edge.ends[f];
                let meets = Bounds::at(self.edge.lower, self.edge.upper, f).meets(&around);
                let apart = (a != c) & (a != d) & (b != c) & (b != d);
                part.take(Form::EdgeEdge, [a, b, c, d], meets & apart);
            }
        }
    }
}

#[inline(always)]
fn rows([first, count]: [u32; 2]) -> Range<usize> {
    first as usize..(first + count) as usize
}
