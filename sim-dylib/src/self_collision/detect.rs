//! The narrow phase: the pairs of the list that are too close at the end of the substep, or pass through on the way.

use sim_api::SharedMut;

use super::{
    advance::{Form, advance},
    batches, corners,
    distance::weighted,
    pairs::{longest_way, mean_way},
    untangle,
};
use crate::{state::State, substep::Sim};

/// Share of its distance by which a pair that is too close is pushed apart in a substep: all at once would tear at the
/// threads.
const PUSH: f32 = 0.1;

/// Fills the rows that touch: `pair.touch_*`, `batch.touching`, and `pair.gap` of all.
pub fn detect(sim: &mut Sim) {
    let tangled = sim.tally.crossings > 0;
    let State { particle, layer, batch, pair, .. } = &mut sim.state;
    let (x, sound) = (&*particle.position, &*layer.sound);
    // What a pair may have come closer since it was looked at, and its longest relative way in this substep.
    let nearer = 2.0 * longest_way(&sim.par, x, layer.met, mean_way(&sim.par, x, layer.met));
    let furthest = 4.0 * longest_way(&sim.par, x, sound, mean_way(&sim.par, x, sound));
    let fresh = std::mem::replace(&mut sim.tally.fresh, false);
    layer.met.copy_from_slice(x);
    let clear = SharedMut::new(pair.clear);
    let flag = &*layer.flag;
    let (idx, form, limit) = (&*pair.corners, &*pair.form, &*pair.limit);
    let gap = SharedMut::new(pair.gap);
    let (touch, normal) = (SharedMut::new(pair.touch), SharedMut::new(pair.touch_normal));
    let (weight, bound) = (SharedMut::new(pair.touch_weight), SharedMut::new(pair.touch_friction));
    let touching = SharedMut::new(&mut *batch.touching);
    let (first, listed) = (&*batch.first, &*batch.listed);
    let friction = |column: &[f32], [a, _, _, d]: [u32; 4]| 0.5 * (column[a as usize] + column[d as usize]);
    sim.par.each(first.len(), |i| {
        let start = first[i] as usize;
        let mut next = start;
        for row in start..start + listed[i] as usize {
            let (form, idx, limit) = (Form::of(form[row]), idx[row], limit[row]);
            if tangled && untangle::lets_go(flag, idx) {
                // SAFETY: each batch writes its own rows.
                unsafe {
                    clear.set(row, 0.0);
                    gap.set(row, f32::INFINITY);
                }
                continue;
            }
            if !fresh {
                // SAFETY: each batch reads and writes its own rows.
                let least = unsafe { clear.get(row) } - nearer;
                if least > limit.max(furthest) {
                    // SAFETY: as above.
                    unsafe {
                        clear.set(row, least);
                        gap.set(row, least - furthest);
                    }
                    continue;
                }
            }
            let (from, to) = (corners(sound, idx), corners(x, idx));
            let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
            let reach = form.reach(way);
            let end = form.nearest(to);
            let distance = end.distance();
            // SAFETY: each batch writes its own rows.
            unsafe {
                clear.set(row, distance);
                gap.set(row, distance - reach);
            }
            if distance > limit.max(reach) {
                continue;
            }
            let hit = if distance <= reach { advance(form, from, to) } else { None };
            let nearest = hit.map_or(end, |hit| hit.nearest);
            // Where an edge's end is nearest, vertex and triangle say the same.
            let counts = hit.is_some() || (distance < limit && (form == Form::PointTriangle || end.inside));
            let length = nearest.distance();
            if !counts || length <= 0.0 {
                continue;
            }
            let along = nearest.way / length;
            let start = along.dot(weighted(from, nearest.weight)).max(length.min(distance));
            let keep = limit.min(start + PUSH * limit);
            // SAFETY: as above; `next` is never ahead of `row`.
            unsafe {
                touch.set(next, idx);
                normal.set(next, along.extend(keep).to_array());
                weight.set(next, nearest.weight);
                let [still, sliding] = [layer.friction_static, layer.friction_dynamic];
                bound.set(next, [friction(still, idx), friction(sliding, idx)]);
            }
            next += 1;
        }
        // SAFETY: each batch writes its own row.
        unsafe { touching.set(i, (next - start) as u32) };
    });
    let rows = (0..batch.first.len()).map(|i| batches::touching(batch, i).len());
    sim.tally.touching = rows.sum::<usize>() as u32;
}
