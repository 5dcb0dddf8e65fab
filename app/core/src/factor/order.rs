//! Nested dissection: cut the graph in two halves, order both, and the vertices between them last.
//!
//! George: Nested Dissection of a Regular Finite Element Mesh, 1973. A half is what is nearer to one end of the graph
//! than to the other, by breadth-first distance: on a grid the cut is a straight or diagonal line. Uses the pattern
//! alone, no positions: the same rows give the same order wherever the cloth is.

use crate::csr::Csr;

/// Parts of this size are not cut any more.
const LEAF: usize = 48;
/// Label of vertices that lie between parts.
const BETWEEN: u32 = u32::MAX;

/// The vertices in the order of elimination.
pub(super) fn nested_dissection(graph: &Csr) -> Vec<u32> {
    let count = graph.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut search = Search { graph, part: vec![0; count], distance: vec![0; count], queue: Vec::new() };
    let mut parts = 1;
    let mut work = std::iter::once(0..count).collect::<Vec<_>>();
    while let Some(range) = work.pop() {
        if range.len() <= LEAF {
            continue;
        }
        let Some((left, right)) = search.cut(&mut order[range.clone()]) else { continue };
        let (middle, end) = (range.start + left, range.start + left + right);
        for half in [range.start..middle, middle..end] {
            order[half.clone()].iter().for_each(|&vertex| search.part[vertex as usize] = parts);
            parts += 1;
            work.push(half);
        }
        order[end..range.end].iter().for_each(|&vertex| search.part[vertex as usize] = BETWEEN);
    }
    order
}

struct Search<'a> {
    graph: &'a Csr,
    /// Label of the part a vertex is in.
    part: Vec<u32>,
    /// Steps from the start of the last search.
    distance: Vec<u32>,
    /// Vertices of the last search, nearest first.
    queue: Vec<u32>,
}

impl Search<'_> {
    /// Breadth first inside the part of `start`; returns the vertex that is farthest.
    fn from(&mut self, start: u32, vertices: &[u32]) -> u32 {
        let part = self.part[start as usize];
        vertices.iter().for_each(|&vertex| self.distance[vertex as usize] = u32::MAX);
        self.queue.clear();
        self.queue.push(start);
        self.distance[start as usize] = 0;
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            for &other in self.graph.row(vertex as usize) {
                if self.part[other as usize] == part && self.distance[other as usize] == u32::MAX {
                    self.distance[other as usize] = self.distance[vertex as usize] + 1;
                    self.queue.push(other);
                }
            }
        }
        self.queue.last().copied().unwrap_or(start)
    }

    /// Reorders the vertices of a part to left, right, between; sizes of the first two, `None` where no cut helps.
    fn cut(&mut self, vertices: &mut [u32]) -> Option<(usize, usize)> {
        let mut end = self.from(vertices[0], vertices);
        if self.queue.len() < vertices.len() {
            // Two components: nothing lies between them.
            vertices.sort_unstable_by_key(|&vertex| (self.distance[vertex as usize] == u32::MAX, vertex));
            return Some((self.queue.len(), vertices.len() - self.queue.len()));
        }
        end = self.from(end, vertices);
        let other_end = self.from(end, vertices);
        let from_end: Vec<u32> = vertices.iter().map(|&vertex| self.distance[vertex as usize]).collect();
        self.from(other_end, vertices);
        let key =
            |(&vertex, &a): (&u32, &u32)| (i64::from(a) - i64::from(self.distance[vertex as usize]), vertex);
        let mut keyed: Vec<(i64, u32)> = vertices.iter().zip(&from_end).map(key).collect();
        keyed.sort_unstable();
        let middle = keyed[keyed.len() / 2].0;
        let below = keyed.partition_point(|(key, _)| *key < middle);
        let upto = keyed.partition_point(|(key, _)| *key <= middle);
        let half = keyed.len() / 2;
        let cut = if half - below <= upto - half { below } else { upto };
        let cut = if cut == 0 { upto } else { cut };
        if cut == keyed.len() {
            return None;
        }
        for (vertex, (_, sorted)) in vertices.iter_mut().zip(&keyed) {
            *vertex = *sorted;
        }
        Some(self.take_between(vertices, cut))
    }

    /// The smaller of the two boundaries of the cut goes to the end.
    fn take_between(&mut self, vertices: &mut [u32], cut: usize) -> (usize, usize) {
        // `distance` now says which side.
        for (i, &vertex) in vertices.iter().enumerate() {
            self.distance[vertex as usize] = u32::from(i >= cut);
        }
        let part = self.part[vertices[0] as usize];
        let touches = |vertex: u32| {
            let side = self.distance[vertex as usize];
            let across =
                |&&other: &&u32| self.part[other as usize] == part && self.distance[other as usize] != side;
            self.graph.row(vertex as usize).iter().find(across).is_some()
        };
        let count = |side: &[u32]| side.iter().filter(|&&vertex| touches(vertex)).count();
        let (left, right) = (count(&vertices[..cut]), count(&vertices[cut..]));
        let from = u32::from(right < left);
        let between: Vec<bool> = vertices
            .iter()
            .map(|&vertex| self.distance[vertex as usize] == from && touches(vertex))
            .collect();
        let mut sorted: Vec<(u32, u32)> = vertices
            .iter()
            .zip(&between)
            .map(|(&vertex, &between)| (if between { 2 } else { self.distance[vertex as usize] }, vertex))
            .collect();
        sorted.sort_unstable();
        for (vertex, (_, sorted)) in vertices.iter_mut().zip(&sorted) {
            *vertex = *sorted;
        }
        if from == 0 { (cut - left, vertices.len() - cut) } else { (cut, vertices.len() - cut - right) }
    }
}
