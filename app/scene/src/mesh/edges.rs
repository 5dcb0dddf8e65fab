//! Edges of a triangle mesh, each once, with the triangles beside it.

use rayon::slice::ParallelSliceMut;

/// Not there.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The lower particle first.
    pub ends: [u32; 2],
    /// Number of triangles beside it: 1 on the boundary, 2 inside, more where the mesh is no surface.
    pub faces: u32,
    /// The first two of them.
    pub triangles: [u32; 2],
    /// Third corner of the triangle that runs along `ends`, and of the one that runs against it.
    corners: [u32; 2],
}

impl Edge {
    /// Corners of a hinge: the edge, then the corner left of it seen from the front, then the one to the right. `None` on
    /// the boundary, with three or more triangles, and between triangles that are wound opposite ways.
    pub fn hinge(&self) -> Option<[u32; 4]> {
        let [left, right] = self.corners;
        let inside = self.faces == 2 && left != NONE && right != NONE;
        inside.then_some([self.ends[0], self.ends[1], left, right])
    }
}

/// All edges, sorted by their ends.
pub fn edges(triangles: &[[u32; 3]]) -> Vec<Edge> {
    // Lower end, higher end, triangle, third corner, whether the triangle runs from the higher to the lower end.
    let mut sides: Vec<(u32, u32, u32, u32, bool)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in (0..).zip(triangles) {
        for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            sides.push((from.min(to), from.max(to), triangle, third, from > to));
        }
    }
    sides.par_sort_unstable();
    let mut edges: Vec<Edge> = Vec::with_capacity(sides.len() / 2);
    for (low, high, triangle, third, against) in sides {
        let ends = [low, high];
        if edges.last().is_none_or(|edge| edge.ends != ends) {
            edges.push(Edge { ends, faces: 0, triangles: [NONE; 2], corners: [NONE; 2] });
        }
        let Some(edge) = edges.last_mut() else { continue };
        if let Some(slot) = edge.triangles.get_mut(edge.faces as usize) {
            *slot = triangle;
        }
        edge.corners[usize::from(against)] = third;
        edge.faces += 1;
    }
    edges
}
