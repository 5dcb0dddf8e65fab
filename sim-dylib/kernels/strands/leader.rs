//! Follow the leader: each particle goes to the length from the one before it, from the root to the tip.
//!
//! ```text
//! p_i = p_i-1 + l (x_i - p_i-1) / |x_i - p_i-1|        d_i = p_i - x_i        v_i = (p_i - x before) / h - s d_i+1 / h
//! ```
//! One pass is exact. What meets a collider goes to the nearest place at its length that is not behind the plane of what it meets
//! (`collide/plane.rs`), a point of the circle in which sphere and plane cut each other; friction moves particles after that, so that
//! a last pass brings back the lengths. One pass treats a particle as if all beyond it weighed nothing, which drags the strand behind its root like a
//! rope through honey; the last term gives back what the next particle was moved (Müller, Kim, Chentanez: Fast Simulation of
//! Inextensible Hair and Fur, 2012). With s = 1 the period of a swing comes out right as steps get short.
//!
//! What is given back takes each particle to be as heavy as the next one, so that a weight at a tip does nothing, which a scene's
//! notes say. Times m_i+1 / m_i (what i + 1 gained i loses) the period of a small swing is right with a tip of 1 to 100 particles, but
//! the term comes a step too late for it: by 86 degrees a tip of five throws a strand of 16 segments about at 345 m/s.
//!
//! What is led from an end that nothing holds, behind a cut or a free root, gets nothing back in a substep in which a surface pushes
//! the strand, or where there are surfaces and it is led further than its length: each push would come again in the next, and throw it.
//! Where there are surfaces no particle gets back more than half of the segment: strands that lie folded on a surface would throw
//! themselves about for ever, each particle by about its segment in each substep (28 m/s in `ponytail.ron` at 30 substeps). With the whole
//! segment they do so a while; with a quarter ends whip at 2 substeps as if they weighed nothing.

use sim_api::SharedMut;

use super::{
    groups::{Group, Read, Rows, Shared, Work, plane},
    newton::LANES,
};
use crate::{
    lanes::{Lanes, V3},
    sim::Sim,
};

/// Of the way that a particle was moved the one before it gets back at most this, where there are surfaces [lengths of the segment].
const MOST_BACK: f32 = 0.5;

/// What one pass is for.
#[derive(Clone, Copy, PartialEq)]
pub enum Pass {
    /// Before planes are known.
    First,
    /// The one that velocities are told from: they get back this share of what the next particle was moved.
    Last { correction: f32 },
    /// After contact, whose friction moved particles: velocities go along.
    Settle,
}

/// Brings free particles to the lengths, from where they are, and in front of their planes after the first pass.
pub fn follow(sim: &mut Sim, pass: Pass) {
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let touched = !sim.state.collider.kind.is_empty() && pass != Pass::First;
    let per_second = 1.0 / sim.h;
    let particle = &mut sim.state.particle;
    let (plane, depth) = (&*particle.contact.plane, SharedMut::new(particle.contact.plane_depth));
    let work = Leader {
        pass,
        per_second,
        planes: touched.then_some(Planes { plane, depth }),
        base: rows.base,
        rest: sim.state.segment.rest,
        stretch: sim.state.segment.stretch,
        previous: particle.previous,
        position: SharedMut::new(particle.position),
        inertial: SharedMut::new(particle.inertial),
        velocity: SharedMut::new(particle.velocity),
    };
    // SAFETY: no two strands have a particle in common.
    unsafe { rows.run_all(&sim.par, &mut [], &work) };
}

struct Leader<'a> {
    pass: Pass,
    /// [1/s]
    per_second: f32,
    planes: Option<Planes<'a>>,
    /// Particle of the first segment.
    base: usize,
    rest: &'a [f32],
    stretch: &'a [f32],
    previous: &'a [[f32; 4]],
    position: SharedMut<'a, [f32; 4]>,
    inertial: SharedMut<'a, [f32; 4]>,
    velocity: SharedMut<'a, [f32; 4]>,
}

/// Planes of particles (`collide/plane.rs`).
struct Planes<'a> {
    plane: &'a [[f32; 4]],
    /// How far they pushed particles [m], and their colliders.
    depth: SharedMut<'a, [f32; 2]>,
}

impl Planes<'_> {
    /// How far particles were pushed.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn depths<L: Lanes>(&self, first: usize) -> L {
        let mut all = [0.0; LANES];
        for (lane, depth) in all.iter_mut().enumerate().take(L::COUNT) {
            // SAFETY: vouched for by the caller.
            [*depth, _] = unsafe { self.depth.get(first + lane) };
        }
        L::load(&all)
    }

    /// Particles were pushed so much further.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn push<L: Lanes>(&self, first: usize, depths: L) {
        let mut all = [0.0; LANES];
        depths.store(&mut all);
        for (lane, depth) in all.iter().enumerate().take(L::COUNT) {
            // SAFETY: vouched for by the caller.
            unsafe {
                let [before, collider] = self.depth.get(first + lane);
                self.depth.set(first + lane, [before + depth, collider]);
            }
        }
    }
}

impl Leader<'_> {
    /// Above 0 for a strand that a plane pushes.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn pushed<L: Lanes>(&self, group: Group) -> L {
        let mut pushed = L::from_f32(0.0);
        if let Some(planes) = &self.planes {
            for i in 0..group.count {
                // SAFETY: vouched for by the caller.
                pushed = pushed.max(unsafe { planes.depths(group.particle(i)) });
            }
        }
        pushed
    }

    /// [`Last::back`] for a whole strand, which planes may have pushed.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn give_back<L: Lanes>(&self, group: Group, correction: f32) {
        // SAFETY: vouched for by the caller.
        let pushed: L = unsafe { self.pushed(group) };
        let inertial = |particle| Shared { column: &self.inertial, first: particle };
        let mut last = Last::of(L::fetch(&inertial(group.first)));
        for i in 1..group.count {
            let particle = group.particle(i);
            let segment = particle - group.stride - self.base;
            let rest = L::load(&self.rest[segment..]);
            let cut = -L::load(&self.stretch[segment..]);
            let to = V3::from_row(L::fetch(&Shared { column: &self.position, first: particle }));
            let next = L::fetch(&inertial(particle));
            let moved = to - V3::from_row(next);
            let length = moved.dot(moved).sqrt();
            let thrown = pushed.max(length - rest);
            let calm = moved
                * (rest * L::from_f32(MOST_BACK) / length.max(L::from_f32(1e-15))).min(L::from_f32(1.0));
            L::scatter(last.back(next, calm, cut, thrown, correction), &inertial(particle - group.stride));
        }
    }
}

/// The particle that gets something back next.
struct Last<L> {
    /// Where inertia took it; w: inverse mass.
    told: [L; 4],
    /// Above 0 from a free root or a cut on, until something is held.
    loose: L,
}

impl<L: Lanes> Last<L> {
    #[inline(always)]
    fn of(root: [L; 4]) -> Self {
        Self { told: root, loose: root[3] }
    }

    /// From where the velocity of a particle is told that gets back a share of the way that the next one was `moved` from where inertia
    /// took it; nothing behind a cut, or where `thrown` is above 0 and nothing holds them.
    #[inline(always)]
    fn back(&mut self, next: [L; 4], moved: V3<L>, cut: L, thrown: L, correction: f32) -> [L; 4] {
        let zero = L::from_f32(0.0);
        let told = std::mem::replace(&mut self.told, next);
        self.loose = self.loose.max(cut).where_positive_else(next[3], zero);
        // Both are free, and hang together.
        let free = zero.where_positive_else(cut.max(self.loose.min(thrown)), told[3].min(next[3]));
        let back = moved.where_positive(free) * L::from_f32(correction);
        let own = V3::from_row(told) + back;
        [own.x, own.y, own.z, told[3]]
    }
}

impl Work for Leader<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, _: &mut [f32]) {
        let (zero, tiny) = (L::from_f32(0.0), L::from_f32(1e-15));
        let position = |particle| Shared { column: &self.position, first: particle };
        let inertial = |particle| Shared { column: &self.inertial, first: particle };
        let velocity = |particle| Shared { column: &self.velocity, first: particle };
        let previous = |particle| V3::from_row(L::fetch(&Read { column: self.previous, first: particle }));
        let mut before = V3::from_row(L::fetch(&position(group.first)));
        let mut last = Last::of(L::fetch(&inertial(group.first)));
        for i in 1..group.count {
            let particle = group.particle(i);
            let [x, y, z, w] = L::fetch(&position(particle));
            let here = V3 { x, y, z };
            let way = here - before;
            let segment = particle - group.stride - self.base;
            let rest = L::load(&self.rest[segment..]);
            let mut led = before + way * (rest / way.dot(way).sqrt().max(tiny));
            // What is behind a cut leads the rest.
            let cut = -L::load(&self.stretch[segment..]);
            let goes = zero.where_positive_else(cut, w);
            let mut across = V3::zero();
            if let Some(planes) = &self.planes {
                // SAFETY: vouched for by the caller.
                let [nx, ny, nz, level, there] =
                    unsafe { plane(planes.plane, &planes.depth, particle, before) };
                across = V3 { x: nx, y: ny, z: nz };
                let behind = (level - across.dot(led - before)).max(zero).where_positive(goes.min(there));
                let beside = before
                    + on_plane(
                        across,
                        level,
                        rest,
                        [led - before, previous(particle) - previous(particle - group.stride)],
                    );
                led = beside.where_positive_else(behind, led);
                if self.pass != Pass::Settle {
                    // SAFETY: vouched for by the caller.
                    unsafe { planes.push(particle, behind) };
                }
            }
            let to = led.where_positive_else(goes, here);
            L::scatter([to.x, to.y, to.z, w], &position(particle));
            if self.pass == Pass::Settle {
                let speed = (to - here) * L::from_f32(self.per_second);
                let speed = speed - across * across.dot(speed);
                let v = V3::from_row(L::fetch(&velocity(particle))) + speed;
                L::scatter([v.x, v.y, v.z, zero], &velocity(particle));
            }
            // Without surfaces nothing is thrown.
            if let (Pass::Last { correction }, None) = (self.pass, &self.planes) {
                let next = L::fetch(&inertial(particle));
                let own = last.back(next, to - V3::from_row(next), cut, zero, correction);
                L::scatter(own, &inertial(particle - group.stride));
            }
            before = to;
        }
        if let (Pass::Last { correction }, Some(_)) = (self.pass, &self.planes) {
            // SAFETY: vouched for by the caller.
            unsafe { self.give_back::<L>(group, correction) };
        }
    }
}

/// The place on a plane at the length `rest` from the origin, as near as may be to where the first of two ways leads, or the second
/// where that has no part along the plane, or else anywhere. A plane too far away is come as near to as may be.
#[inline(always)]
pub(super) fn on_plane<L: Lanes>(normal: V3<L>, level: L, rest: L, ways: [V3<L>; 2]) -> V3<L> {
    let (zero, number) = (L::from_f32(0.0), L::from_f32);
    let least = rest * rest * number(1e-10);
    let [first, second] = [ways[0] - normal * normal.dot(ways[0]), ways[1] - normal * normal.dot(ways[1])];
    let third = V3 { x: normal.y, y: -normal.x, z: zero };
    let third =
        third.where_positive_else(third.dot(third) - number(0.1), V3 { x: zero, y: normal.z, z: -normal.y });
    let second = second.where_positive_else(second.dot(second) - least, third);
    let along = first.where_positive_else(first.dot(first) - least, second);
    let up = level.min(rest).max(-rest);
    let radius = (rest * rest - up * up).max(zero).sqrt();
    normal * up + along * (radius / along.dot(along).sqrt().max(number(1e-15)))
}
