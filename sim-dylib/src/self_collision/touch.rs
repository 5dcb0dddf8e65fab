//! Rows that touch: which pairs are, and what the projection knows of them.

use glam::Vec3;
use sim_api::SharedMut;

use super::{
    advance::{Form, advance},
    corners,
    distance::{Nearest, weighted},
    project, slabs,
};
use crate::{
    normals::xyz,
    state::{Layer, Particle},
};

/// Share of its distance by which a near pair may change before it is looked at again. Rows are written from twice as far
/// on, so that none comes late.
pub const KEPT: f32 = 0.01;

/// Share of its distance by which a pair that gives way no more is pushed apart in a substep: all at once would tear at
/// the threads.
const PUSH: f32 = 0.1;

/// Share of its distance below which a pair gives way no more.
const LEAST: f32 = 0.5;

/// Cosine beyond which a particle on a collider does not give way to cloth that presses it in.
const HELD: f32 = 0.7;

/// Two edges fade out where their nearest points come closer to an end than this share of the edge.
const RIM: f32 = 0.1;
/// And where the square of the sine between them is less than this.
const PARALLEL: f32 = 0.01;
/// What is softer than this share does not count.
const SOFTEST: f32 = 0.01;

/// The columns `pair.touch_*`.
pub struct Touch<'a> {
    pub corners: SharedMut<'a, [u32; 4]>,
    pub normal: SharedMut<'a, [f32; 4]>,
    pub weight: SharedMut<'a, [f32; 4]>,
    pub share: SharedMut<'a, [f32; 4]>,
    pub give: SharedMut<'a, [f32; 4]>,
    pub least: SharedMut<'a, [f32; 4]>,
    pub taken: SharedMut<'a, f32>,
    pub class: SharedMut<'a, u32>,
}

/// A pair of the list that is near.
pub struct Close {
    pub form: Form,
    pub idx: [u32; 4],
    /// Distance that it keeps [m].
    pub limit: f32,
    /// Where its points are nearest at the end of the substep, and how far apart [m].
    pub end: Nearest,
    pub distance: f32,
    /// Its relative way in the substep is at most this [m].
    pub reach: f32,
}

impl Touch<'_> {
    /// Writes a row if the pair touches, or passes through on its way; returns whether it does. `h` [s] is the substep.
    ///
    /// # Safety
    /// No other job uses `row`.
    pub unsafe fn write(
        &self,
        row: usize,
        pair: &Close,
        (particle, colliders): (&Particle, bool),
        layer: &Layer,
        h: f32,
    ) -> bool {
        let Close { form, idx, limit, end, distance, reach } = *pair;
        let counted = limit * (1.0 + 2.0 * KEPT);
        if distance > counted.max(reach) {
            return false;
        }
        let (from, to) = (corners(layer.sound, idx), corners(particle.position, idx));
        let fast = distance <= reach && {
            let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
            distance <= form.reach(way)
        };
        let hit = if fast { advance(form, from, to) } else { None };
        let nearest = hit.map_or(end, |hit| hit.nearest);
        let stiffness =
            if hit.is_some() || form == Form::PointTriangle { 1.0 } else { crossing(to, end.weight) };
        let length = nearest.distance();
        if (hit.is_none() && distance >= counted) || stiffness < SOFTEST || length <= 0.0 {
            return false;
        }
        let (along, weight) = (nearest.way / length, nearest.weight);
        let share = shares(particle, colliders, idx, weight, along);
        let sum = weight[0] * share[0] + weight[1] * share[1] + weight[2] * share[2] + weight[3] * share[3];
        if sum <= 0.0 {
            return false;
        }
        let start = along.dot(weighted(from, weight)).max(length.min(distance));
        let least = (LEAST * limit).min(start + PUSH * limit);
        let [still, sliding] = friction(layer, idx);
        // SAFETY: vouched for by the caller.
        unsafe {
            self.corners.set(row, idx);
            self.normal.set(row, along.extend(limit).to_array());
            self.weight.set(row, weight);
            self.share.set(row, share);
            self.give.set(row, project::give(limit, h, sum, stiffness));
            self.least.set(row, [least, still, sliding, 0.0]);
            self.taken.set(row, 0.0);
            self.class.set(row, slabs::class(layer.slab, idx));
        }
        true
    }
}

/// How much of two edges' stiffness counts, 0 to 1. Where an end is nearest, vertex and triangle say the same, and where edges
/// are parallel their nearest points jump from end to end: the row fades out before either, for a row that comes and goes
/// would never let a pile rest (the second as in Li et al.: Incremental Potential Contact, 2020, section 5.2).
#[inline(always)]
fn crossing(x: [Vec3; 4], weight: [f32; 4]) -> f32 {
    let (first, second) = (x[1] - x[0], x[3] - x[2]);
    let across = first.cross(second).length_squared();
    let sine2 = across / (first.length_squared() * second.length_squared()).max(f32::MIN_POSITIVE);
    let rim = weight[0].abs().min(weight[1].abs()).min(weight[2].abs().min(weight[3].abs()));
    (rim / RIM).min(1.0) * (sine2 / PARALLEL).min(1.0)
}

/// Weight x inverse mass of the corners; 0 of a particle that the pair presses into a collider, which bears it.
#[inline(always)]
fn shares(particle: &Particle, colliders: bool, idx: [u32; 4], weight: [f32; 4], normal: Vec3) -> [f32; 4] {
    let mut share = [0.0; 4];
    for corner in 0..4 {
        let i = idx[corner] as usize;
        let held = colliders && particle.contact[i][3] > 0.0 && {
            let pressed = normal.dot(xyz(particle.contact[i])) * weight[corner];
            pressed < -HELD * weight[corner].abs()
        };
        share[corner] = if held { 0.0 } else { weight[corner] * particle.position[i][3] };
    }
    share
}

/// Coefficients of friction, static and dynamic.
#[inline(always)]
fn friction(layer: &Layer, [a, _, _, d]: [u32; 4]) -> [f32; 2] {
    // Corners 0 and 3 belong to different primitives in both forms.
    let mean = |column: &[f32]| 0.5 * (column[a as usize] + column[d as usize]);
    [mean(layer.friction_static), mean(layer.friction_dynamic)]
}
