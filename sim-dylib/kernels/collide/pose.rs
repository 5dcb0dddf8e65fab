//! Place and rotation of a collider. Written out by component: the same bits on every platform.

use glam::Vec3;
use sim_api::{Mapped, array_of};

#[derive(Clone, Copy)]
pub(crate) struct Pose {
    /// [m], world space.
    pub position: Vec3,
    /// Unit quaternion x y z w.
    pub rotation: [f32; 4],
}

impl Pose {
    #[inline]
    pub(crate) fn rotate(&self, v: Vec3) -> Vec3 {
        rotate(self.rotation, v)
    }

    #[inline]
    pub(crate) fn to_local(self, point: Vec3) -> Vec3 {
        let [x, y, z, w] = self.rotation;
        rotate([-x, -y, -z, w], point - self.position)
    }

    #[inline]
    pub(crate) fn to_world(self, point: Vec3) -> Vec3 {
        rotate(self.rotation, point) + self.position
    }

    /// The rotation after turning by a small angle about an axis, world space [rad]: q + q' for q' = (angle, 0) q / 2,
    /// made a unit again.
    pub(crate) fn turned(&self, angle: Vec3) -> [f32; 4] {
        let [x, y, z, w] = self.rotation;
        let (v, half) = (Vec3::new(x, y, z), angle * 0.5);
        let turned = v + half * w + half.cross(v);
        let real = w - half.dot(v);
        let length = (turned.length_squared() + real * real).sqrt();
        [turned.x / length, turned.y / length, turned.z / length, real / length]
    }

    /// No less than the angle to another rotation [rad]. Between unit quaternions lies 2 sin(angle/4), and
    /// asin(s) <= s pi/2.
    pub(crate) fn turn(&self, other: &Self) -> f32 {
        let (a, b) = (self.rotation, other.rotation);
        let (mut minus, mut plus) = (0.0, 0.0);
        for i in 0..4 {
            minus += (a[i] - b[i]) * (a[i] - b[i]);
            plus += (a[i] + b[i]) * (a[i] + b[i]);
        }
        let shorter: f32 = if minus < plus { minus } else { plus };
        std::f32::consts::PI * shorter.sqrt()
    }
}

/// v + 2 w (q x v) + 2 q x (q x v)
#[inline]
fn rotate([x, y, z, w]: [f32; 4], v: Vec3) -> Vec3 {
    let q = Vec3::new(x, y, z);
    let t = q.cross(v) * 2.0;
    v + t * w + q.cross(t)
}

/// Normalised linear interpolation, the short way round.
pub(super) fn blend(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let q: [f32; 4] = array_of(|i| a[i] + (b[i] * sign - a[i]) * share);
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    if length > 0.0 { q.mapped(|c| c / length) } else { a }
}
