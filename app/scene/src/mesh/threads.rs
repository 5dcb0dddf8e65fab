//! Threads: the edges of the surface of a cloth that can tear, and how much strain each bears.
//!
//! Along the threads of a grid and along all edges of a mesh the limit is that of the material. The diagonals of a grid are
//! no threads: shear lengthens them and tears nothing. They are listed because a cut may cross them.

use super::super::tear::Tear;
use super::edges::Edge;
use super::rest::Rest;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thread {
    /// The lower particle first.
    pub ends: [u32; 2],
    /// [m]
    pub rest: f32,
    /// Strain above which it breaks; infinite: only a cut breaks it.
    pub limit: f32,
    pub diagonal: bool,
}

/// One row per edge, sorted by their ends.
pub(super) fn threads(rest: &Rest, edges: &[Edge], tear: Tear) -> Vec<Thread> {
    let thread = |edge: &Edge| {
        let [a, b] = edge.ends;
        let length = rest.points[a as usize].distance(rest.points[b as usize]);
        let diagonal = rest.grid.as_ref().is_some_and(|grid| grid.is_diagonal(edge.ends));
        let limit = if diagonal { f32::INFINITY } else { tear.limit(edge.ends) };
        Thread { ends: edge.ends, rest: length as f32, limit, diagonal }
    };
    edges.iter().map(thread).collect()
}
