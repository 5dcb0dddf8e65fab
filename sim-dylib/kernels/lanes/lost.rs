//! What the last place of a position loses of the way that it should go.
//!
//! Iterations that converge, and all of very short substeps, ask for less than that place: without it they stand still, and what a
//! constraint lacks is drag. Kept and added to the next way (Kahan: Further Remarks on Reducing Truncation Errors, 1965) it moves the
//! position by one place now and then, and rightly in the mean. Constraints see positions without it.

use sim_api::SharedMut;

use super::{Real, V3};

/// A column of what is lost.
pub struct Lost<'a> {
    /// [m]; w is 0.
    pub rows: &'a mut [[f32; 4]],
    /// As in [`go`].
    pub within: f32,
}

impl<'a> Lost<'a> {
    /// In substeps of `h` seconds.
    pub fn new(rows: &'a mut [[f32; 4]], h: f32) -> Self {
        Self { rows, within: kept_within(h) }
    }
}

/// The same in a sweep.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub(super) rows: &'a SharedMut<'a, [f32; 4]>,
    pub(super) within: f32,
}

impl<'a> Shared<'a> {
    pub fn new(rows: &'a SharedMut<'a, [f32; 4]>, within: f32) -> Self {
        Self { rows, within }
    }
}

/// How far from the origin it is kept, along an axis [m]: farther out one place in a substep is a speed that is seen, and to add
/// up what constraints make of rounded positions would be noise (a cloth that falls freely 1,000 m up comes apart, V13).
#[inline(always)]
pub fn kept_within(h: f32) -> f32 {
    /// [m/s]
    const SEEN: f32 = 0.02;
    SEEN * h / f32::EPSILON
}

/// Where a position goes from `here` by `way` and what was `lost` before, and what is lost of both; 0 farther out than `within`.
#[inline(always)]
pub fn go<R: Real>(here: V3<R>, way: V3<R>, lost: V3<R>, within: f32) -> [V3<R>; 2] {
    let way = way + lost;
    let there = here + way;
    let far = there.x.abs().max(there.y.abs()).max(there.z.abs());
    [there, (way - (there - here)).where_positive(R::from_f32(within) - far)]
}

/// [`go`] of a row of positions and that of what is lost; w of the position stays.
#[inline(always)]
pub fn go_row(x: &mut [f32; 4], way: V3<f32>, lost: &mut [f32; 4], within: f32) {
    let [there, left] = go(V3::from_row(*x), way, V3::from_row(*lost), within);
    (*x, *lost) = ([there.x, there.y, there.z, x[3]], [left.x, left.y, left.z, 0.0]);
}
