//! What each row holds on to, worked out once for a scene.
//!
//! | row | goes with |
//! |---|---|
//! | triangle | any of its three threads |
//! | distance row along an edge | its thread |
//! | distance row over an edge (the other diagonal of a cell, the bend of a mesh) | either triangle beside that edge |
//! | distance row over two edges (the bend of a grid) | either of these |
//! | hinge | any triangle of what it lies over: two, or those of two cells; of a strand, either of its segments |
//! | tether | any thread of the shortest way to its pin |
//! | balloon | any of its triangles: gas does not stay in a torn one |
//! | piece | any of its triangles |
//!
//! A thread of cloth with no triangle beside it is no cloth any more: nobody sees it, so it counts as broken. Soft pins stay.

use std::collections::BTreeSet;

use sim_api::model::THREAD_OF_STRAND;

use super::{super::Blueprint, grafts::Grafts, layers::Layers, rods::Rods, tethers::Ways};
use crate::{csr::Csr, state::col};

/// Nothing there.
pub(super) const NONE: u32 = u32::MAX;

/// A row lives while these do.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Support {
    threads: [u32; 2],
    /// No two edges of a hinge's cells have more.
    triangles: [u32; 4],
}

impl Support {
    const FREE: Self = Self { threads: [NONE; 2], triangles: [NONE; 4] };

    fn lives(&self, threads: &[bool], triangles: &[bool]) -> bool {
        let all = |of: &[u32], live: &[bool]| of.iter().all(|&i| i == NONE || live[i as usize]);
        all(&self.threads, threads) && all(&self.triangles, triangles)
    }
}

/// In scene order.
pub(super) struct Supports {
    threads: usize,
    /// The threads of each triangle.
    sides: Vec<[u32; 3]>,
    distances: Vec<Support>,
    hinges: Vec<Support>,
    ways: Ways,
    /// The cloth of each triangle, of each balloon and of each piece.
    objects: Vec<u32>,
    balloons: Vec<u32>,
    pieces: Vec<u32>,
    pub layers: Layers,
    pub grafts: Grafts,
    pub rods: Rods,
    /// Rows of the table `segment`.
    pub segments: usize,
}

/// Which rows live, in scene order.
pub(super) struct Live {
    /// Neither broken nor, of cloth, without a triangle beside it.
    pub threads: Vec<bool>,
    pub triangles: Vec<bool>,
    pub distances: Vec<bool>,
    pub hinges: Vec<bool>,
    pub tethers: Vec<bool>,
    pub balloons: Vec<bool>,
    pub pieces: Vec<bool>,
}

impl Supports {
    /// `None` if nothing can tear.
    pub(super) fn of(blueprint: &Blueprint) -> Option<Self> {
        let threads = Threads::of(blueprint).filter(|threads| !threads.ends.is_empty())?;
        let triangles = blueprint.get(col::triangle::idx);
        let sides: Vec<[u32; 3]> = triangles
            .iter()
            .map(|&[a, b, c]| [[a, b], [b, c], [c, a]].map(|ends| threads.find(ends)))
            .collect();
        let beside = threads.beside(&sides);
        let over = over(triangles, &sides, &beside, threads.ends);
        let distances = blueprint.get(col::distance::idx);
        let near = threads.near(blueprint.table("particle")?.rows);
        let distances = distances.iter().map(|&ends| threads.support(ends, &over, &near)).collect();
        let hinges = blueprint.get(col::hinge::idx);
        let hinges = hinges.iter().map(|&[a, b, c, d]| match threads.find([a, b]) {
            _ if threads.is_segment([a, b]) || threads.is_segment([b, c]) => {
                Support { threads: [[a, b], [b, c]].map(|ends| threads.find(ends)), ..Support::FREE }
            }
            NONE => Support::FREE,
            edge => threads.under(&[[a, c], [b, c], [a, d], [b, d]], beside[edge as usize], &over),
        });
        Some(Self {
            threads: threads.ends.len(),
            hinges: hinges.collect(),
            distances,
            ways: Ways::of(blueprint, threads.ends),
            objects: blueprint.get(col::triangle::object).to_vec(),
            balloons: blueprint.get(col::balloon::object).to_vec(),
            pieces: blueprint.get(col::piece::object).to_vec(),
            layers: Layers::of(blueprint, &threads),
            grafts: Grafts::of(blueprint),
            rods: Rods::of(blueprint, &threads),
            segments: blueprint.get(col::segment::stretch).len(),
            sides,
        })
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    pub(super) fn live(&self, broken: &[u32]) -> Live {
        let whole = |side: &u32| *side == NONE || broken[*side as usize] == 0;
        let triangles: Vec<bool> = self.sides.iter().map(|sides| sides.iter().all(whole)).collect();
        let mut threads = vec![false; broken.len()];
        for (sides, _) in self.sides.iter().zip(&triangles).filter(|(_, live)| **live) {
            sides.iter().filter(|side| **side != NONE).for_each(|&side| threads[side as usize] = true);
        }
        self.rods.threads().for_each(|thread| threads[thread] = broken[thread] == 0);
        let lives = |rows: &[Support]| rows.iter().map(|row| row.lives(&threads, &triangles)).collect();
        let gone = self.objects.iter().zip(&triangles).filter(|(_, live)| !**live);
        let torn: BTreeSet<u32> = gone.map(|(object, _)| *object).collect();
        let whole = |objects: &[u32]| objects.iter().map(|object| !torn.contains(object)).collect();
        Live {
            distances: lives(&self.distances),
            hinges: lives(&self.hinges),
            tethers: self.ways.live(&threads),
            balloons: whole(&self.balloons),
            pieces: whole(&self.pieces),
            triangles,
            threads,
        }
    }
}

/// The table of threads; the lower end comes first, and they are sorted.
pub(super) struct Threads<'a> {
    ends: &'a [[u32; 2]],
    rest: &'a [f32],
    kinds: &'a [u32],
}

impl<'a> Threads<'a> {
    fn of(blueprint: &'a Blueprint) -> Option<Self> {
        let (ends, rest) = (blueprint.get(col::thread::ends), blueprint.get(col::thread::rest));
        (!ends.is_empty()).then_some(Self { ends, rest, kinds: blueprint.get(col::thread::kind) })
    }

    /// Whether there is a segment of a strand between two particles that can tear.
    fn is_segment(&self, ends: [u32; 2]) -> bool {
        self.kinds.get(self.find(ends) as usize) == Some(&THREAD_OF_STRAND)
    }

    /// The thread between two particles.
    pub(super) fn find(&self, [a, b]: [u32; 2]) -> u32 {
        self.ends.binary_search(&[a.min(b), a.max(b)]).map_or(NONE, |row| row as u32)
    }

    /// The first two triangles beside each thread.
    fn beside(&self, sides: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let mut beside = vec![[NONE; 2]; self.ends.len()];
        for (triangle, sides) in (0..).zip(sides) {
            for &side in sides.iter().filter(|side| **side != NONE) {
                let own = &mut beside[side as usize];
                if let Some(free) = own.iter_mut().find(|triangle| **triangle == NONE) {
                    *free = triangle;
                }
            }
        }
        beside
    }

    /// Per particle its neighbours, ascending, with the threads to them.
    fn near(&self, particles: usize) -> Csr<(u32, u32)> {
        let both = |(thread, &[a, b]): (u32, &[u32; 2])| [(a, (b, thread)), (b, (a, thread))];
        Csr::new(particles, (0..).zip(self.ends).flat_map(both))
    }

    /// Of a hinge between two triangles: these, or where a side of it is no thread but the other diagonal of a cell, that
    /// cell's.
    fn under(&self, sides: &[[u32; 2]], beside: [u32; 2], over: &[([u32; 2], [u32; 2])]) -> Support {
        let mut triangles = [beside[0], beside[1], NONE, NONE];
        let cells = sides.iter().filter(|side| self.find(**side) == NONE).filter_map(|&[a, b]| {
            over.binary_search_by_key(&[a.min(b), a.max(b)], |row| row.0).ok().map(|place| over[place].1)
        });
        for triangle in cells.flatten() {
            let place = triangles.iter().position(|own| *own == triangle || *own == NONE);
            if let Some(place) = place {
                triangles[place] = triangle;
            }
        }
        Support { triangles, ..Support::FREE }
    }

    fn support(&self, [a, b]: [u32; 2], over: &[([u32; 2], [u32; 2])], near: &Csr<(u32, u32)>) -> Support {
        let edge = self.find([a, b]);
        if edge != NONE {
            return Support { threads: [edge, NONE], ..Support::FREE };
        }
        let ends = [a.min(b), a.max(b)];
        if let Ok(place) = over.binary_search_by_key(&ends, |row| row.0) {
            let [left, right] = over[place].1;
            return Support { triangles: [left, right, NONE, NONE], ..Support::FREE };
        }
        // Over two edges: by the shortest way.
        let mut best = (f32::INFINITY, [NONE; 2]);
        for &(middle, first) in near.row(a as usize) {
            let second = self.find([middle, b]);
            if second != NONE {
                let length = self.rest[first as usize] + self.rest[second as usize];
                if length < best.0 {
                    best = (length, [first, second]);
                }
            }
        }
        Support { threads: best.1, ..Support::FREE }
    }
}

/// The corners on both sides of each edge between two triangles, the lower first, with these triangles; sorted.
fn over(
    triangles: &[[u32; 3]],
    sides: &[[u32; 3]],
    beside: &[[u32; 2]],
    ends: &[[u32; 2]],
) -> Vec<([u32; 2], [u32; 2])> {
    debug_assert_eq!(triangles.len(), sides.len());
    let third = |triangle: u32, ends: [u32; 2]| {
        triangles[triangle as usize].iter().copied().find(|corner| !ends.contains(corner))
    };
    let mut over: Vec<([u32; 2], [u32; 2])> = Vec::with_capacity(beside.len());
    for (&both, &ends) in beside.iter().zip(ends).filter(|(both, _)| !both.contains(&NONE)) {
        if let [Some(c), Some(d)] = both.map(|triangle| third(triangle, ends)) {
            over.push(([c.min(d), c.max(d)], both));
        }
    }
    over.sort_unstable();
    over
}
