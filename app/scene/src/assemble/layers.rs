//! What cloth and strands need to collide with each other: thickness and friction of the particles, and a tree over triangles
//! and segments.
//!
//! The tree is made once, from where the cloth starts: triangles that are neighbours in the mesh stay neighbours however
//! it folds, so only its boxes must follow (`sim-dylib/kernels/self_collision/tree.rs`). Halves are cut at the median along the
//! longest side. An edge or a particle belongs to the first leaf that has it. Each list of strands has a
//! tree of its own behind that of cloth. Where nobody asks for it all tables are empty.

use sim_api::model::LEAF_OF_STRANDS;
use weft_core::state::{TableRows, rows};

use super::Object;

use crate::Scene;

/// Triangles, or segments of strands, of a leaf, at most.
const LEAF: usize = 4;
/// Nodes of a row of `batch`: `NODES` of `self_collision/batches.rs`.
const BATCH: usize = 32;

/// Rows of `crossing` for each particle.
const CROSSINGS: usize = 4;

/// The tables `layer`, `face`, `edge`, `point`, `node`, `batch`, `pair` and `crossing`.
pub(super) fn tables(scene: &Scene, objects: &[Object], positions: &[[f32; 4]]) -> Vec<TableRows> {
    let on = scene.cloths.iter().any(|cloth| cloth.self_collision.is_some())
        || scene.strands.iter().any(|strands| strands.self_collision.is_some());
    let rows = if on { positions.len() } else { 0 };
    let mut layer = rows::Layer {
        thickness: vec![0.0; rows],
        friction_static: vec![0.0; rows],
        friction_dynamic: vec![0.0; rows],
        heals: vec![0; rows],
        alone: vec![0; rows],
        start: positions[..rows].to_vec(),
    };
    let (mut faces, mut pairs) = (Vec::new(), 0);
    let mut keep_off = |object: &Object, thickness: f32, [at_rest, dynamic]: [f32; 2], room: u32| {
        let rows = object.particles.clone();
        pairs += rows.len() * room as usize;
        layer.thickness[rows.clone()].fill(thickness);
        layer.friction_static[rows.clone()].fill(at_rest);
        layer.friction_dynamic[rows].fill(dynamic);
    };
    let (cloths, strands) = objects.split_at(scene.cloths.len());
    for (cloth, object) in scene.cloths.iter().zip(cloths) {
        let Some(own) = &cloth.self_collision else { continue };
        let first = object.particles.start as u32;
        keep_off(object, own.thickness, [own.friction.at_rest, own.friction.dynamic], own.pairs);
        layer.heals[object.particles.clone()].fill(u32::from(own.heal));
        faces.extend(object.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    let (mut lists, mut in_cloth) = (Vec::new(), Vec::new());
    for (number, (list, object)) in (1..).zip(scene.strands.iter().zip(strands)) {
        let Some(own) = &list.self_collision else { continue };
        let alone = if own.among { 0 } else { number };
        keep_off(object, own.thickness, own.friction, own.pairs);
        layer.alone[object.particles.clone()].fill(alone);
        let first = object.particles.start as u32;
        // What lies in the cloth that it grows from, or begins there, is not kept off it.
        let within = if list.cloth(scene).is_some() { list.held() } else { 0 };
        let all = 0..list.roots.count() as u32;
        let of = |strand| (0..within).map(move |particle| (first + list.row(strand, particle)) as usize);
        in_cloth.extend(all.clone().flat_map(of));
        let segments = all.flat_map(|strand| {
            let at = move |particle| first + list.row(strand, particle);
            (within + 1..list.particles).map(move |particle| [at(particle - 1), at(particle)])
        });
        lists.push((alone, segments.collect::<Vec<_>>()));
    }
    in_cloth.into_iter().for_each(|particle| layer.thickness[particle] = 0.0);
    let mut tree = Tree::new(positions);
    tree.all(&mut faces, &mut lists);
    tree.own(&faces, &lists, positions.len());
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

/// Segments of the strands of a list, and their number in `alone`.
type List = (u32, Vec<[u32; 2]>);

/// The columns of `node`, `edge` and `point`.
struct Tree<'a> {
    positions: &'a [[f32; 4]],
    node: rows::Node,
    edge: rows::Edge,
    point: rows::Point,
    /// Of a leaf of strands: its list, and which segments of it.
    segments: Vec<(usize, std::ops::Range<usize>)>,
}

impl<'a> Tree<'a> {
    fn new(positions: &'a [[f32; 4]]) -> Self {
        Self {
            positions,
            node: rows::Node::default(),
            edge: rows::Edge::default(),
            point: rows::Point::default(),
            segments: Vec::new(),
        }
    }

    /// All nodes: those of cloth, then those of each list of strands, below one where there are several.
    fn all(&mut self, faces: &mut [[u32; 3]], lists: &mut [List]) {
        let parts = usize::from(!faces.is_empty()) + lists.len();
        if parts > 1 {
            self.push(0);
        }
        if !faces.is_empty() {
            let whole = 0..faces.len();
            self.grow(faces, whole, 0, &mut |tree, range| {
                let last = tree.node.faces.len() - 1;
                tree.node.faces[last] = [range.start as u32, range.len() as u32];
            });
        }
        for (number, (alone, segments)) in lists.iter_mut().enumerate() {
            let whole = 0..segments.len();
            self.grow(segments, whole, *alone, &mut |tree, range| {
                let last = tree.node.faces.len() - 1;
                tree.node.faces[last] = LEAF_OF_STRANDS;
                tree.segments.push((number, range));
            });
        }
        if parts > 1 {
            self.node.skip[0] = self.node.skip.len() as u32;
        }
    }

    fn push(&mut self, alone: u32) {
        self.node.skip.push(0);
        self.node.faces.push([0, 0]);
        self.node.alone.push(alone);
    }

    /// Adds the nodes over `range`, sorting these items on the way. `leaf` is told what the last node has.
    fn grow<const N: usize>(
        &mut self,
        items: &mut [[u32; N]],
        range: std::ops::Range<usize>,
        alone: u32,
        leaf: &mut impl FnMut(&mut Self, std::ops::Range<usize>),
    ) {
        let node = self.node.skip.len();
        self.push(alone);
        if range.len() <= LEAF {
            leaf(self, range);
        } else {
            let positions = self.positions;
            let center = |item: &[u32; N], axis: usize| {
                item.iter().map(|&corner| positions[corner as usize][axis]).sum::<f32>()
            };
            let side = |axis: usize| {
                let centers = items[range.clone()].iter().map(|item| center(item, axis));
                centers.clone().fold(f32::MIN, f32::max) - centers.fold(f32::MAX, f32::min)
            };
            let sides = [side(0), side(1), side(2)];
            let axis = (0..3).rev().max_by(|&a, &b| sides[a].total_cmp(&sides[b])).unwrap_or(0);
            // Equal centres in a fixed order: the same tree every time.
            items[range.clone()]
                .sort_by(|a, b| center(a, axis).total_cmp(&center(b, axis)).then_with(|| a.cmp(b)));
            let middle = range.start + range.len() / 2;
            self.grow(items, range.start..middle, alone, leaf);
            self.grow(items, middle..range.end, alone, leaf);
        }
        self.node.skip[node] = self.node.skip.len() as u32;
    }

    /// Gives every edge and every particle to the first leaf that has it.
    fn own(&mut self, faces: &[[u32; 3]], lists: &[List], particles: usize) {
        let mut known = std::collections::HashMap::new();
        let mut seen = vec![false; particles];
        let mut of_strands = self.segments.iter();
        for &own in &self.node.faces {
            let (edges, points) = (self.edge.ends.len() as u32, self.point.particle.len() as u32);
            let mut has = |corner: u32| {
                if !std::mem::replace(&mut seen[corner as usize], true) {
                    self.point.particle.push(corner);
                }
            };
            if own == LEAF_OF_STRANDS {
                let (list, range) = of_strands.next().expect("one for each leaf of strands");
                for &ends in &lists[*list].1[range.clone()] {
                    self.edge.ends.push(ends);
                    self.edge.faces.push([u32::MAX; 2]);
                    ends.into_iter().for_each(&mut has);
                }
            } else {
                let [first, count] = own;
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
                    [a, b, c].into_iter().for_each(&mut has);
                }
            }
            self.node.edges.push([edges, self.edge.ends.len() as u32 - edges]);
            self.node.points.push([points, self.point.particle.len() as u32 - points]);
        }
    }
}
