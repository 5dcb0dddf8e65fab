//! Products of rows of three numbers.

use sim_api::Mapped;

/// Of xyz, in double precision.
#[inline(always)]
pub(super) fn dot(a: [f32; 4], b: [f32; 4]) -> f64 {
    let [x, y, z] = [0, 1, 2].mapped(|i| f64::from(a[i]) * f64::from(b[i]));
    x + y + z
}
