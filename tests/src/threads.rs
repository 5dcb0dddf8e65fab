//! Threads of cloth and segments of strands that can tear, and what may be left of the tables when some of them are broken.

use std::collections::{BTreeMap, BTreeSet};

use sim_api::model::THREAD_OF_STRAND;
use weft_core::state::col;

use weft_core::state::State;

/// Ends, rest length [m], limit, and whether it is broken.
pub fn threads(state: &State) -> Vec<([u32; 2], f32, f32, u32)> {
    let (ends, rest) = (state.get(col::thread::ends), state.get(col::thread::rest));
    let (limit, broken) = (state.get(col::thread::limit), state.get(col::thread::broken));
    let rows = ends.iter().zip(rest).zip(limit).zip(broken);
    rows.map(|(((ends, rest), limit), broken)| (*ends, *rest, *limit, *broken)).collect()
}

/// No row of any table goes over a broken thread.
///
/// # Panics
/// If one does.
pub fn holds_nothing_broken(state: &State) {
    let broken: BTreeSet<[u32; 2]> =
        threads(state).iter().filter(|thread| thread.3 != 0).map(|thread| thread.0).collect();
    let is_broken = |a: u32, b: u32| broken.contains(&[a.min(b), a.max(b)]);
    let kinds = state.get(col::thread::kind).iter().zip(state.get(col::thread::ends));
    let segments: BTreeSet<[u32; 2]> =
        kinds.filter(|(kind, _)| **kind == THREAD_OF_STRAND).map(|(_, ends)| *ends).collect();
    let triangles = state.get(col::triangle::idx);
    for &[a, b, c] in triangles {
        assert!(!is_broken(a, b) && !is_broken(b, c) && !is_broken(c, a), "triangle {a} {b} {c}");
    }
    for &[a, b] in state.get(col::distance::idx) {
        assert!(!is_broken(a, b), "row {a} {b}");
    }
    // Edges, and what lies across those between two triangles.
    let mut sides: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [a, b, corner] in [[a, b, c], [b, c, a], [c, a, b]] {
            sides.entry([a.min(b), a.max(b)]).or_default().push(corner);
        }
    }
    let across =
        sides.values().filter(|corners| corners.len() == 2).map(|c| [c[0].min(c[1]), c[0].max(c[1])]);
    let lines: BTreeSet<[u32; 2]> = sides.keys().copied().chain(across).collect();
    for &[a, b, c, d] in state.get(col::hinge::idx) {
        assert!(!is_broken(a, b) && !is_broken(b, c), "hinge {a} {b} {c} {d}");
        // Of a strand it has no triangles. One of its two segments may be a stub.
        if [[a, b], [b, c]].iter().any(|&[a, b]| segments.contains(&[a.min(b), a.max(b)])) {
            continue;
        }
        let both = [[a, c], [b, c], [a, d], [b, d]];
        assert!(both.iter().all(|&[a, b]| lines.contains(&[a.min(b), a.max(b)])), "hinge {a} {b} {c} {d}");
    }
    for &[a, b] in state.get(col::edge::ends) {
        assert!(!segments.contains(&[a, b]) || !is_broken(a, b), "edge {a} {b}");
    }
    // The colours still keep their promise.
    for name in ["distance", "triangle", "hinge"] {
        let Some(table) = state.table(name) else { continue };
        let column = table.column("idx").expect("idx");
        let (arity, live) = (column.element.lanes(), column.len() * column.element.size());
        let idx: Vec<u32> = column.bytes()[..live]
            .chunks_exact(4)
            .map(|bytes| u32::from_ne_bytes(bytes.try_into().expect("four")))
            .collect();
        let particles = state.table("particle").expect("particles").rows;
        assert_eq!(table.coloring.check(&idx, arity, particles), Ok(()), "{name}");
        assert_eq!(idx.len(), table.rows * arity, "{name}");
    }
}
