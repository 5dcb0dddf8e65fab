//! Where a collider is at a time.
//!
//! A path is a piecewise cubic Hermite curve per axis with the slopes of Fritsch and Butland (1984):
//! it passes through every key with a continuous velocity, never overshoots, and two equal keys in a
//! row are a rest. A repeated path that ends where it starts is smooth across the seam.

use glam::{Quat, Vec3 as Point};

use super::collider::{Collider, Key, Motion, Pose};
use super::{Vec3, rotation};

impl Collider {
    /// Position [m] and rotation at `time` [s].
    pub fn pose(&self, time: f64) -> (Point, Quat) {
        self.motion.pose(self.at, self.rotation, time)
    }
}

impl Motion {
    /// Position [m] and rotation at `time` [s] of a collider written at `at` [m] and `rotation` [degrees].
    pub fn pose(&self, at: Vec3, rotation: Vec3, time: f64) -> (Point, Quat) {
        let still = rotation::euler(rotation);
        match self {
            Self::Still => (at.into(), still),
            Self::Oscillate { offset, period, delay } => {
                let turns = (time - f64::from(*delay)).max(0.0) / f64::from(*period);
                let turn = turns.fract() as f32 * 360.0;
                let share = 0.5 * (1.0 - rotation::sin_cos(turn).1);
                (Point::from(at) + Point::from(*offset) * share, still)
            }
            Self::Spin { axis, period } => {
                let turn = (time / f64::from(*period)).fract() as f32 * 360.0;
                (at.into(), rotation::compose(rotation::about(*axis, turn), still))
            }
            Self::Path { keys, repeat } => (Point::from(at) + along(keys, *repeat, time), still),
            Self::Keyframes { keys, repeat } => {
                let keys_of = |value: fn(&Pose) -> Vec3| -> Vec<Key> {
                    keys.iter().map(|key| Key(key.0, value(key))).collect()
                };
                let offset = along(&keys_of(|key| key.1), *repeat, time);
                let angles = along(&keys_of(|key| key.2), *repeat, time);
                let turn = rotation::euler(angles.to_array());
                (Point::from(at) + offset, rotation::compose(turn, still))
            }
        }
    }
}

/// Offset [m] along the keys at `time` [s]; zero without keys, the end keys outside their times.
fn along(keys: &[Key], repeat: bool, time: f64) -> Point {
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return Point::ZERO;
    };
    let length = last.0 - first.0;
    let start = f64::from(first.0);
    let round = if repeat && length > 0.0 && time > start {
        start + (time - start) % f64::from(length)
    } else {
        time
    };
    let time = round as f32;
    if time <= first.0 {
        return first.1.into();
    }
    let next = keys.partition_point(|key| key.0 <= time);
    let (Some(a), Some(b)) = (keys.get(next.wrapping_sub(1)), keys.get(next)) else {
        return last.1.into();
    };
    let seam = repeat && first.1 == last.1;
    let step = b.0 - a.0;
    let s = (time - a.0) / step;
    let (slope_a, slope_b) = (slope(keys, next - 1, seam), slope(keys, next, seam));
    let (a, b) = (Point::from(a.1), Point::from(b.1));
    let rise = s * s * (3.0 - 2.0 * s);
    a + (b - a) * rise + (slope_a * (s * (1.0 - s) * (1.0 - s)) - slope_b * (s * s * (1.0 - s))) * step
}

/// Velocity [m/s] at a key; zero at the ends of an open path.
fn slope(keys: &[Key], index: usize, seam: bool) -> Point {
    let chord = |a: usize| -> Option<(f32, Point)> {
        let (a, b) = (keys.get(a)?, keys.get(a + 1)?);
        let step = b.0 - a.0;
        Some((step, (Point::from(b.1) - Point::from(a.1)) / step))
    };
    let end = keys.len().saturating_sub(2);
    let before = if index > 0 {
        chord(index - 1)
    } else if seam {
        chord(end)
    } else {
        None
    };
    let after = chord(index).or(if seam { chord(0) } else { None });
    let (Some((h0, d0)), Some((h1, d1))) = (before, after) else {
        return Point::ZERO;
    };
    let blend = |d0: f32, d1: f32| {
        if d0 * d1 <= 0.0 {
            return 0.0;
        }
        let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
        (w0 + w1) / (w0 / d0 + w1 / d1)
    };
    Point::new(blend(d0.x, d1.x), blend(d0.y, d1.y), blend(d0.z, d1.z))
}

#[cfg(test)]
mod tests {
    use super::super::{Key, Motion, Pose};
    use glam::Vec3;

    #[test]
    fn paths_hit_keys_and_never_overshoot() {
        let keys = vec![
            Key(0.0, [0.0; 3]),
            Key(1.0, [2.0, 0.0, 0.0]),
            Key(1.5, [2.0, 0.0, 0.0]),
            Key(4.0, [0.0; 3]),
        ];
        let path = Motion::Path { keys: keys.clone(), repeat: true };
        for key in &keys[..3] {
            let (at, _) = path.pose([0.0; 3], [0.0; 3], key.0.into());
            assert!((at - Vec3::from(key.1)).length() < 1e-6);
        }
        for step in 0..1000 {
            let time = f64::from(step) * 0.01;
            let (a, _) = path.pose([0.0; 3], [0.0; 3], time);
            let (b, _) = path.pose([0.0; 3], [0.0; 3], time + 0.01);
            assert!((0.0..=2.0).contains(&a.x) && (a - b).length() < 0.05, "{time}");
        }
    }

    #[test]
    fn keyframes_move_and_turn() {
        let keys = vec![Pose(1.0, [0.0; 3], [0.0; 3]), Pose(2.0, [1.0, 0.0, 0.0], [0.0, 90.0, 0.0])];
        let motion = Motion::Keyframes { keys, repeat: false };
        let pose = |time| motion.pose([0.0, 5.0, 0.0], [0.0; 3], time);
        let (at, turn) = pose(1.5);
        assert!((at - Vec3::new(0.5, 5.0, 0.0)).length() < 1e-6);
        assert!((turn * Vec3::X - Vec3::new(0.5_f32.sqrt(), 0.0, -0.5_f32.sqrt())).length() < 1e-5);
        let (at, turn) = pose(9.0);
        assert!(
            (at - Vec3::new(1.0, 5.0, 0.0)).length() < 1e-6 && (turn * Vec3::X + Vec3::Z).length() < 1e-5
        );
    }

    #[test]
    fn oscillation_starts_at_rest_and_returns() {
        let motion = Motion::Oscillate { offset: [1.0, 0.0, 0.0], period: 4.0, delay: 1.0 };
        let x = |time| motion.pose([0.0; 3], [0.0; 3], time).0.x;
        assert_eq!((x(0.5), x(1.0), x(3.0), x(5.0)), (0.0, 0.0, 1.0, 0.0));
    }
}
