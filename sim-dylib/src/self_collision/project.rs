//! The rows that touch, one after another: C = n · (sum of weight x) - keep >= 0 by position based dynamics.
//!
//! What a pair came closer in this substep is taken back by an impulse: it changes the velocity, as every projection does,
//! and Coulomb friction may take back up to mu of it along the sheets (Macklin et al.: Unified Particle Physics, 2014,
//! eq. 24). What the pair was too close already is made up for by a push that moves `previous` and `inertial` along and
//! so adds no speed, as in `collide.rs`; but for the little that sheets which lie on each other are pressed together,
//! and that carries a pile from one substep to the next: without it the sweeps would start from nothing each time, and
//! the pile would sink as fast as it is pushed up.
//!
//! Normals and weights stand for the substep; what touches on the way through keeps the side that it came from.

use glam::Vec3;

use super::{batches, corners, distance::weighted};
use crate::{
    normals::xyz,
    state::{Pair, Particle, State},
    substep::Sim,
};

/// Cosine beyond which a particle on a collider does not give way to cloth that presses it in.
const HELD: f32 = 0.7;

/// Speed apart that the push may add [m/s].
const REST: f32 = 0.2;

/// Goes over all rows `sweeps` times, there and back.
pub fn project(sim: &mut Sim, sweeps: usize) {
    let colliders = !sim.state.collider.kind.is_empty();
    let State { particle, batch, pair, .. } = &mut sim.state;
    let (count, rest) = (batch.first.len(), REST * sim.h);
    for sweep in 0..sweeps {
        let mut changed = false;
        for place in 0..count {
            let i = if sweep % 2 == 0 { place } else { count - 1 - place };
            let rows = batches::touching(batch, i);
            for place in 0..rows.len() {
                let row = if sweep % 2 == 0 { rows.start + place } else { rows.end - 1 - place };
                changed |= Row::of(pair, row).project(particle, colliders, rest);
            }
        }
        if !changed {
            break;
        }
    }
}

struct Row {
    idx: [u32; 4],
    normal: Vec3,
    weight: [f32; 4],
    keep: f32,
    friction: [f32; 2],
}

impl Row {
    #[inline(always)]
    fn of(pair: &Pair, row: usize) -> Self {
        let [x, y, z, keep] = pair.touch_normal[row];
        Self {
            idx: pair.touch[row],
            normal: Vec3::new(x, y, z),
            weight: pair.touch_weight[row],
            keep,
            friction: pair.touch_friction[row],
        }
    }

    /// `rest` [m] of the depth may add speed. Returns whether it moved anything.
    #[inline(always)]
    fn project(&self, particle: &mut Particle, colliders: bool, rest: f32) -> bool {
        let Self { idx, normal, weight, keep, friction } = self;
        let now = corners(particle.position, *idx);
        let depth = keep - normal.dot(weighted(now, *weight));
        if depth <= 0.0 {
            return false;
        }
        let (mut inverse_mass, mut sum) = ([0.0; 4], 0.0);
        for corner in 0..4 {
            let i = idx[corner] as usize;
            let mut w = particle.position[i][3];
            if colliders && particle.contact[i][3] > 0.0 {
                // The collider bears it.
                let pressed = normal.dot(xyz(particle.contact[i])) * weight[corner];
                if pressed < -HELD * weight[corner].abs() {
                    w = 0.0;
                }
            }
            inverse_mass[corner] = w;
            sum += weight[corner] * weight[corner] * w;
        }
        if sum <= 0.0 {
            return false;
        }
        let from = corners(particle.previous, *idx);
        let way = [now[0] - from[0], now[1] - from[1], now[2] - from[2], now[3] - from[3]];
        let way = weighted(way, *weight);
        let along = normal.dot(way);
        let impulse = depth.min((rest - along).max(0.0));
        let slip = way - *normal * along;
        let length = slip.length();
        let taken =
            if length <= friction[0] * impulse { 1.0 } else { (friction[1] * impulse / length).min(1.0) };
        let change = (*normal * depth - slip * taken) / sum;
        let push = *normal * ((depth - impulse) / sum);
        for corner in 0..4 {
            let (i, share) = (idx[corner] as usize, weight[corner] * inverse_mass[corner]);
            add(&mut particle.position[i], change * share);
            if depth > impulse {
                add(&mut particle.previous[i], push * share);
                add(&mut particle.inertial[i], push * share);
            }
        }
        true
    }
}

/// row += way
#[inline(always)]
pub fn add(row: &mut [f32; 4], way: Vec3) {
    row[0] += way.x;
    row[1] += way.y;
    row[2] += way.z;
}
