//! Distance rows as springs: their stiffness, their part of the matrix worked out once and used many times.

use sim_api::{Mapped, Par};

use super::Elastic;
use crate::{
    constraints::distance::Spring,
    lanes::{Kernel, Lanes, Point, Rows, V3},
    normals::xyz,
    state::Distance,
};

/// The table, with the stiffness that the solver gave it.
pub struct Springs<'a> {
    /// [m]
    pub rest: &'a [f32],
    /// [N/m]
    pub stiffness: &'a [f32],
}

impl Elastic<2> for Springs<'_> {
    type Row<L: Lanes> = Spring<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<2>) -> Spring<L> {
        Spring { rest: rows.load(self.rest), k: rows.load(self.stiffness) }
    }
}

/// Stiffness over mass that positions can show [1/s2]: the weight of its own particle stretches such a row by 5e-8 m, what a
/// position of 1 m is rounded by.
///
/// Steps are short, and then m/h² is large: at 6,000 steps a second a row of 1e4 m/h² under its own weight is 3e-11 m longer
/// than at rest. Positions do not have that, so the forces were those of their rounding: a hanging chain of 20 such rows swung
/// 30 times as far after 10 s (`tests/tests/topics/short_steps.rs`). Softer ones stretch no more than can be seen.
pub const SHOWN: f32 = 2e8;

/// A limit on the stiffness of rows, in units of m/h², that positions can show.
pub fn shown(stiffest: f32, h: f32) -> f32 {
    stiffest.min(SHOWN * h * h)
}

/// Fills `distance.spring_rest` and `distance.stiffness` [N/m]: 1/compliance, but at most `stiffest` m/h², m the mass of
/// the lighter end. [`held_back`] counts the rows that this softens.
///
/// `stiffest` is dimensionless, `h` [s].
pub fn limit_stiffness(par: &Par, distance: &mut Distance, position: &[[f32; 4]], stiffest: f32, h: f32) {
    let (idx, compliance) = (distance.idx, distance.compliance);
    let given = distance.rest;
    par.rows2(distance.stiffness, distance.spring_rest, |start, stiffness, rest| {
        for (row, (k, rest)) in (start..).zip(stiffness.iter_mut().zip(rest)) {
            let limit = limit(idx[row], position, stiffest, h);
            // Between two pins there is nothing to pull on.
            *k = if limit.is_finite() { (1.0 / compliance[row]).min(limit) } else { 0.0 };
            *rest = given[row];
        }
    });
}

/// How many rows are stiffer than a solver bears: 1/compliance above `stiffest` m/h², m the mass of the lighter end.
pub fn held_back(par: &Par, distance: &Distance, position: &[[f32; 4]], stiffest: f32, h: f32) -> usize {
    let (idx, compliance) = (distance.idx, distance.compliance);
    let held = |row: &usize| {
        let limit = limit(idx[*row], position, stiffest, h);
        limit.is_finite() && 1.0 / compliance[*row] > limit
    };
    par.sum(compliance.len(), |range| range.filter(held).count() as f64) as usize
}

/// Adds the dampers to what [`limit_stiffness`] filled, for one implicit step of 1/`per_h` seconds.
///
/// A damper's force over the step is damping (l - l0) / h, l0 the length at its start: a spring of stiffness damping / h
/// and rest length l0. Two springs beside each other are one: of the sum of their stiffnesses, and of the mean of their
/// rest lengths by stiffness. So the damper's force follows the row as it turns, and its Jacobian costs nothing.
pub fn add_dampers(par: &Par, distance: &mut Distance, previous: &[[f32; 4]], per_h: f32) {
    let (idx, damping) = (distance.idx, distance.damping);
    par.rows2(distance.stiffness, distance.spring_rest, |start, stiffness, rest| {
        for (row, (k, rest)) in (start..).zip(stiffness.iter_mut().zip(rest)) {
            let [a, b] = idx[row].mapped(|particle| xyz(previous[particle as usize]));
            let (spring, damper) = (*k, damping[row] * per_h);
            *k = spring + damper;
            *rest = (spring * *rest + damper * a.distance(b)) / k.max(f32::MIN_POSITIVE);
        }
    });
}

/// Stiffest row between two particles [N/m]; infinite between two pins.
fn limit(ends: [u32; 2], position: &[[f32; 4]], stiffest: f32, h: f32) -> f32 {
    let [a, b] = ends.mapped(|particle| position[particle as usize][3]);
    stiffest / (h * h * a.max(b))
}

/// Fills `distance.hessian` at these positions: xyz = sqrt(k - across) times the direction, w = across [N/m], the
/// stiffness across the spring, which is cut off where it would be negative.
pub fn linearise(par: &Par, distance: &mut Distance, position: &[[f32; 4]], least: f32) {
    let (idx, rest, stiffness) = (distance.idx, &*distance.spring_rest, &*distance.stiffness);
    par.rows(distance.hessian, |start, hessian| {
        for (row, hessian) in (start..).zip(hessian) {
            let [a, b] = idx[row].mapped(|particle| xyz(position[particle as usize]));
            let d = b - a;
            let l = (d.x * d.x + d.y * d.y + d.z * d.z + 1e-20).sqrt();
            let k = stiffness[row];
            let across = k * (1.0 - rest[row] / l).max(least);
            *hessian = (d * ((k - across).sqrt() / l)).extend(across).to_array();
        }
    });
}

/// Fills `distance.force` with the tension of springs and dampers at these positions [N].
pub fn write_tension(par: &Par, distance: &mut Distance, position: &[[f32; 4]]) {
    let springs = Springs { rest: distance.spring_rest, stiffness: distance.stiffness };
    tension(par, distance.idx, &springs, position, distance.force);
}

/// Fills `force` with the tension of springs at these positions [N].
pub fn tension(par: &Par, idx: &[[u32; 2]], springs: &Springs, position: &[[f32; 4]], force: &mut [f32]) {
    par.rows(force, |start, force| {
        for (row, tension) in (start..).zip(force) {
            let [a, b] = idx[row].mapped(|particle| xyz(position[particle as usize]));
            *tension = springs.stiffness[row] * (a.distance(b) - springs.rest[row]);
        }
    });
}

/// The linearised springs times a change `d` of the positions.
pub(super) struct SpringProduct<'a> {
    pub hessian: &'a [[f32; 4]],
    pub d: &'a [[f32; 4]],
}

impl Kernel<2> for SpringProduct<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, _: [Point<L>; 2]) -> [V3<L>; 2] {
        let [x, y, z, across] = rows.load4::<L>(self.hessian);
        let along = V3 { x, y, z };
        let change = rows.fetch::<L>(self.d, 1).x - rows.fetch::<L>(self.d, 0).x;
        let force = change * across + along * along.dot(change);
        [-force, force]
    }
}

/// The linearised springs' blocks, the same at both ends.
pub(super) struct SpringBlocks<'a> {
    pub hessian: &'a [[f32; 4]],
    pub off: bool,
}

impl Kernel<2> for SpringBlocks<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, _: [Point<L>; 2]) -> [V3<L>; 2] {
        let [x, y, z, across] = rows.load4::<L>(self.hessian);
        let block = if self.off {
            V3 { x: y * z, y: z * x, z: x * y }
        } else {
            V3 { x: x * x + across, y: y * y + across, z: z * z + across }
        };
        [block, block]
    }
}
