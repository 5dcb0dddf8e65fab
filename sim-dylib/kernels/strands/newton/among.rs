//! Contact of strands with each other and with cloth, which comes behind the solve, and their lengths again.
//!
//! ```text
//! x     solved for inertial        M (x - inertial) / h² + dE/dx = 0
//! x'    contact moved it           target = inertial + x' - x       inertial as it was before contact
//! x''   solved for that target     M (x'' - inertial) / h² + dE/dx = M (x' - x) / h²
//! ```
//! What contact moved a particle by is an impulse, which the strand takes as a whole instead of with a segment alone. Impulses of
//! pairs are equal and opposite, so momentum is kept. Strands that it did not stretch stay as they are; those that cloth or a body
//! bears stay as contact leaves them, for what holds them has had their pull.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::Vec4;
use sim_api::{Mapped, SharedMut};

use super::{Plan, SETTLED, Target, UNSETTLED};
use crate::{lanes::V3, self_collision, sim::Sim, strands};

/// Change of a segment's length by contact after which its strand is solved again, as a share of it.
const STRETCHED: f32 = 0.003;

/// Contact of all that collides with itself, and the strands that it stretched solved again.
pub fn contact(sim: &mut Sim, plan: Plan) {
    let base = sim.state.particle.position.len() - sim.state.segment.rest.len();
    if self_collision::off(sim) || sim.state.strand.span.is_empty() {
        return self_collision::contact(sim);
    }
    // Contact moves `inertial` along, too, with what adds no speed.
    let particle = &mut sim.state.particle;
    let (x, inertial) = (&*particle.position, &*particle.inertial);
    sim.par.rows(&mut particle.force[base..], |start, target| {
        for (i, target) in (base + start..).zip(target) {
            *target = (Vec4::from_array(inertial[i]) - Vec4::from_array(x[i])).with_w(0.0).to_array();
        }
    });
    self_collision::contact(sim);
    let x = &*sim.state.particle.position;
    sim.par.rows(&mut sim.state.particle.force[base..], |start, target| {
        for (i, target) in (base + start..).zip(target) {
            *target = (Vec4::from_array(x[i]) + Vec4::from_array(*target)).to_array();
        }
    });
    if stretched(sim, base) {
        super::alone(sim, plan, Target::Touched);
        // Who passed through another on this way is held back in the next substep; behind the last one it is looked for anew.
        sim.self_stats.looked &= !sim.in_last_substep();
    }
}

/// Marks the strands that are to be solved again. Returns whether there is one.
fn stretched(sim: &mut Sim, base: usize) -> bool {
    let (strand, segment, x) = (&sim.state.strand, &sim.state.segment, &*sim.state.particle.position);
    let (spans, borne) = (strand.span, strand.borne);
    let (rest, stretch) = (segment.rest, segment.stretch);
    let (unsettled, any) = (SharedMut::new(sim.state.strand.unsettled), AtomicBool::new(false));
    strands::each(&sim.par, spans.len(), |row| {
        let [first, stride, count] = spans[row].mapped(|number| number as usize);
        let place = |i: usize| V3::from_row(x[first + stride * i]);
        let stretched = |i: &usize| {
            let at = first + stride * i - base;
            let way = place(i + 1) - place(*i);
            stretch[at] > 0.0 && (way.dot(way).sqrt() - rest[at]).abs() > STRETCHED * rest[at]
        };
        let again = borne[row] == [u32::MAX; 2] && (0..count - 1).any(|i| stretched(&i));
        any.fetch_or(again, Ordering::Relaxed);
        // SAFETY: a strand is one job's alone.
        unsafe { unsettled.set(row, if again { UNSETTLED } else { SETTLED }) };
    });
    any.into_inner()
}
