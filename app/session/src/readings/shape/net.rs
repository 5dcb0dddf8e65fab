//! The first cloth of a run as a net of its structural rows: what is pinned, and how far along the cloth.

use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap, ops::Range, rc::Rc};
use weft_core::state::col;
use xxhash_rust::xxh3::Xxh3;

use glam::DVec3;

use super::super::Input;

/// Ways that are kept: from the pins and from both ends of a span, of two codes side by side.
const KEPT_WAYS: usize = 4;

pub(super) struct Net<'a> {
    pub input: &'a Input<'a>,
    /// Rows of the cloth in the particle table.
    pub particles: Range<usize>,
    /// Against gravity, unit length.
    pub up: DVec3,
    /// Size of gravity [m/s2].
    pub gravity: f64,
}

impl<'a> Net<'a> {
    /// `None` without gravity: nothing hangs or lies then.
    pub(super) fn new(input: &'a Input<'a>) -> Option<Self> {
        let particles = input.objects.first()?.particles.clone();
        let gravity = DVec3::from(input.scene.gravity.map(f64::from));
        let up = (-gravity).try_normalize()?;
        Some(Self { input, particles, up, gravity: gravity.length() })
    }

    /// [m], world space.
    pub(super) fn at(&self, particle: usize) -> DVec3 {
        let [x, y, z, _] = self.input.positions()[particle];
        self.input.origin() + DVec3::new(x.into(), y.into(), z.into())
    }

    pub(super) fn mass(&self, particle: usize) -> f64 {
        self.input.state.get(col::particle::mass).get(particle).copied().map_or(0.0, f64::from)
    }

    /// Whether it is held in place, by the scene or the hand.
    pub(super) fn is_pinned(&self, particle: usize) -> bool {
        self.input.positions()[particle][3] == 0.0
    }

    pub(super) fn pinned(&self) -> Vec<usize> {
        self.particles.clone().filter(|&particle| self.is_pinned(particle)).collect()
    }

    /// Structural rows: both particles, rest length [m] and tension [N].
    pub(super) fn rows(&self) -> impl Iterator<Item = ([usize; 2], f32, f32)> {
        let state = self.input.state;
        let ends = state.get(col::distance::idx).iter();
        let rows = ends.zip(state.get(col::distance::rest));
        let rows = rows.zip(state.get(col::distance::force));
        let rows = rows.zip(state.get(col::distance::kind));
        let own = |[a, _]: [usize; 2]| self.particles.contains(&a);
        rows.filter(|(_, kind)| **kind == 0)
            .map(|(((ends, rest), force), _)| (ends.map(|end| end as usize), *rest, *force))
            .filter(move |(ends, ..)| own(*ends))
    }

    /// Force [N] with which all distance rows pull at a set of particles from outside of it.
    pub(super) fn pull(&self, at: &[usize]) -> DVec3 {
        let state = self.input.state;
        let rows = state.get(col::distance::idx).iter();
        let rows = rows.zip(state.get(col::distance::force));
        let mut pull = DVec3::ZERO;
        for (ends, &force) in rows {
            let [a, b] = ends.map(|end| end as usize);
            let along = || (self.at(b) - self.at(a)).normalize_or_zero() * f64::from(force);
            match (at.contains(&a), at.contains(&b)) {
                (true, false) => pull += along(),
                (false, true) => pull -= along(),
                _ => {}
            }
        }
        pull
    }

    /// Shortest way at rest along structural rows to the nearest of `from` [m], one for each particle of the cloth;
    /// infinite where there is none (Dijkstra). It is the same from frame to frame until a row tears or another particle is
    /// pinned, and several readings ask for it: the last answers are kept.
    pub(super) fn way(&self, from: &[usize]) -> Rc<[f32]> {
        thread_local! { static KEPT: RefCell<Vec<(u64, Rc<[f32]>)>> = const { RefCell::new(Vec::new()) }; }
        let key = self.rows_hash(from);
        KEPT.with_borrow_mut(|kept| {
            if let Some((_, way)) = kept.iter().find(|(known, _)| *known == key) {
                return way.clone();
            }
            let way: Rc<[f32]> = self.find_way(from).into();
            kept.truncate(KEPT_WAYS - 1);
            kept.insert(0, (key, way.clone()));
            way
        })
    }

    /// xxh3-64 of all that [`Net::way`] depends on.
    fn rows_hash(&self, from: &[usize]) -> u64 {
        let rows = || {
            let (state, mut hash) = (self.input.state, Xxh3::new());
            hash.update(bytemuck::cast_slice(state.get(col::distance::idx)));
            hash.update(bytemuck::cast_slice(state.get(col::distance::rest)));
            hash.update(bytemuck::cast_slice(state.get(col::distance::kind)));
            hash.digest()
        };
        let mut hash = Xxh3::with_seed(*self.input.measured.rows_hash.get_or_init(rows));
        hash.update(bytemuck::cast_slice(&[self.particles.start, self.particles.end]));
        hash.update(bytemuck::cast_slice(from));
        hash.digest()
    }

    fn find_way(&self, from: &[usize]) -> Vec<f32> {
        let first = self.particles.start;
        let mut near: Vec<Vec<(usize, f32)>> = vec![Vec::new(); self.particles.len()];
        for ([a, b], rest, _) in self.rows() {
            near[a - first].push((b - first, rest));
            near[b - first].push((a - first, rest));
        }
        let mut way = vec![f32::INFINITY; near.len()];
        // The bits of floats that are not negative are in the order of the floats.
        let mut open = BinaryHeap::new();
        for &particle in from {
            way[particle - first] = 0.0;
            open.push((Reverse(0.0_f32.to_bits()), particle - first));
        }
        while let Some((Reverse(bits), particle)) = open.pop() {
            let so_far = f32::from_bits(bits);
            if so_far > way[particle] {
                continue;
            }
            for &(next, rest) in &near[particle] {
                let longer = so_far + rest;
                if longer < way[next] {
                    way[next] = longer;
                    open.push((Reverse(longer.to_bits()), next));
                }
            }
        }
        way
    }

    pub(super) fn mean(&self, particles: &[usize]) -> DVec3 {
        particles.iter().map(|&particle| self.at(particle)).sum::<DVec3>() / particles.len().max(1) as f64
    }
}
