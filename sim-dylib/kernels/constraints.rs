//! Constraints and energies: pure functions of positions, inverse masses and a row's data. Solvers call them through
//! `lanes` (single precision, several rows at a time), the host's reference solution in double precision.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use crate::lanes::{Real, V3};

/// An elastic energy over N particles. `&self` is one row's data (or a lane of rows).
pub trait Energy<R: Real, const N: usize> {
    /// Energy at positions `x` [m]: [J].
    fn energy(&self, x: &[V3<R>; N]) -> R;

    /// dE/dx [N]; forces are its negative.
    fn gradient(&self, x: &[V3<R>; N]) -> [V3<R>; N];

    /// (d²E/dx²) d [N] for a change `d` [m], with what would make it negative (d·result < 0) cut off: what an
    /// implicit solver needs, so that its matrix stays positive definite.
    fn stiffness_times(&self, x: &[V3<R>; N], d: &[V3<R>; N]) -> [V3<R>; N];
}

pub mod attachment;
pub mod compliant;
pub mod contact;
pub mod distance;
pub mod hinge;
pub mod membrane;
pub mod quadratic_bend;
#[cfg(test)]
mod tests;
pub mod tether;
pub mod volume;

/// Shortest length that is divided by, squared [m2].
const TINY: f32 = 1e-20;

/// Length |d| [m], never 0.
#[inline(always)]
fn length<R: Real>(d: V3<R>) -> R {
    (d.dot(d) + R::from_f32(TINY)).sqrt()
}
