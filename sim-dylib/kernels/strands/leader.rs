//! Follow the leader: each particle goes to the length from the one before it, from the root to the tip.
//!
//! ```text
//! p_i = p_i-1 + l (x_i - p_i-1) / |x_i - p_i-1|        d_i = p_i - x_i        v_i = (p_i - x before) / h - s d_i+1 / h
//! ```
//! One pass is exact. It treats a particle as if all beyond it weighed nothing, which drags the strand behind its root like a
//! rope through honey; the last term gives back what the next particle was moved (Müller, Kim, Chentanez: Fast Simulation of
//! Inextensible Hair and Fur, 2012). With s = 1 the period of a swing comes out right as steps get short.

use glam::Vec3;
use sim_api::SharedMut;

use super::{newton::PIECE, pieces};
use crate::{normals::xyz, sim::Sim};

/// Brings free particles to the lengths, from where they are.
pub fn follow(sim: &mut Sim) {
    let base = sim.state.particle.position.len() - sim.state.segment.rest.len();
    let (spans, rest) = (sim.state.strand.span, sim.state.segment.rest);
    let position = SharedMut::new(sim.state.particle.position);
    pieces(&sim.par, spans, |strands| {
        let mut before = [Vec3::ZERO; PIECE];
        for (place, i) in strands.particles(0..1) {
            // SAFETY (all): no two strands have a particle in common.
            before[place] = xyz(unsafe { position.get(i) });
        }
        for (place, i) in strands.particles(1..strands.longest) {
            let row = unsafe { position.get(i) };
            let mut to = xyz(row);
            if row[3] > 0.0 {
                let way = to - before[place];
                let length = rest[i - strands.stride(place) - base];
                to = before[place] + way * (length / way.length().max(1e-15));
                unsafe { position.set(i, to.extend(row[3]).to_array()) };
            }
            before[place] = to;
        }
    });
}

/// Gives each particle back the share `correction` of what the next one was moved, by where the velocity is told from.
pub fn give_back(sim: &mut Sim, correction: f32) {
    let spans = sim.state.strand.span;
    let position = &*sim.state.particle.position;
    let inertial = SharedMut::new(sim.state.particle.inertial);
    pieces(&sim.par, spans, |strands| {
        for (place, i) in strands.particles(1..strands.longest) {
            let before = i - strands.stride(place);
            // SAFETY (all): no two strands have a particle in common.
            let own = unsafe { inertial.get(before) };
            let next = unsafe { inertial.get(i) };
            if own[3] > 0.0 && next[3] > 0.0 {
                let moved = xyz(position[i]) - xyz(next);
                let told = xyz(own) + moved * correction;
                unsafe { inertial.set(before, told.extend(own[3]).to_array()) };
            }
        }
    });
}
