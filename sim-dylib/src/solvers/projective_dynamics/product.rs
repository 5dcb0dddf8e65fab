//! Products of rows of three numbers.

/// Of xyz, in double precision.
#[inline(always)]
pub(super) fn dot(a: [f32; 4], b: [f32; 4]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| f64::from(a[i]) * f64::from(b[i]));
    x + y + z
}
