//! Pins that move: particles that a cloth is turned, pulled and twisted by.

use glam::{Quat, Vec3 as Point};
use serde::{Deserialize, Serialize};

use super::{Pin, Vec3, rotation};

/// Particles that turn about an axis through the cloth's `at`, and go a way, from the start on, gently at both ends.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// The particles; held like those of the cloth's own `pins`.
    pub pins: Vec<Pin>,
    /// World space, any length above zero.
    #[serde(default = "default_axis")]
    pub axis: Vec3,
    /// Whole turns, counter-clockwise seen against the axis.
    #[serde(default)]
    pub turns: f32,
    /// Way in the same time [m], world space.
    #[serde(default)]
    pub shift: Vec3,
    /// How long it takes [s].
    #[serde(default = "default_seconds")]
    pub seconds: f32,
}

fn default_axis() -> Vec3 {
    [1.0, 0.0, 0.0]
}

fn default_seconds() -> f32 {
    8.0
}

impl Handle {
    /// Where a particle that starts at `start` is at `time` [s]; `at` is the cloth's.
    pub fn place(&self, at: Vec3, start: Point, time: f64) -> Point {
        let s = (time / f64::from(self.seconds)).clamp(0.0, 1.0) as f32;
        let share = s * s * (3.0 - 2.0 * s);
        // Whole turns are left out: the angle stays in the range of the sine.
        let turn = rotation::about(self.axis, (self.turns * share).fract() * 360.0);
        let at = Point::from(at);
        at + rotate(turn, start - at) + Point::from(self.shift) * share
    }
}

fn rotate(turn: Quat, way: Point) -> Point {
    Point::from(rotation::rotate(turn, way.to_array()))
}

#[cfg(test)]
mod tests {
    use super::Handle;
    use glam::Vec3;

    #[test]
    fn a_handle_turns_and_goes_its_way() {
        let axis = [2.0, 0.0, 0.0];
        let handle = Handle { pins: Vec::new(), axis, turns: 1.25, shift: [0.4, 0.0, 0.0], seconds: 5.0 };
        let start = Vec3::new(-1.0, 1.5, 0.0);
        let place = |time| handle.place([0.0, 1.0, 0.0], start, time);
        assert!((place(0.0) - start).length() < 1e-6);
        for time in [5.0, 9.0] {
            assert!((place(time) - Vec3::new(-0.6, 1.0, 0.5)).length() < 1e-5, "{}", place(time));
        }
        assert!(
            (place(2.5) - Vec3::new(-0.8, 1.0 - 0.5 * 0.5_f32.sqrt(), -0.5 * 0.5_f32.sqrt())).length() < 1e-5
        );
    }
}
