//! The broad phase: which pairs may come within their distance before somebody leaves the room the list allows.

use std::ops::Range;

use glam::Vec3;
use sim_api::{Par, SharedMut};

use super::{
    advance::Form,
    batches::{self, NODES, Writer},
    corners, slabs,
    tree::{self, Bounds},
};
use crate::{
    normals::xyz,
    state::{Batch, Edge, Face, Layer, Node, Pair, Point, State},
    substep::Sim,
};

/// Substeps ahead that a particle's margin is made for, at most.
const AHEAD: f32 = 12.0;
/// Least margin, as a share of the thickness.
const SLACK: f32 = 0.15;
/// The same when the list would not hold them all.
const TIGHT: f32 = 0.06;
/// Most margin beyond the way of this substep, as a share of the thickness.
const MOST: f32 = 0.5;
/// Least distance that a pair is kept at, as a share of the thickness, if it starts closer.
const LEAST: f32 = 0.05;

/// Mean way of all particles from `from` to where they are [m].
pub fn mean_way(par: &Par, position: &[[f32; 4]], from: &[[f32; 4]]) -> Vec3 {
    let sums = par.sums(position.len(), |range| {
        let mut sum = [0.0_f64; 3];
        for i in range {
            for axis in 0..3 {
                sum[axis] += f64::from(position[i][axis] - from[i][axis]);
            }
        }
        sum
    });
    let per_particle = 1.0 / position.len() as f64;
    Vec3::new(
        (sums[0] * per_particle) as f32,
        (sums[1] * per_particle) as f32,
        (sums[2] * per_particle) as f32,
    )
}

/// Longest way of a particle from `from` to where it is, but for a way that all go together [m].
pub fn longest_way(par: &Par, x: &[[f32; 4]], from: &[[f32; 4]], mean: Vec3) -> f32 {
    let mut most = [0.0_f32; 64];
    let parts = most.len();
    let shared = SharedMut::new(&mut most);
    par.each(parts, |part| {
        let (first, end) = (part * x.len() / parts, (part + 1) * x.len() / parts);
        let mut longest = 0.0_f32;
        for i in first..end {
            longest = longest.max((xyz(x[i]) - xyz(from[i]) - mean).length_squared());
        }
        // SAFETY: each part writes its own place.
        unsafe { shared.set(part, longest) };
    });
    most.iter().fold(0.0_f32, |longest, &part| longest.max(part)).sqrt()
}

/// Whether a particle is outside of its margin, but for the way that all go together.
pub fn left_their_room(sim: &Sim) -> bool {
    let (x, layer) = (&*sim.state.particle.position, &sim.state.layer);
    let mean = mean_way(&sim.par, x, layer.seen);
    let left = sim.par.sum(x.len(), |range| {
        let mut left = 0_u32;
        for i in range {
            let (way, margin) = (xyz(x[i]) - xyz(layer.seen[i]) - mean, layer.seen[i][3]);
            left += u32::from(layer.thickness[i] > 0.0 && way.length_squared() > margin * margin);
        }
        f64::from(left)
    });
    left > 0.0
}

/// Lists all pairs anew, as they are at the start of the substep.
pub fn list(sim: &mut Sim) {
    let ahead = ((1.0 - sim.span[0]) / (sim.span[1] - sim.span[0])).clamp(1.0, AHEAD);
    let mut overflow = fill(sim, ahead, SLACK);
    if overflow > 0 {
        // For this substep alone.
        overflow = fill(sim, 1.0, TIGHT);
    }
    let tally = &mut sim.tally;
    (tally.listed, tally.fresh, tally.lost) = (true, true, 0.0);
    tally.overflow = tally.overflow.max(overflow as u32);
    let layer = &mut sim.state.layer;
    layer.met.copy_from_slice(layer.sound);
    slabs::assign(sim);
}

/// Returns the number of pairs that the list has no room for.
fn fill(sim: &mut Sim, ahead: f32, slack: f32) -> usize {
    give_room(sim, ahead, slack);
    let State { layer, face, edge, point, node, batch, pair, .. } = &mut sim.state;
    tree::refit(&sim.par, node, face, edge, point, layer);
    let room = pair.form.len();
    batches::share_out(batch, room);
    let search = Search { layer, face, edge, point, node };
    let mut found = search.fill(&sim.par, batch, pair);
    let fits = |batch: &Batch| {
        (0..batch.first.len())
            .all(|i| batch.first[i] as usize + batch.found[i] as usize <= batches::end(batch.first, i, room))
    };
    let mut overflow = 0;
    if !fits(batch) {
        // Some batch has more than its part: each gets what it needs.
        overflow = batches::fit(batch, room);
        found = search.fill(&sim.par, batch, pair);
    }
    sim.tally.broad_phases += 1;
    sim.tally.pairs = (found - overflow) as u32;
    overflow
}

/// Where each particle is, and how far it may go from there (w) while all go their mean way.
fn give_room(sim: &mut Sim, ahead: f32, slack: f32) {
    let (x, layer) = (&*sim.state.particle.position, &mut sim.state.layer);
    let mean = mean_way(&sim.par, x, layer.sound);
    let (sound, thickness) = (&*layer.sound, layer.thickness);
    sim.par.rows(layer.seen, |start, seen| {
        for (i, seen) in (start..).zip(seen) {
            let way = (xyz(x[i]) - xyz(sound[i]) - mean).length();
            let thickness = thickness[i];
            let more = (way * (ahead - 1.0)).min(MOST * thickness) + slack * thickness;
            *seen = xyz(sound[i]).extend(way + more).to_array();
        }
    });
}

struct Search<'a, 'b> {
    layer: &'a Layer<'b>,
    face: &'a Face<'b>,
    edge: &'a Edge<'b>,
    point: &'a Point<'b>,
    node: &'a Node<'b>,
}

/// The part of the list that a batch writes.
struct Part<'a> {
    writer: &'a Writer<'a>,
    next: usize,
    end: usize,
    found: usize,
}

impl Search<'_, '_> {
    /// Fills each batch's part of the list, as far as it goes; returns how many pairs there are.
    fn fill(&self, par: &Par, batch: &mut Batch, pair: &mut Pair) -> usize {
        let (room, writer) = (pair.form.len(), Writer::new(pair));
        let (first, listed) = (&*batch.first, SharedMut::new(batch.listed));
        let found = SharedMut::new(batch.found);
        par.each(first.len(), |i| {
            let start = first[i] as usize;
            let mut part = Part { writer: &writer, next: start, end: batches::end(first, i, room), found: 0 };
            let nodes = i * NODES..((i + 1) * NODES).min(self.node.skip.len());
            for own in nodes.filter(|&own| tree::is_leaf(self.node, own)) {
                // Leaves before this one found it themselves.
                tree::walk(self.node, own, &tree::bounds(self.node, own), |other| {
                    self.points_and_faces(own, other, &mut part);
                    if other > own {
                        self.points_and_faces(other, own, &mut part);
                    }
                    self.edges_and_edges(own, other, &mut part);
                });
            }
            // SAFETY: each batch writes its own row.
            unsafe {
                listed.set(i, (part.next - start) as u32);
                found.set(i, part.found as u32);
            }
        });
        (0..first.len()).map(|i| batch.found[i] as usize).sum()
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
                if !Bounds::at(self.face.lower, self.face.upper, f).meets(&around) {
                    continue;
                }
                let [a, b, c] = self.face.corners[f];
                if a != p && b != p && c != p {
                    self.look(Form::PointTriangle, [p, a, b, c], part);
                }
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
                if !Bounds::at(self.edge.lower, self.edge.upper, f).meets(&around) {
                    continue;
                }
                let [c, d] = self.edge.ends[f];
                if a != c && a != d && b != c && b != d {
                    self.look(Form::EdgeEdge, [a, b, c, d], part);
                }
            }
        }
    }

    /// Takes a pair that is close enough.
    fn look(&self, form: Form, idx: [u32; 4], part: &mut Part) {
        let layer = self.layer;
        let margins = form.most(idx.map(|i| layer.seen[i as usize][3]));
        // Corners 0 and 3 belong to different primitives in both forms.
        let thickness = 0.5 * (layer.thickness[idx[0] as usize] + layer.thickness[idx[3] as usize]);
        let most = thickness + margins;
        let squared = form.nearest(corners(layer.seen, idx)).way.length_squared();
        if squared > most * most {
            return;
        }
        part.found += 1;
        if part.next < part.end {
            let start = corners(layer.start, idx);
            // Most pairs start further apart, which their boxes show.
            let limit = if form.boxes_apart(start) >= thickness {
                thickness
            } else {
                thickness.min(form.nearest(start).distance()).max(LEAST * thickness)
            };
            // SAFETY: each batch writes its own part.
            unsafe {
                part.writer.corners.set(part.next, idx);
                part.writer.form.set(part.next, form as u32);
                part.writer.limit.set(part.next, limit);
                part.writer.clear.set(part.next, squared.sqrt());
            }
            part.next += 1;
        }
    }
}

#[inline(always)]
fn rows([first, count]: [u32; 2]) -> Range<usize> {
    first as usize..(first + count) as usize
}
