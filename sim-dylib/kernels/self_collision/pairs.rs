//! The broad phase: which pairs may come within their distance before somebody leaves the room the list allows.
//!
//! The wider the margins, the longer a list stands and the longer it is. Where the table has no room for it they become
//! narrower, step by step, and once there is room again they go back.

use glam::Vec3;
use sim_api::{Par, SharedMut};

use super::{batches, search::Search, slabs, tree};
use crate::{normals::xyz, sim::Sim, state::State};

/// Substeps ahead that a particle's margin is made for, at most.
const AHEAD: f32 = 12.0;
/// Least margin, as a share of the thickness.
const SLACK: f32 = 0.1;
/// Most margin beyond the way of this substep, as a share of the thickness.
const MOST: f32 = 0.3;
/// Least share of the margins above.
const NARROWEST: f32 = 1.0 / 16.0;
/// How much narrower they become at a time.
const NARROWER: f32 = 0.7;
/// They become wider again where pairs fill less than this share of the room.
const EMPTY: f32 = 0.6;
/// Widest margin at all, in mean lengths of an edge: cloth that flies to pieces would meet all of itself. Who goes
/// further in a substep counts as too fast.
const WIDEST: f64 = 4.0;
/// The same with the narrowest margins.
const LAST: f64 = 0.25;

/// Mean way of all particles from `from` to where they are [m].
pub(super) fn mean_way(par: &Par, position: &[[f32; 4]], from: &[[f32; 4]]) -> Vec3 {
    let sums = par.sums(position.len(), |range| {
        let mut sum = [0.0_f64; 3];
        for i in range {
            for axis in 0..3 {
                sum[axis] += f64::from(position[i][axis] - from[i][axis]);
            }
        }
        sum
    });
    let per_particle = 1.0 / position.len() as f64;
    Vec3::new(
        (sums[0] * per_particle) as f32,
        (sums[1] * per_particle) as f32,
        (sums[2] * per_particle) as f32,
    )
}

/// Longest way of a particle from `from` to where it is, but for a way that all go together [m].
pub(super) fn longest_way(par: &Par, x: &[[f32; 4]], from: &[[f32; 4]], mean: Vec3) -> f32 {
    let mut most = [0.0_f32; 64];
    let parts = most.len();
    let shared = SharedMut::new(&mut most);
    par.each(parts, |part| {
        let (first, end) = (part * x.len() / parts, (part + 1) * x.len() / parts);
        let mut longest = 0.0_f32;
        for i in first..end {
            longest = longest.max((xyz(x[i]) - xyz(from[i]) - mean).length_squared());
        }
        // SAFETY: each part writes its own place.
        unsafe { shared.set(part, longest) };
    });
    most.iter().fold(0.0_f32, |longest, &part| longest.max(part)).sqrt()
}

/// Particles outside of their margins, but for the way that all go together: how many a new list would follow, and how
/// many are too fast for any.
pub(super) fn outside(sim: &Sim) -> [usize; 2] {
    let (x, layer, widest) = (&*sim.state.particle.position, &sim.state.layer, sim.self_stats.widest);
    let mean = mean_way(&sim.par, x, layer.position_at_broad_phase);
    let counts = sim.par.sums(x.len(), |range| {
        let mut counts = [0_u32; 2];
        for i in range {
            let (way, margin) = (
                xyz(x[i]) - xyz(layer.position_at_broad_phase[i]) - mean,
                layer.position_at_broad_phase[i][3],
            );
            if layer.thickness[i] > 0.0 && way.length_squared() > margin * margin {
                counts[usize::from(margin >= widest)] += 1;
            }
        }
        [f64::from(counts[0]), f64::from(counts[1])]
    });
    [counts[0] as usize, counts[1] as usize]
}

/// Lists all pairs anew, as they are at the start of the substep.
pub(super) fn list(sim: &mut Sim) {
    let ahead = ((1.0 - sim.span[0]) / (sim.span[1] - sim.span[0])).clamp(1.0, AHEAD);
    let edge = mean_edge(sim);
    // The column starts with zeros, and a damaged state may hold any number.
    let margins = sim.state.batch.margins.first().copied().filter(|&share| share > 0.0);
    let mut margins = margins.unwrap_or(1.0).min(1.0);
    let overflow = loop {
        let last = margins <= NARROWEST;
        sim.self_stats.widest = (if last { LAST } else { WIDEST } * edge) as f32;
        let [overflow, stopped] = fill(sim, ahead, margins);
        if overflow + stopped == 0 || last {
            break overflow + stopped;
        }
        // Far too many: the steps between would cost as much again.
        margins = if stopped > 0 { NARROWEST } else { (margins * NARROWER).max(NARROWEST) };
    };
    let filled = sim.self_stats.pairs as f32 / sim.state.pair.form.len().max(1) as f32;
    if let Some(row) = sim.state.batch.margins.first_mut() {
        *row = if filled < EMPTY { (margins / NARROWER).min(1.0) } else { margins };
    }
    let self_stats = &mut sim.self_stats;
    (self_stats.listed, self_stats.fresh, self_stats.lost) = (true, true, 0.0);
    self_stats.overflow = self_stats.overflow.max(overflow as u32);
    let layer = &mut sim.state.layer;
    layer.position_at_narrow_phase.copy_from_slice(layer.last_valid);
    slabs::assign(sim);
}

/// Mean length of an edge at the start of the scene [m].
fn mean_edge(sim: &Sim) -> f64 {
    let (ends, start) = (sim.state.edge.ends, sim.state.layer.start);
    let sum = sim.par.sum(ends.len(), |range| {
        let mut sum = 0.0_f64;
        for [a, b] in &ends[range] {
            sum += f64::from((xyz(start[*a as usize]) - xyz(start[*b as usize])).length());
        }
        sum
    });
    sum / ends.len().max(1) as f64
}

/// Returns the number of pairs that the list has no room for, and of batches that stopped before they had seen all.
fn fill(sim: &mut Sim, ahead: f32, margins: f32) -> [usize; 2] {
    give_room(sim, ahead, margins);
    let State { layer, face, edge, point, node, batch, pair, .. } = &mut sim.state;
    tree::refit(&sim.par, node, face, edge, point, layer);
    let room = pair.form.len();
    batches::share_out(batch, room);
    let search = Search { layer, face, edge, point, node };
    let mut found = search.fill(&sim.par, batch, pair);
    let fits = (0..batch.first.len())
        .all(|i| batch.first[i] as usize + batch.found[i] as usize <= batches::end(batch.first, i, room));
    let mut overflow = 0;
    if !fits {
        // Some batch has more than its part: each gets what it needs.
        overflow = batches::fit(batch, room);
        if overflow == 0 || margins <= NARROWEST {
            found = search.fill(&sim.par, batch, pair);
        }
    }
    sim.self_stats.broad_phases += 1;
    sim.self_stats.pairs = (found.pairs - overflow) as u32;
    [overflow, found.stopped]
}

/// Where each particle is, and how far it may go from there (w) while all go their mean way.
fn give_room(sim: &mut Sim, ahead: f32, margins: f32) {
    let widest = sim.self_stats.widest;
    let (x, layer) = (&*sim.state.particle.position, &mut sim.state.layer);
    let mean = mean_way(&sim.par, x, layer.last_valid);
    let (sound, thickness) = (&*layer.last_valid, layer.thickness);
    sim.par.rows(layer.position_at_broad_phase, |start, seen| {
        for (i, seen) in (start..).zip(seen) {
            let way = (xyz(x[i]) - xyz(sound[i]) - mean).length();
            let thickness = thickness[i];
            let more = ((way * (ahead - 1.0)).min(MOST * thickness) + SLACK * thickness) * margins;
            *seen = xyz(sound[i]).extend((way + more).min(widest)).to_array();
        }
    });
}
