//! Follow the leader: each particle goes to the length from the one before it, from the root to the tip.
//!
//! ```text
//! p_i = p_i-1 + l (x_i - p_i-1) / |x_i - p_i-1|        d_i = p_i - x_i        v_i = (p_i - x before) / h - s d_i+1 / h
//! ```
//! One pass is exact. It treats a particle as if all beyond it weighed nothing, which drags the strand behind its root like a
//! rope through honey; the last term gives back what the next particle was moved (Müller, Kim, Chentanez: Fast Simulation of
//! Inextensible Hair and Fur, 2012). With s = 1 the period of a swing comes out right as steps get short.
//!
//! What is given back takes each particle to be as heavy as the next one, so that a weight at a tip does nothing, which a scene's
//! notes say. Times m_i+1 / m_i (what i + 1 gained i loses) the period of a small swing is right with a tip of 1 to 100 particles, but
//! the term comes a step too late for it: by 86 degrees a tip of five throws a strand of 16 segments about at 345 m/s.
//!
//! What is led from an end that nothing holds, behind a cut or a free root, gets nothing back in a substep in which a surface pushes
//! the strand, or where there are surfaces and it is led further than its length: each push would come again in the next, and throw it.

use sim_api::SharedMut;

use super::groups::{Group, Rows, Shared, Work};
use crate::{
    lanes::{Lanes, RowsAt, V3},
    sim::Sim,
};

/// Brings free particles to the lengths, from where they are. With a `correction` each particle gets back that share of what
/// the next one was moved since inertia took it there, by where its velocity is told from.
pub fn follow(sim: &mut Sim, correction: Option<f32>) {
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let touched = !sim.state.collider.kind.is_empty();
    let depth = &*sim.state.particle.contact.plane_depth;
    let work = Leader {
        correction,
        pushed: touched.then_some(depth),
        base: rows.base,
        rest: sim.state.segment.rest,
        stretch: sim.state.segment.stretch,
        position: SharedMut::new(sim.state.particle.position),
        inertial: SharedMut::new(sim.state.particle.inertial),
    };
    // SAFETY: no two strands have a particle in common.
    unsafe { rows.run_all(&sim.par, &mut [], &work) };
}

struct Leader<'a> {
    correction: Option<f32>,
    /// How far planes pushed particles [m], and their colliders; nothing without any.
    pushed: Option<&'a [[f32; 2]]>,
    /// Particle of the first segment.
    base: usize,
    rest: &'a [f32],
    stretch: &'a [f32],
    position: SharedMut<'a, [f32; 4]>,
    inertial: SharedMut<'a, [f32; 4]>,
}

/// The first numbers of neighbouring rows.
struct Depths<'a> {
    column: &'a [[f32; 2]],
    first: usize,
}

impl RowsAt for Depths<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        [self.column[self.first + lane][0], 0.0, 0.0, 0.0]
    }
}

impl Leader<'_> {
    /// Above 0 for a strand that a plane pushes.
    #[inline(always)]
    fn pushed<L: Lanes>(&self, group: Group) -> L {
        let mut pushed = L::from_f32(0.0);
        if let Some(column) = self.pushed {
            for i in 0..group.count {
                let [depth, ..] = L::fetch(&Depths { column, first: group.particle(i) });
                pushed = pushed.max(depth);
            }
        }
        pushed
    }
}

impl Work for Leader<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, _: &mut [f32]) {
        let (zero, tiny) = (L::from_f32(0.0), L::from_f32(1e-15));
        let position = |particle| Shared { column: &self.position, first: particle };
        let inertial = |particle| Shared { column: &self.inertial, first: particle };
        let mut before = V3::from_row(L::fetch(&position(group.first)));
        let mut told = L::fetch(&inertial(group.first));
        let pushed = if self.correction.is_some() { self.pushed(group) } else { zero };
        // Above 0 from a free root or a cut on, until something is held.
        let mut loose = told[3];
        for i in 1..group.count {
            let particle = group.particle(i);
            let [x, y, z, w] = L::fetch(&position(particle));
            let way = V3 { x, y, z } - before;
            let segment = particle - group.stride - self.base;
            let rest = L::load(&self.rest[segment..]);
            let led = before + way * (rest / way.dot(way).sqrt().max(tiny));
            // What is behind a cut leads the rest.
            let cut = -L::load(&self.stretch[segment..]);
            let goes = zero.where_positive_else(cut, w);
            let to = V3 {
                x: led.x.where_positive_else(goes, x),
                y: led.y.where_positive_else(goes, y),
                z: led.z.where_positive_else(goes, z),
            };
            L::scatter([to.x, to.y, to.z, w], &position(particle));
            loose = loose.max(cut).where_positive_else(w, zero);
            if let Some(correction) = self.correction {
                let next = L::fetch(&inertial(particle));
                let moved = to - V3::from_row(next);
                // Without surfaces nothing is thrown.
                let far = if self.pushed.is_some() { moved.dot(moved) - rest * rest } else { zero };
                let thrown = loose.min(pushed.max(far));
                // Both are free, and hang together.
                let free = zero.where_positive_else(cut.max(thrown), told[3].min(next[3]));
                let back = moved.where_positive(free) * L::from_f32(correction);
                let own = V3::from_row(told) + back;
                L::scatter([own.x, own.y, own.z, told[3]], &inertial(particle - group.stride));
                told = next;
            }
            before = to;
        }
    }
}
