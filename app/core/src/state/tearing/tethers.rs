//! The ways of tethers along the cloth: a tether whose way is cut would hold what nothing holds any more.
//!
//! The way is the one along which the tether got its length (`scene/mesh/tethers.rs`). Where another one as short is left
//! the tether goes all the same: it only helps the rows, and without it they do all the work.

use crate::state::col;
use std::{cmp::Reverse, collections::BinaryHeap};

use super::{super::Blueprint, supports::NONE};

#[derive(Default)]
pub(super) struct Ways {
    /// The particle of each tether.
    tethers: Vec<u32>,
    particles: usize,
    /// Particles by their distance from the pins, with the one before and the thread from there; `NONE` at a pin.
    steps: Vec<(u32, u32, u32)>,
}

impl Ways {
    /// Dijkstra from all anchors at once, along threads.
    pub(super) fn of(blueprint: &Blueprint, ends: &[[u32; 2]]) -> Self {
        let tethers = blueprint.get(col::tether::idx);
        if tethers.is_empty() {
            return Self::default();
        }
        let particles = blueprint.table("particle").map_or(0, |table| table.rows);
        let rest = blueprint.get(col::thread::rest);
        let mut near: Vec<Vec<(u32, u32)>> = vec![Vec::new(); particles];
        let kinds = blueprint.get(col::thread::kind);
        for ((thread, &[a, b]), _) in (0..).zip(ends).zip(kinds).filter(|(_, kind)| **kind == 0) {
            near[a as usize].push((b, thread));
            near[b as usize].push((a, thread));
        }
        let mut seen = vec![false; particles];
        let mut front: BinaryHeap<Reverse<(u64, u32, u32, u32)>> = BinaryHeap::new();
        for &anchor in blueprint.get(col::tether::anchor) {
            front.push(Reverse((0, anchor, NONE, NONE)));
        }
        let mut steps = Vec::new();
        while let Some(Reverse((bits, particle, before, thread))) = front.pop() {
            if std::mem::replace(&mut seen[particle as usize], true) {
                continue;
            }
            steps.push((particle, before, thread));
            for &(next, thread) in near[particle as usize].iter().filter(|(next, _)| !seen[*next as usize]) {
                // Lengths are positive, so their bits sort as they do.
                let way = f64::from_bits(bits) + f64::from(rest[thread as usize]);
                front.push(Reverse((way.to_bits(), next, particle, thread)));
            }
        }
        Self { tethers: tethers.to_vec(), particles, steps }
    }

    /// Which tethers live, while these threads do. Those of cloth that cannot tear have no way here, and live.
    pub(super) fn live(&self, threads: &[bool]) -> Vec<bool> {
        let mut whole = vec![true; self.particles];
        for &(particle, before, thread) in self.steps.iter().filter(|step| step.1 != NONE) {
            whole[particle as usize] = whole[before as usize] && threads[thread as usize];
        }
        self.tethers.iter().map(|&particle| whole[particle as usize]).collect()
    }
}
