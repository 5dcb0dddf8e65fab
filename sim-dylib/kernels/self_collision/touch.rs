//! Rows that touch: which pairs are, and where what the projection knows of them goes.

use glam::Vec3;
use sim_api::{Mapped, SharedMut};

use super::{
    advance::{Form, Hit, advance},
    corners,
    row::{Columns, Corners, Eight, Made, made},
    slabs,
};
use crate::{
    lanes::{Point, V3},
    state::Layer,
};

/// Share of its distance by which a near pair may change before it is looked at again. Rows are written from twice as far
/// on, so that none comes late.
pub(super) const KEPT: f32 = 0.01;

/// What is softer than this share does not count.
const SOFTEST: f32 = 0.01;

/// The columns `pair.touch_*`.
pub(super) struct Touch<'a> {
    pub corners: SharedMut<'a, [u32; 4]>,
    pub normal: SharedMut<'a, [f32; 4]>,
    pub weight: SharedMut<'a, [f32; 4]>,
    pub share: SharedMut<'a, [f32; 4]>,
    pub give: SharedMut<'a, [f32; 4]>,
    pub least: SharedMut<'a, [f32; 4]>,
    pub taken: SharedMut<'a, f32>,
    pub class: SharedMut<'a, u32>,
}

/// A pair of the list that is near, the `k`th of eight.
#[derive(Clone, Copy)]
pub(super) struct Close {
    pub form: Form,
    pub idx: [u32; 4],
    /// Distance that it keeps [m].
    pub limit: f32,
    /// Its relative way in the substep is at most this [m].
    pub reach: f32,
    pub k: usize,
}

/// The substep in hand.
#[derive(Clone, Copy)]
pub(super) struct Step<'a, 'b> {
    pub columns: Columns<'a>,
    pub layer: &'a Layer<'b>,
    /// Its length [s].
    pub h: f32,
}

impl Touch<'_> {
    /// Writes a row if the pair touches, or passes through on its way; returns whether it does.
    ///
    /// # Safety
    /// No other job uses `row`.
    #[inline(always)]
    pub(super) unsafe fn write(&self, row: usize, pair: Close, eight: &Eight, step: Step) -> bool {
        let Close { form, idx, limit, reach, k } = pair;
        let (distance, counted) = (eight.distance[k], limit * (1.0 + 2.0 * KEPT));
        // SAFETY (both): vouched for by the caller.
        if distance <= reach
            && let Some(hit) = passes(form, idx, distance, step.columns)
        {
            return unsafe { self.write_hit(row, pair, hit, distance, step) };
        }
        let touches =
            distance < counted && distance > 0.0 && eight.stiffness[k] >= SOFTEST && eight.sum[k] > 0.0;
        if touches {
            let [x, y, z, _] = eight.normal[k];
            unsafe {
                self.normal.set(row, [x, y, z, limit]);
                self.weight.set(row, eight.weight[k]);
                self.share.set(row, eight.share[k]);
                self.give.set(row, eight.give[k]);
                self.set(row, idx, eight.least[k], step.layer);
            }
        }
        touches
    }

    /// Writes a row of a pair that passes through: it is held on the side where it came from.
    ///
    /// # Safety
    /// As for [`Touch::write`].
    #[inline(never)]
    unsafe fn write_hit(&self, row: usize, pair: Close, hit: Hit, distance: f32, step: Step) -> bool {
        let (Close { idx, limit, .. }, Step { columns, layer, h }) = (pair, step);
        let (way, weight) = (three(hit.nearest.way), hit.nearest.weight);
        let length = hit.nearest.distance();
        let point = |column: &[[f32; 4]], i: u32| {
            let [x, y, z, w] = column[i as usize];
            Point { x: V3 { x, y, z }, w }
        };
        let none = Point { x: V3::zero(), w: 0.0 };
        let corners = Corners {
            now: idx.mapped(|i| point(columns.now, i)),
            before: idx.mapped(|i| point(columns.before, i).x),
            contact: idx.mapped(|i| columns.contact.map_or(none, |contact| point(contact, i))),
        };
        let Made { normal, share, sum, give, least } =
            made(&corners, (way, weight), length.min(distance), (limit, 1.0), h);
        if length <= 0.0 || sum <= 0.0 {
            return false;
        }
        // SAFETY: vouched for by the caller.
        unsafe {
            self.normal.set(row, [normal.x, normal.y, normal.z, limit]);
            self.weight.set(row, weight);
            self.share.set(row, share);
            self.give.set(row, give);
            self.set(row, idx, least, layer);
        }
        true
    }

    /// # Safety
    /// As for [`Touch::write`].
    #[inline(always)]
    unsafe fn set(&self, row: usize, idx: [u32; 4], least: f32, layer: &Layer) {
        let [still, sliding] = friction(layer, idx);
        // SAFETY: vouched for by the caller.
        unsafe {
            self.corners.set(row, idx);
            self.least.set(row, [least, still, sliding, 0.0]);
            self.taken.set(row, 0.0);
            self.class.set(row, slabs::class(layer.slab, idx));
        }
    }
}

/// Where a pair that ends `distance` [m] apart passes through on its way, if it does.
#[inline(never)]
fn passes(form: Form, idx: [u32; 4], distance: f32, columns: Columns) -> Option<Hit> {
    let (from, to) = (corners(columns.before, idx), corners(columns.now, idx));
    let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
    if distance <= form.reach(way) { advance(form, from, to) } else { None }
}

fn three(x: Vec3) -> V3<f32> {
    V3::new(x.x, x.y, x.z)
}

/// Coefficients of friction, static and dynamic.
#[inline(always)]
fn friction(layer: &Layer, [a, _, _, d]: [u32; 4]) -> [f32; 2] {
    // Corners 0 and 3 belong to different primitives in both forms.
    let mean = |column: &[f32]| 0.5 * (column[a as usize] + column[d as usize]);
    [mean(layer.friction_static), mean(layer.friction_dynamic)]
}
