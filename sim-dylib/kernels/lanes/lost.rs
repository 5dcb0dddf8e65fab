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
    /// As in [`of`].
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

/// What is lost of `way` where `here` became `there`; 0 farther out than `within`.
#[inline(always)]
pub fn of<R: Real>(way: V3<R>, here: V3<R>, there: V3<R>, within: f32) -> V3<R> {
    let far = there.x.abs().max(there.y.abs()).max(there.z.abs());
    (way - (there - here)).where_positive(R::from_f32(within) - far)
}
