//! The narrow phase: the pairs of the list that are too close at the end of the substep, or pass through on the way.
//!
//! Most pairs of the list are neither, and most of them show it without being looked at: a pair is at least as far apart
//! as when it was looked at last, less what its corners may have lost since. `self_stats.lost` adds up what the fastest may
//! have lost, for all pairs; where that is not enough, the corners of the pair say it.
//!
//! Rows that touch are kept as they are, normals and weights with them, as long as no pair of their batch has come closer
//! or gone apart by more than a hundredth of its distance: sheets that lie still cost little, and their contacts do not flicker.

use sim_api::SharedMut;

use super::{advance::Form, narrow::Narrow, pairs::mean_way, touch::Touch};
use crate::{
    normals::xyz,
    sim::Sim,
    state::{Layer, State},
};

/// Fills the rows that touch: `pair.touch_*`, `batch.touching`; those that are near: `pair.near`, `pair.gap`, `batch.near`;
/// and `batch.spare` for all others.
pub(super) fn detect(sim: &mut Sim) {
    let (nearer, furthest) = ways(sim);
    sim.self_stats.lost += nearer;
    let tangled = sim.self_stats.crossings > 0;
    let keeps = !std::mem::replace(&mut sim.self_stats.fresh, false) && !tangled;
    let State { particle, collider, layer, batch, pair, .. } = &mut sim.state;
    let touch = Touch {
        corners: SharedMut::new(pair.touch),
        normal: SharedMut::new(pair.touch_normal),
        weight: SharedMut::new(pair.touch_weight),
        share: SharedMut::new(pair.touch_share),
        give: SharedMut::new(pair.contact_softness),
        least: SharedMut::new(pair.touch_least),
        taken: SharedMut::new(pair.contact_lambda),
        class: SharedMut::new(pair.touch_class),
    };
    let narrow = Narrow {
        h: sim.h,
        nearer,
        furthest,
        lost: sim.self_stats.lost,
        tangled,
        particle,
        colliders: !collider.kind.is_empty(),
        layer,
        idx: pair.corners,
        form: pair.form,
        limit: pair.limit,
        clear: SharedMut::new(pair.clear),
        near: SharedMut::new(pair.near),
        looked: SharedMut::new(pair.looked),
        gap: SharedMut::new(pair.gap),
        touch,
    };
    let (touching, nears) = (SharedMut::new(batch.touching), SharedMut::new(batch.near));
    let spare = SharedMut::new(batch.spare);
    let (first, listed) = (&*batch.first, &*batch.listed);
    sim.par.each(first.len(), |i| {
        let rows = first[i] as usize..(first[i] + listed[i]) as usize;
        // SAFETY: each batch reads and writes its own row, and its own part of the list.
        unsafe {
            let (kept, known) =
                if keeps { narrow.keep(rows.clone(), nears.get(i) as usize) } else { (None, rows.start) };
            if let Some(least) = kept {
                spare.set(i, least);
                narrow.touch.taken.rows_mut(rows.start..rows.start + touching.get(i) as usize).fill(0.0);
            } else {
                let found = narrow.look(rows, known);
                touching.set(i, found.touching);
                nears.set(i, found.near);
                spare.set(i, found.spare);
            }
        }
    });
    sim.self_stats.touching = batch.touching.iter().sum();
}

/// Fills `layer.displacement` and moves `layer.position_at_narrow_phase` on. Returns how much closer a pair may have come since it was looked at, and the
/// longest relative way of one in this substep [m].
fn ways(sim: &mut Sim) -> (f32, f32) {
    /// Parts of the particles.
    const PARTS: usize = 64;
    let (x, layer) = (&*sim.state.particle.position, &mut sim.state.layer);
    let (since, now) =
        (mean_way(&sim.par, x, layer.position_at_narrow_phase), mean_way(&sim.par, x, layer.last_valid));
    let (sound, met, way) = (
        &*layer.last_valid,
        SharedMut::new(layer.position_at_narrow_phase),
        SharedMut::new(layer.displacement),
    );
    let mut most = [[0.0_f32; 2]; PARTS];
    let shared = SharedMut::new(&mut most);
    sim.par.each(PARTS, |part| {
        let mut longest = [0.0_f32; 2];
        for i in part * x.len() / PARTS..(part + 1) * x.len() / PARTS {
            let at = xyz(x[i]);
            // SAFETY: each part reads and writes its own particles.
            let ways = unsafe {
                let ways = [(at - xyz(met.get(i)) - since).length(), (at - xyz(sound[i]) - now).length()];
                met.set(i, x[i]);
                way.set(i, ways);
                ways
            };
            longest = [longest[0].max(ways[0]), longest[1].max(ways[1])];
        }
        // SAFETY: each part writes its own place.
        unsafe { shared.set(part, longest) };
    });
    let [mut nearer, mut furthest] = [0.0_f32; 2];
    for part in &most {
        (nearer, furthest) = (nearer.max(part[0]), furthest.max(part[1]));
    }
    (2.0 * nearer, 4.0 * furthest)
}

/// How much closer a pair may have come since the last detection, and the most that its relative way in this substep may
/// be (`Form::reach`) [m].
#[inline(always)]
pub(super) fn ways_of(layer: &Layer, form: Form, idx: [u32; 4]) -> (f32, f32) {
    let way = &*layer.displacement;
    let [a, b, c, d] =
        [way[idx[0] as usize], way[idx[1] as usize], way[idx[2] as usize], way[idx[3] as usize]];
    let come = form.most([a[0], b[0], c[0], d[0]]);
    let reach = form.most([a[1], b[1], c[1], d[1]]) + 0.5 * (a[1] + b[1] + c[1] + d[1]);
    (come, reach)
}
