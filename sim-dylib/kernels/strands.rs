//! Strands: rods in a row of particles, each segment with a frame whose e3 lies along it.
//!
//! Their particles lie behind those of all cloths, and row by row with them lies the table `segment`. All solvers keep the
//! frames: one that has none carries them along ([`carry`]), so that a switch to one that has finds them as they should be.

mod block;
mod carry;
pub mod compliant;
pub mod cosserat;
pub mod grid;
mod groups;
pub mod joint;
pub mod leader;
pub mod limit;
mod mounts;
pub mod newton;
mod nodes;
pub mod relax;
pub mod roots;
pub mod rotation;
#[cfg(test)]
mod tests;
mod wind;

use sim_api::{Mapped, Par, SharedMut, model::SEAT_ON_CLOTH};

pub use carry::{carry, turn_along};
pub use groups::{hanging, is_cut};
pub use wind::face_the_wind;

use crate::{
    collide,
    lanes::V3,
    sim::Sim,
    state::{Particle, Segment},
};
use rotation::Rotation;

/// Whether there are particles that are of no strand.
pub fn beside_cloth(particle: &Particle, segment: &Segment) -> bool {
    particle.position.len() > segment.rest.len()
}

/// Turns the frames of stubs to where their seats are at the end of the substep; those on cloth are turned by [`roots`].
pub fn seat(sim: &mut Sim) {
    let state = &mut sim.state;
    let base = state.particle.position.len() - state.segment.rest.len();
    let rotation = SharedMut::new(state.segment.rotation);
    let (strand, collider, stretch) = (&state.strand, &state.collider, state.segment.stretch);
    let turn = |segment: usize, seat: u32, own: [f32; 4]| {
        let (seat, own) = (collide::rotation(collider, seat as usize).map(frame), frame(own));
        let turned = seat.map_or(own, |seat| seat.after(own));
        // SAFETY: no two strands have a segment in common.
        unsafe { rotation.set(segment, turned.lanes()) };
    };
    each(&sim.par, strand.span.len(), |row| {
        let segment = strand.span[row][0] as usize - base;
        if stretch[segment] == 0.0 && strand.seat[row] != SEAT_ON_CLOTH {
            turn(segment, strand.seat[row], strand.root_rotation[row]);
        }
        if groups::has_tip_stub(stretch, strand.span[row], base) {
            let [first, stride, count] = strand.span[row].mapped(|number| number as usize);
            turn(first + stride * (count - 2) - base, strand.tip[row], strand.tip_rotation[row]);
        }
    });
}

/// Writes the multipliers of segments into those of the distance rows of strands, which springs would have.
pub fn tell_pulls(sim: &mut Sim) {
    let base = sim.state.particle.position.len() - sim.state.segment.rest.len();
    let (pull, idx) = (&*sim.state.segment.pull, sim.state.distance.idx);
    sim.par.rows(sim.state.distance.multipliers.lambda, |start, lambda| {
        for (row, lambda) in (start..).zip(lambda).filter(|(row, _)| idx[*row][0] as usize >= base) {
            *lambda = pull[idx[row][0] as usize - base];
        }
    });
}

/// Writes the tension of segments [N] into the distance rows of strands, `stiffest` as in [`newton::Plan`].
pub fn write_tension(sim: &mut Sim, stiffest: f32) {
    let (state, per_h2) = (&mut sim.state, 1.0 / (sim.h * sim.h));
    let base = state.particle.position.len() - state.segment.rest.len();
    let (x, mass) = (&*state.particle.position, state.particle.mass);
    let distance = &mut state.distance;
    let (idx, rest, compliance) = (distance.idx, distance.rest, distance.compliance);
    sim.par.rows(distance.force, |start, force| {
        for (row, force) in (start..).zip(force) {
            let [a, b] = idx[row].mapped(|particle| particle as usize);
            if a < base {
                continue;
            }
            let way = V3::from_row(x[b]) - V3::from_row(x[a]);
            let limit = stiffest * mass[a].min(mass[b]) * per_h2;
            *force = (way.dot(way).sqrt() - rest[row]) / compliance[row].max(1.0 / limit);
        }
    });
}

/// Calls `f` for each strand.
fn each(par: &Par, strands: usize, f: impl Fn(usize) + Sync) {
    par.each(strands.div_ceil(newton::PIECE), |piece| {
        (piece * newton::PIECE..((piece + 1) * newton::PIECE).min(strands)).for_each(&f);
    });
}

/// Strands that lie side by side, or almost.
struct Strands<'a> {
    /// Row of the first.
    row: usize,
    spans: &'a [[u32; 3]],
    longest: u32,
}

impl Strands<'_> {
    /// Some of the particles of each, those of neighbours one after another: place of the strand, and particle.
    #[inline(always)]
    fn particles(&self, numbers: std::ops::Range<u32>) -> impl Iterator<Item = (usize, usize)> {
        numbers.flat_map(move |number| {
            let at = self.spans.iter().enumerate().filter(move |(_, span)| number < span[2]);
            at.map(move |(place, span)| (place, (span[0] + span[1] * number) as usize))
        })
    }
}

/// Calls `f` for each piece of [`newton::PIECE`] strands: particle by particle, they are next to each other in memory.
fn pieces(par: &Par, spans: &[[u32; 3]], f: impl Fn(Strands) + Sync) {
    par.each(spans.len().div_ceil(newton::PIECE), |piece| {
        let row = piece * newton::PIECE;
        let spans = &spans[row..(row + newton::PIECE).min(spans.len())];
        f(Strands { row, spans, longest: spans.iter().map(|span| span[2]).max().unwrap_or(0) });
    });
}

fn frame(rotation: [f32; 4]) -> Rotation<f32> {
    Rotation::new(rotation)
}
