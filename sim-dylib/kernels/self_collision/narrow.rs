//! The pairs of one batch in the narrow phase.

use std::ops::Range;

use sim_api::SharedMut;

use super::{
    advance::Form,
    detect::ways_of,
    row::{Columns, Eight},
    touch::{Close, KEPT, Step, Touch},
    untangle,
};
use crate::{
    lanes::EIGHT,
    state::{Layer, Particle},
};

/// Times its distance that a pair is apart which is not near.
const FAR: f32 = 1.0 + 2.0 * KEPT;

/// What was found among the pairs of a batch, as in its columns.
pub(super) struct Found {
    pub touching: u32,
    pub near: u32,
    pub spare: f32,
}

pub(super) struct Narrow<'a, 'b> {
    /// Substep [s].
    pub h: f32,
    /// What a pair may have come closer since the last detection at most, and its longest relative way in the substep [m].
    pub nearer: f32,
    pub furthest: f32,
    /// `self_stats.lost`
    pub lost: f32,
    /// Cloth crosses cloth somewhere.
    pub tangled: bool,
    pub particle: &'a Particle<'b>,
    pub colliders: bool,
    pub layer: &'a Layer<'b>,
    pub idx: &'a [[u32; 4]],
    pub form: &'a [u32],
    pub limit: &'a [f32],
    pub clear: SharedMut<'a, f32>,
    pub near: SharedMut<'a, u32>,
    pub looked: SharedMut<'a, f32>,
    pub gap: SharedMut<'a, f32>,
    pub touch: Touch<'a>,
}

impl Narrow<'_, '_> {
    /// Whether rows that touch may stay as they are: then the `spare` of the batch. Also the first row of which it is not yet
    /// known how much closer it came since the last detection.
    ///
    /// # Safety
    /// No other job uses these rows.
    pub(super) unsafe fn keep(&self, rows: Range<usize>, nears: usize) -> (Option<f32>, usize) {
        let (mut place, end, mut spare) = (rows.start, rows.start + nears, f32::INFINITY);
        for row in rows.clone() {
            // SAFETY (all below): vouched for by the caller.
            let is_near = place < end && unsafe { self.near.get(place) } as usize == row;
            let (least, limit) = (unsafe { self.clear.get(row) } - self.lost, self.limit[row]);
            if !is_near && least - limit * FAR > self.furthest {
                spare = spare.min(least - self.furthest);
                continue;
            }
            let (come, reach) = ways_of(self.layer, Form::of(self.form[row]), self.idx[row]);
            let least = least + self.nearer - come;
            let stays = if is_near {
                least > reach && unsafe { self.looked.get(place) } - least <= KEPT * limit
            } else {
                least - limit * FAR > reach
            };
            if !stays {
                return (None, row);
            }
            unsafe { self.clear.set(row, least + self.lost) };
            if is_near {
                unsafe { self.gap.set(place, least - reach) };
                place += 1;
            } else {
                spare = spare.min(least - reach);
            }
        }
        (Some(spare), rows.end)
    }

    /// Looks at all rows of a batch that may be near. Those before `known` have `clear` of this substep.
    ///
    /// # Safety
    /// No other job uses these rows.
    pub(super) unsafe fn look(&self, rows: Range<usize>, known: usize) -> Found {
        let mut places = Places { near: rows.start, touching: rows.start };
        let (start, mut spare, mut waiting) = (rows.start, f32::INFINITY, Waiting::NONE);
        for row in rows {
            // SAFETY (all below): vouched for by the caller.
            let (least, limit) = (unsafe { self.clear.get(row) } - self.lost, self.limit[row]);
            if least - limit * FAR > self.furthest {
                spare = spare.min(least - self.furthest);
                continue;
            }
            let (form, idx) = (Form::of(self.form[row]), self.idx[row]);
            let (come, reach) = ways_of(self.layer, form, idx);
            let least = if row < known { least } else { least + self.nearer - come };
            if least - limit * FAR > reach {
                spare = spare.min(least - reach);
                unsafe { self.clear.set(row, least + self.lost) };
                continue;
            }
            if self.tangled && untangle::lets_go(self.layer.flag, idx) {
                unsafe { self.clear.set(row, self.lost) };
                continue;
            }
            if waiting.count == EIGHT || waiting.form != form {
                unsafe { self.look_at(&waiting, &mut places) };
                (waiting.form, waiting.count) = (form, 0);
            }
            let k = waiting.count;
            (waiting.row[k], waiting.idx[k]) = (row, idx);
            (waiting.limit[k], waiting.reach[k]) = (limit, reach);
            waiting.count += 1;
        }
        // SAFETY: vouched for by the caller.
        unsafe { self.look_at(&waiting, &mut places) };
        Found { touching: (places.touching - start) as u32, near: (places.near - start) as u32, spare }
    }

    /// # Safety
    /// As for [`Narrow::look`].
    #[inline(never)]
    unsafe fn look_at(&self, waiting: &Waiting, places: &mut Places) {
        let Waiting { form, ref row, ref idx, ref limit, ref reach, count } = *waiting;
        let columns = Columns::of(self.particle, self.colliders, self.layer);
        let step = Step { columns, layer: self.layer, h: self.h };
        let eight = Eight::of(form, columns, idx, limit, self.h);
        for k in 0..count {
            let distance = eight.distance[k];
            let pair = Close { form, idx: idx[k], limit: limit[k], reach: reach[k], k };
            // SAFETY: vouched for by the caller; no place is ahead of the row.
            let touches = unsafe {
                self.clear.set(row[k], distance + self.lost);
                self.near.set(places.near, row[k] as u32);
                self.looked.set(places.near, distance);
                self.gap.set(places.near, distance - reach[k]);
                self.touch.write(places.touching, pair, &eight, step)
            };
            places.near += 1;
            places.touching += usize::from(touches);
        }
    }
}

/// Where the next row that is near goes, and the next that touches.
struct Places {
    near: usize,
    touching: usize,
}

/// Pairs of one form that may be near, until there are eight.
struct Waiting {
    form: Form,
    row: [usize; EIGHT],
    idx: [[u32; 4]; EIGHT],
    limit: [f32; EIGHT],
    reach: [f32; EIGHT],
    count: usize,
}

impl Waiting {
    const NONE: Self = Self {
        form: Form::PointTriangle,
        row: [0; EIGHT],
        idx: [[0; 4]; EIGHT],
        limit: [0.0; EIGHT],
        reach: [0.0; EIGHT],
        count: 0,
    };
}
