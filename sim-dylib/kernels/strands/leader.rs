//! Follow the leader: each particle goes to the length from the one before it, from the root to the tip.
//!
//! ```text
//! p_i = p_i-1 + l (x_i - p_i-1) / |x_i - p_i-1|        d_i = p_i - x_i        v_i = (p_i - x before) / h - s d_i+1 / h
//! ```
//! One pass is exact. It treats a particle as if all beyond it weighed nothing, which drags the strand behind its root like a
//! rope through honey; the last term gives back what the next particle was moved (Müller, Kim, Chentanez: Fast Simulation of
//! Inextensible Hair and Fur, 2012). With s = 1 the period of a swing comes out right as steps get short.

use sim_api::SharedMut;

use super::each;
use crate::{normals::xyz, sim::Sim};

/// Brings free particles to the lengths, from where they are.
pub fn follow(sim: &mut Sim) {
    let base = sim.state.particle.position.len() - sim.state.segment.rest.len();
    let (spans, rest) = (sim.state.strand.span, sim.state.segment.rest);
    let position = SharedMut::new(sim.state.particle.position);
    each(&sim.par, spans.len(), |row| {
        let [first, stride, count] = spans[row].map(|number| number as usize);
        // SAFETY (all): no two strands have a particle in common.
        let mut before = xyz(unsafe { position.get(first) });
        for particle in (1..count).map(|i| first + stride * i) {
            let row = unsafe { position.get(particle) };
            let mut place = xyz(row);
            if row[3] > 0.0 {
                let way = place - before;
                place = before + way * (rest[particle - stride - base] / way.length().max(1e-15));
                unsafe { position.set(particle, place.extend(row[3]).to_array()) };
            }
            before = place;
        }
    });
}

/// Gives each particle back the share `correction` of what the next one was moved, by where the velocity is told from.
pub fn give_back(sim: &mut Sim, correction: f32) {
    let spans = sim.state.strand.span;
    let position = &*sim.state.particle.position;
    let inertial = SharedMut::new(sim.state.particle.inertial);
    each(&sim.par, spans.len(), |row| {
        let [first, stride, count] = spans[row].map(|number| number as usize);
        for particle in (0..count - 1).map(|i| first + stride * i) {
            // SAFETY (all): no two strands have a particle in common.
            let own = unsafe { inertial.get(particle) };
            let next = unsafe { inertial.get(particle + stride) };
            if own[3] > 0.0 && next[3] > 0.0 {
                let moved = xyz(position[particle + stride]) - xyz(next);
                let told = xyz(own) + moved * correction;
                unsafe { inertial.set(particle, told.extend(own[3]).to_array()) };
            }
        }
    });
}
