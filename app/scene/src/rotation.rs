//! Rotations from angles in degrees, with the same bits on every platform.
//!
//! Only + - * / and sqrt: the system's `sin` differs between platforms, and scenes must not.

use glam::Quat;

use super::Vec3;

/// Sine and cosine of an angle [degrees]; exact at multiples of 90.
pub fn sin_cos(degrees: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos_wide(f64::from(degrees));
    (sin as f32, cos as f32)
}

/// As [`sin_cos`] in f64. Angles that are not finite give those of 0.
pub fn sin_cos_wide(degrees: f64) -> (f64, f64) {
    let turn = degrees % 360.0;
    if !turn.is_finite() {
        return (0.0, 1.0);
    }
    let quarter = (turn / 90.0).round();
    let x = (turn - 90.0 * quarter) * (std::f64::consts::PI / 180.0);
    let square = x * x;
    // Taylor up to x^15: below 1e-16 for |x| <= pi/4.
    let (mut sin, mut cos) = (0.0, 0.0);
    for k in (0..8_u32).rev() {
        let (even, odd) = (f64::from(2 * k + 1), f64::from(2 * k + 2));
        sin = 1.0 - sin * square / (odd * (odd + 1.0));
        cos = 1.0 - cos * square / (even * (even + 1.0));
    }
    sin *= x;
    match (quarter as i32).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Rotation about x, then y, then z [degrees], world axes.
pub fn euler(degrees: Vec3) -> Quat {
    let half = degrees.map(|angle| sin_cos_wide(f64::from(angle) * 0.5));
    let x = [half[0].0, 0.0, 0.0, half[0].1];
    let y = [0.0, half[1].0, 0.0, half[1].1];
    let z = [0.0, 0.0, half[2].0, half[2].1];
    narrow(multiply(z, multiply(y, x)))
}

/// Rotation about an axis of any length [degrees]; the identity for a zero axis.
pub fn about(axis: Vec3, degrees: f32) -> Quat {
    let wide = axis.map(f64::from);
    let length = (wide[0] * wide[0] + wide[1] * wide[1] + wide[2] * wide[2]).sqrt();
    if length.is_nan() || length <= 0.0 {
        return Quat::IDENTITY;
    }
    let (sin, cos) = sin_cos_wide(f64::from(degrees) * 0.5);
    let scale = sin / length;
    narrow([wide[0] * scale, wide[1] * scale, wide[2] * scale, cos])
}

/// `b` first, then `a`.
pub fn compose(a: Quat, b: Quat) -> Quat {
    narrow(multiply(a.to_array().map(f64::from), b.to_array().map(f64::from)))
}

/// A vector turned by a unit quaternion.
pub fn rotate(q: Quat, v: Vec3) -> Vec3 {
    let [x, y, z, w] = q.to_array().map(f64::from);
    let v = v.map(f64::from);
    let t = [2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])];
    [
        (v[0] + w * t[0] + (y * t[2] - z * t[1])) as f32,
        (v[1] + w * t[1] + (z * t[0] - x * t[2])) as f32,
        (v[2] + w * t[2] + (x * t[1] - y * t[0])) as f32,
    ]
}

fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

fn narrow(q: [f64; 4]) -> Quat {
    Quat::from_xyzw(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32)
}

#[cfg(test)]
mod tests {
    use super::{euler, rotate, sin_cos};
    use glam::Vec3;

    #[test]
    fn sines_match_the_system() {
        for tenth in -7200..7200 {
            let degrees = tenth as f32 * 0.1;
            let (sin, cos) = sin_cos(degrees);
            let (s, c) = f64::from(degrees).to_radians().sin_cos();
            assert!((f64::from(sin) - s).abs() < 1e-7 && (f64::from(cos) - c).abs() < 1e-7, "{degrees}");
        }
        assert_eq!(sin_cos(90.0), (1.0, 0.0));
        assert_eq!(sin_cos(-180.0).1, -1.0);
        assert_eq!(sin_cos(f32::NAN), (0.0, 1.0));
    }

    #[test]
    fn x_is_applied_first() {
        let turned = Vec3::from(rotate(euler([90.0, 90.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!((turned - Vec3::X).length() < 1e-6, "{turned}");
        let q = glam::Quat::from_euler(glam::EulerRot::ZYX, 0.9, 0.5, -1.2);
        let degrees = [(-1.2_f32).to_degrees(), 0.5_f32.to_degrees(), 0.9_f32.to_degrees()];
        assert!(
            (Vec3::from(rotate(euler(degrees), [1.0, 2.0, 3.0])) - q * Vec3::new(1.0, 2.0, 3.0)).length()
                < 1e-5
        );
    }
}
