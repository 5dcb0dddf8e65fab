//! The last word: pairs that pass through each other after all projections go their way together.
//!
//! Corners of such a pair get the mean way of the pair, weighted by mass; those of neighbouring pairs then share theirs,
//! round after round, until none passes through: the zone of impact grows as far as it must (after Provot: Collision
//! and Self-Collision Handling in Cloth Model, 1997; here it is moved but not turned). A zone with pinned
//! particles goes where those go.

use glam::Vec3;
use sim_api::{Par, SharedMut};

use super::{
    advance::{Form, advance},
    corners,
    pairs::longest_way,
};
use crate::{
    normals::xyz,
    state::{Batch, Layer, Pair, Particle, State},
    substep::Sim,
};

/// Rounds at most.
const ROUNDS: usize = 24;

/// Nothing passes through anything after this, or `self_passed_through` counts it.
pub fn verify(sim: &mut Sim) {
    let State { particle, layer, batch, pair, .. } = &mut sim.state;
    for round in 0..=ROUNDS {
        let failed = look(&sim.par, particle, layer, batch, pair);
        if failed == 0 {
            return;
        }
        if round == ROUNDS {
            sim.tally.missed += failed;
            return;
        }
        sim.tally.zones += 1;
        for i in 0..batch.first.len() {
            let first = batch.first[i] as usize;
            for k in first..first + batch.failed[i] as usize {
                move_together(particle, layer, pair.corners[pair.failed[k] as usize]);
            }
        }
    }
}

/// Lists the pairs that pass through in `pair.failed`, `batch.failed`; returns their number.
fn look(par: &Par, particle: &Particle, layer: &Layer, batch: &mut Batch, pair: &mut Pair) -> u32 {
    let (x, sound) = (&*particle.position, &*layer.sound);
    let moved = longest_way(par, x, layer.met, Vec3::ZERO);
    let (idx, form, gap) = (&*pair.corners, &*pair.form, &*pair.gap);
    let (first, listed) = (&*batch.first, &*batch.listed);
    let (rows, counts) = (SharedMut::new(pair.failed), SharedMut::new(&mut *batch.failed));
    par.each(first.len(), |i| {
        let start = first[i] as usize;
        let mut next = start;
        for row in start..start + listed[i] as usize {
            // Corners that moved by `moved` since bring both points closer by twice that, and lengthen the
            // relative way by up to twice that for each primitive (mean and corner).
            if gap[row] > 6.0 * moved {
                continue;
            }
            let (form, idx) = (Form::of(form[row]), idx[row]);
            if gap[row] > 6.0 * most_moved_of(x, layer.met, idx) {
                continue;
            }
            let (from, to) = (corners(sound, idx), corners(x, idx));
            let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
            if form.nearest(to).distance() > form.reach(way) {
                continue;
            }
            if advance(form, from, to).is_some() {
                // SAFETY: each batch writes its own rows; `next` is never ahead of `row`.
                unsafe { rows.set(next, row as u32) };
                next += 1;
            }
        }
        // SAFETY: each batch writes its own row.
        unsafe { counts.set(i, (next - start) as u32) };
    });
    batch.failed.iter().sum()
}

/// Longest way of the corners of a pair since the detection [m].
#[inline(always)]
fn most_moved_of(x: &[[f32; 4]], met: &[[f32; 4]], idx: [u32; 4]) -> f32 {
    let (now, then) = (corners(x, idx), corners(met, idx));
    let mut longest = 0.0_f32;
    for corner in 0..4 {
        longest = longest.max((now[corner] - then[corner]).length_squared());
    }
    longest.sqrt()
}

fn move_together(particle: &mut Particle, layer: &Layer, idx: [u32; 4]) {
    let (mut sum, mut mass, mut held, mut holders) = (Vec3::ZERO, 0.0, Vec3::ZERO, 0.0);
    for corner in idx.map(|corner| corner as usize) {
        let way = xyz(particle.position[corner]) - xyz(layer.sound[corner]);
        if particle.position[corner][3] > 0.0 {
            sum += way * particle.mass[corner];
            mass += particle.mass[corner];
        } else {
            held += way;
            holders += 1.0;
        }
    }
    let way = if holders > 0.0 { held / holders } else { sum / mass };
    for corner in idx.map(|corner| corner as usize) {
        let w = particle.position[corner][3];
        if w > 0.0 {
            particle.position[corner] = (xyz(layer.sound[corner]) + way).extend(w).to_array();
        }
    }
}
