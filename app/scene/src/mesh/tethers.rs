//! Long-range attachments: each free particle to the pinned one that is nearest along the cloth.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::cloth::Tethers;
use super::edges::Edge;
use super::rest::Rest;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tether {
    pub particle: u32,
    pub anchor: u32,
    /// [m]
    pub rest: f32,
    /// [m/N]
    pub compliance: f32,
}

/// One row per free particle that a way of edges joins to a pinned one. Diagonals of a grid are no way: sheared cloth
/// grows along them, and a tether must not hold it back.
pub(super) fn tethers(rest: &Rest, edges: &[Edge], pinned: &[bool], tethers: &Tethers) -> Vec<Tether> {
    let mut neighbours: Vec<Vec<(u32, f64)>> = vec![Vec::new(); pinned.len()];
    let is_way = |edge: &&Edge| !rest.grid.as_ref().is_some_and(|grid| grid.is_diagonal(edge.ends));
    for edge in edges.iter().filter(is_way) {
        let [a, b] = edge.ends;
        let length = rest.points[a as usize].distance(rest.points[b as usize]);
        neighbours[a as usize].push((b, length));
        neighbours[b as usize].push((a, length));
    }
    // Dijkstra from all pins at once. Lengths are positive, so their bits sort as they do.
    let mut nearest: Vec<Option<(f64, u32)>> = vec![None; pinned.len()];
    let mut front: BinaryHeap<Reverse<(u64, u32, u32)>> = BinaryHeap::new();
    for (particle, _) in (0..).zip(pinned).filter(|(_, held)| **held) {
        front.push(Reverse((0, particle, particle)));
    }
    while let Some(Reverse((bits, anchor, particle))) = front.pop() {
        let known = &mut nearest[particle as usize];
        if known.is_some() {
            continue;
        }
        let way = f64::from_bits(bits);
        *known = Some((way, anchor));
        for &(next, length) in &neighbours[particle as usize] {
            if nearest[next as usize].is_none() {
                front.push(Reverse(((way + length).to_bits(), anchor, next)));
            }
        }
    }
    let mut rows = Vec::new();
    for ((particle, nearest), held) in (0..).zip(nearest).zip(pinned) {
        if let Some((way, anchor)) = nearest.filter(|_| !held) {
            let rest = (way * (1.0 + f64::from(tethers.slack))) as f32;
            rows.push(Tether { particle, anchor, rest, compliance: tethers.compliance });
        }
    }
    rows
}
