//! What cloth needs to collide with cloth: thickness and friction of the particles, and a tree over the triangles.
//!
//! The tree is made once, from where the cloth starts: triangles that are neighbours in the mesh stay neighbours however
//! it folds, so only its boxes must follow (`sim-dylib/kernels/self_collision/tree.rs`). Halves are cut at the median along the
//! longest side. An edge or a particle belongs to the first leaf that has it. Without a cloth that asks for it all
//! tables are empty.

use weft_core::state::{TableRows, rows};

use super::Object;

use crate::Cloth;

/// Triangles of a leaf, at most.
const LEAF: usize = 4;
/// Nodes of a row of `batch`: `NODES` of `self_collision/batches.rs`.
const BATCH: usize = 32;

/// Rows of `crossing` for each particle.
const CROSSINGS: usize = 4;

/// The tables `layer`, `face`, `edge`, `point`, `node`, `batch`, `pair` and `crossing`.
pub(super) fn tables(cloths: &[Cloth], objects: &[Object], positions: &[[f32; 4]]) -> Vec<TableRows> {
    let on = cloths.iter().any(|cloth| cloth.self_collision.is_some());
    let rows = if on { positions.len() } else { 0 };
    let mut layer = rows::Layer {
        thickness: vec![0.0; rows],
        friction_static: vec![0.0; rows],
        friction_dynamic: vec![0.0; rows],
        heals: vec![0; rows],
        start: positions[..rows].to_vec(),
    };
    let (mut faces, mut pairs) = (Vec::new(), 0);
    for (cloth, object) in cloths.iter().zip(objects) {
        let Some(own) = &cloth.self_collision else { continue };
        let first = object.particles.start as u32;
        layer.thickness[object.particles.clone()].fill(own.thickness);
        layer.friction_static[object.particles.clone()].fill(own.friction.at_rest);
        layer.friction_dynamic[object.particles.clone()].fill(own.friction.dynamic);
        layer.heals[object.particles.clone()].fill(u32::from(own.heal));
        faces.extend(object.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
        pairs += object.particles.len() * own.pairs as usize;
    }
    let mut tree = Tree::new(positions);
    if !faces.is_empty() {
        let whole = 0..faces.len();
        tree.grow(&mut faces, whole);
    }
    tree.own(&faces, positions.len());
    let batches = tree.node.skip.len().div_ceil(BATCH);
    let counted = |name, rows| TableRows { name, rows, columns: Vec::new() };
    vec![
        layer.table(),
        rows::Face { corners: faces }.table(),
        tree.edge.table(),
        tree.point.table(),
        tree.node.table(),
        counted("batch", batches),
        counted("pair", pairs),
        counted("crossing", CROSSINGS * rows),
    ]
}

/// The columns of `node`, `edge` and `point`.
struct Tree<'a> {
    positions: &'a [[f32; 4]],
    node: rows::Node,
    edge: rows::Edge,
    point: rows::Point,
}

impl<'a> Tree<'a> {
    fn new(positions: &'a [[f32; 4]]) -> Self {
        Self {
            positions,
            node: rows::Node::default(),
            edge: rows::Edge::default(),
            point: rows::Point::default(),
        }
    }

    /// Adds the nodes over `range`, sorting these faces on the way.
    fn grow(&mut self, faces: &mut [[u32; 3]], range: std::ops::Range<usize>) {
        let node = self.node.skip.len();
        self.node.skip.push(0);
        let own = if range.len() <= LEAF { [range.start as u32, range.len() as u32] } else { [0, 0] };
        self.node.faces.push(own);
        if range.len() > LEAF {
            let positions = self.positions;
            let center = |face: &[u32; 3], axis: usize| {
                face.iter().map(|&corner| positions[corner as usize][axis]).sum::<f32>()
            };
            let side = |axis: usize| {
                let centers = faces[range.clone()].iter().map(|face| center(face, axis));
                centers.clone().fold(f32::MIN, f32::max) - centers.fold(f32::MAX, f32::min)
            };
            let sides = [side(0), side(1), side(2)];
            let axis = (0..3).rev().max_by(|&a, &b| sides[a].total_cmp(&sides[b])).unwrap_or(0);
            // Equal centres in a fixed order: the same tree every time.
            faces[range.clone()]
                .sort_by(|a, b| center(a, axis).total_cmp(&center(b, axis)).then_with(|| a.cmp(b)));
            let middle = range.start + range.len() / 2;
            self.grow(faces, range.start..middle);
            self.grow(faces, middle..range.end);
        }
        self.node.skip[node] = self.node.skip.len() as u32;
    }

    /// Gives every edge and every particle to the first leaf that has it.
    fn own(&mut self, faces: &[[u32; 3]], particles: usize) {
        let mut known = std::collections::HashMap::new();
        let mut seen = vec![false; particles];
        for &[first, count] in &self.node.faces {
            let (edges, points) = (self.edge.ends.len() as u32, self.point.particle.len() as u32);
            for (face, &[a, b, c]) in (first..).zip(&faces[first as usize..(first + count) as usize]) {
                for edge in [[a, b], [b, c], [c, a]] {
                    let edge = [edge[0].min(edge[1]), edge[0].max(edge[1])];
                    let row = *known.entry(edge).or_insert_with(|| {
                        self.edge.ends.push(edge);
                        self.edge.faces.push([face, u32::MAX]);
                        self.edge.ends.len() - 1
                    });
                    if self.edge.faces[row][0] != face {
                        self.edge.faces[row][1] = face;
                    }
                }
                for corner in [a, b, c] {
                    if !std::mem::replace(&mut seen[corner as usize], true) {
                        self.point.particle.push(corner);
                    }
                }
            }
            self.node.edges.push([edges, self.edge.ends.len() as u32 - edges]);
            self.node.points.push([points, self.point.particle.len() as u32 - points]);
        }
    }
}
