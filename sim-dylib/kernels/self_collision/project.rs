//! The rows that touch: C = n · (sum of weight x) - limit >= 0 as a damped spring, by XPBD (Macklin, Müller, Chentanez 2016,
//! eq. 26).
//!
//! Cloth gives way to cloth: the spring is as stiff as to be pressed by a hundredth of its distance by a sheet that lies on
//! it, whatever the sheet weighs, and damped critically. It pushes only. What it moves changes the velocity, as every
//! projection does, and Coulomb friction may take back up to mu of it along the sheets (Macklin et al.: Unified Particle
//! Physics, 2014, eq. 24).
//!
//! Below half of its distance a pair gives way no more: what it came closer in this substep is taken back whole, and the
//! rest is made up for by a push that moves `previous` and `inertial` along and so adds no speed, as in `collide.rs`.
//!
//! Normals and weights stand for the substep; what touches on the way through keeps the side that it came from.

use glam::{Vec3, Vec4};
use sim_api::SharedMut;

use super::slabs::{Classes, MOST, PHASES};
use crate::{lanes::Real, sim::Sim, state::State};

/// A sheet on another presses it by this share of its distance, under [`GRAVITY`].
const GIVE: f32 = 0.01;
/// [m/s2]
const GRAVITY: f32 = 9.81;
/// Damping of a pair's distance as a share of the critical one.
const DAMPING: f32 = 1.0;
/// Sweeps go on as long as a row was moved by more than this share of its distance.
const STILL: f32 = 0.005;

/// How a pair gives way: compliance and damping by the sum of inverse masses (alpha~ and gamma of XPBD). `limit` [m] is its
/// distance, `h` [s] the substep.
#[inline(always)]
pub(super) fn give<R: Real>(limit: R, h: f32) -> [R; 2] {
    let compliance = limit * R::from_f32(GIVE / (GRAVITY * h * h));
    [compliance, R::from_f32(2.0 * DAMPING) * compliance.sqrt()]
}

/// Goes over all rows up to `sweeps` times, there and back.
pub(super) fn project(sim: &mut Sim, sweeps: usize) {
    let State { particle, batch, pair, .. } = &mut sim.state;
    let classes = Classes::sort(batch, pair);
    let rows = Rows {
        position: SharedMut::new(particle.position),
        previous: SharedMut::new(particle.previous),
        inertial: SharedMut::new(particle.inertial),
        idx: pair.touch,
        normal: pair.touch_normal,
        weight: pair.touch_weight,
        share: pair.touch_share,
        give: pair.contact_softness,
        least: pair.touch_least,
        taken: SharedMut::new(pair.contact_lambda),
    };
    let order = &*pair.touch_order;
    for sweep in 0..sweeps {
        let back = sweep % 2 == 1;
        let mut changed = false;
        for place in 0..PHASES.len() {
            let [first, step, count] = PHASES[if back { PHASES.len() - 1 - place } else { place }];
            let mut moved = [false; MOST];
            let shared = SharedMut::new(&mut moved);
            sim.par.each(count, |k| {
                let places = classes.rows(first + k * step);
                let mut any = false;
                for place in 0..places.len() {
                    let at = if back { places.end - 1 - place } else { places.start + place };
                    // SAFETY: rows of other classes of this phase have other particles.
                    any |= unsafe { rows.project(order[at] as usize) };
                }
                // SAFETY: each class writes its own place.
                unsafe { shared.set(k, any) };
            });
            changed |= moved.contains(&true);
        }
        if !changed {
            break;
        }
    }
}

/// The rows that touch, and what they move.
struct Rows<'a> {
    position: SharedMut<'a, [f32; 4]>,
    previous: SharedMut<'a, [f32; 4]>,
    inertial: SharedMut<'a, [f32; 4]>,
    idx: &'a [[u32; 4]],
    normal: &'a [[f32; 4]],
    weight: &'a [[f32; 4]],
    share: &'a [[f32; 4]],
    give: &'a [[f32; 4]],
    least: &'a [[f32; 4]],
    /// What each row took back so far in this substep [m].
    taken: SharedMut<'a, f32>,
}

impl Rows<'_> {
    /// Returns whether it moved anything as far as counts.
    ///
    /// # Safety
    /// No other job uses the particles of this row.
    #[inline(always)]
    unsafe fn project(&self, row: usize) -> bool {
        let (idx, weight) = (self.idx[row], self.weight[row]);
        let plane = Vec4::from_array(self.normal[row]);
        let (normal, keep) = (plane.truncate(), plane.w);
        // SAFETY (both): vouched for by the caller.
        let (position, taken) = unsafe { (gather(&self.position, idx), self.taken.get(row)) };
        let apart = normal.dot(between(position, weight));
        let depth = keep - apart;
        if depth <= 0.0 && taken <= 0.0 {
            return false;
        }
        let ([compliance, damping, soft, mass], share) = (self.give[row], self.share[row]);
        let [least, still, sliding, _] = self.least[row];
        // SAFETY: vouched for by the caller.
        let from = unsafe { gather(&self.previous, idx) };
        let mut ways = [Vec4::ZERO; 4];
        for corner in 0..4 {
            ways[corner] = position[corner] - from[corner];
        }
        let way = between(ways, weight);
        let along = normal.dot(way);
        // Equation 26 of XPBD, times the sum of inverse masses.
        let soft = ((depth - compliance * taken - damping * along) * soft).max(-taken);
        let out = least - apart;
        let (change, push) = if soft >= out {
            (soft, 0.0)
        } else {
            // Pressed through: what it came closer in this substep stops, the rest is a push.
            let stop = out.min(soft.max(-along)).max(0.0);
            (stop, out - stop)
        };
        let mut all = normal * (change + push);
        if change > 0.0 {
            let slip = way - normal * along;
            let length = slip.length();
            let grip = if length <= still * change { 1.0 } else { (sliding * change / length).min(1.0) };
            all -= slip * grip;
        }
        let (all, push) = ((all * mass).extend(0.0), push * mass);
        for corner in 0..4 {
            let i = idx[corner] as usize;
            // SAFETY (all below): vouched for by the caller; a row is in one class.
            unsafe { self.position.set(i, (position[corner] + all * share[corner]).to_array()) };
            if push > 0.0 {
                let push = (normal * (push * share[corner])).extend(0.0);
                unsafe {
                    self.previous.set(i, (from[corner] + push).to_array());
                    self.inertial.set(i, (Vec4::from_array(self.inertial.get(i)) + push).to_array());
                }
            }
        }
        unsafe { self.taken.set(row, taken + change) };
        change.abs() > STILL * keep
    }
}

/// # Safety
/// No other job uses these rows.
#[inline(always)]
unsafe fn gather(column: &SharedMut<[f32; 4]>, idx: [u32; 4]) -> [Vec4; 4] {
    // SAFETY: vouched for by the caller.
    unsafe {
        [
            Vec4::from_array(column.get(idx[0] as usize)),
            Vec4::from_array(column.get(idx[1] as usize)),
            Vec4::from_array(column.get(idx[2] as usize)),
            Vec4::from_array(column.get(idx[3] as usize)),
        ]
    }
}

/// `distance::between` of whole rows: four numbers at once, of which three count.
#[inline(always)]
fn between(x: [Vec4; 4], weight: [f32; 4]) -> Vec3 {
    ((x[1] - x[0]) * weight[1] + (x[2] - x[0]) * weight[2] + (x[3] - x[0]) * weight[3]).truncate()
}

/// row += way
#[inline(always)]
pub(super) fn add(row: &mut [f32; 4], way: Vec3) {
    let [x, y, z, w] = *row;
    *row = [x + way.x, y + way.y, z + way.z, w];
}
