//! The last word: pairs that pass through each other after all projections go their way together.
//!
//! Corners of such a pair get the mean way of the pair, weighted by mass; those of neighbouring pairs then share theirs,
//! round after round, until none passes through: the zone of impact grows as far as it must (after Provot: Collision
//! and Self-Collision Handling in Cloth Model, 1997; here it is moved but not turned). A zone with pinned
//! particles goes where those go.

use glam::Vec3;
use sim_api::{Mapped, SharedMut};

use super::{
    advance::{Form, advance},
    corners,
    detect::ways_of,
    pairs::longest_way,
    untangle,
};
use crate::{
    normals::xyz,
    sim::Sim,
    state::{Layer, Particle, State},
};

/// Rounds at most.
const ROUNDS: usize = 24;

/// Nothing passes through anything after this, or `self_passed_through` counts it.
pub(super) fn verify(sim: &mut Sim) {
    for round in 0..=ROUNDS {
        let failed = look(sim);
        if failed == 0 {
            return;
        }
        if round == ROUNDS {
            sim.self_stats.missed += failed;
            return;
        }
        sim.self_stats.zones += 1;
        let State { particle, layer, batch, pair, .. } = &mut sim.state;
        for i in 0..batch.first.len() {
            let first = batch.first[i] as usize;
            for k in first..first + batch.failed[i] as usize {
                move_together(particle, layer, pair.corners[pair.failed[k] as usize]);
            }
        }
    }
}

/// Lists the pairs that pass through in `pair.failed`, `batch.failed`; returns their number.
fn look(sim: &mut Sim) -> u32 {
    let (lost, tangled) = (sim.self_stats.lost, sim.self_stats.crossings > 0);
    let State { particle, layer, batch, pair, .. } = &mut sim.state;
    let (x, layer) = (&*particle.position, &*layer);
    let moved = longest_way(&sim.par, x, layer.position_at_narrow_phase, Vec3::ZERO);
    let (idx, form, clear) = (&*pair.corners, &*pair.form, &*pair.clear);
    let (near, gap) = (&*pair.near, &*pair.gap);
    let (first, listed, nears) = (&*batch.first, &*batch.listed, &*batch.near);
    let spare = &*batch.spare;
    let (rows, counts) = (SharedMut::new(pair.failed), SharedMut::new(&mut *batch.failed));
    // Corners that moved by `moved` since the detection bring both points closer by twice that, and lengthen the relative
    // way by up to twice that for each primitive (mean and corner).
    let fails = |row: usize, gap: f32| {
        let (form, idx) = (Form::of(form[row]), idx[row]);
        if gap > 6.0 * most_moved_of(x, layer.position_at_narrow_phase, idx)
            || (tangled && untangle::lets_go(layer.flag, idx))
        {
            return false;
        }
        let (from, to) = (corners(layer.last_valid, idx), corners(x, idx));
        let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
        form.nearest(to).distance() <= form.reach(way) && advance(form, from, to).is_some()
    };
    sim.par.each(first.len(), |i| {
        let start = first[i] as usize;
        let mut next = start;
        if spare[i] > 6.0 * moved {
            for place in start..start + nears[i] as usize {
                if gap[place] <= 6.0 * moved && fails(near[place] as usize, gap[place]) {
                    // SAFETY: each batch writes its own rows; `next` is never ahead of `place`.
                    unsafe { rows.set(next, near[place]) };
                    next += 1;
                }
            }
        } else {
            for row in start..start + listed[i] as usize {
                let (_, reach) = ways_of(layer, Form::of(form[row]), idx[row]);
                if fails(row, clear[row] - lost - reach) {
                    // SAFETY: as above.
                    unsafe { rows.set(next, row as u32) };
                    next += 1;
                }
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
    for corner in idx.mapped(|corner| corner as usize) {
        let way = xyz(particle.position[corner]) - xyz(layer.last_valid[corner]);
        if particle.position[corner][3] > 0.0 {
            sum += way * particle.mass[corner];
            mass += particle.mass[corner];
        } else {
            held += way;
            holders += 1.0;
        }
    }
    let way = if holders > 0.0 { held / holders } else { sum / mass };
    for corner in idx.mapped(|corner| corner as usize) {
        let w = particle.position[corner][3];
        if w > 0.0 {
            particle.position[corner] = (xyz(layer.last_valid[corner]) + way).extend(w).to_array();
        }
    }
}
