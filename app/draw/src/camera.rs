//! An orbit camera: looks at a target from a distance. Pure mathematics.

use glam::camera::rh;
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles as _};
use weft_core::ray::Ray;

use super::{Ground, Solid};

/// Just short of straight up or down, where "up" would be lost [rad].
const PITCH_LIMIT: f32 = 1.55;
const DISTANCE_RANGE: (f32, f32) = (0.02, 500.0);
/// Radians per pixel of drag.
const ORBIT_SPEED: f32 = 0.006;
/// Distance factor of one notch of the wheel.
const ZOOM_STEP: f32 = 0.88;

/// Looks from `eye()` at `target`, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// [m]
    pub target: Vec3,
    /// From the eye to the target [m].
    pub distance: f32,
    /// Around y [rad]; 0 looks along −z.
    pub yaw: f32,
    /// Height of the eye above the target [rad], −π/2..π/2.
    pub pitch: f32,
    /// Vertical field of view [rad].
    pub fov_y: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::new(0.0, 0.5, 0.0), distance: 3.0, yaw: 0.6, pitch: 0.35, fov_y: 0.7 }
    }
}

impl Camera {
    /// The same camera seen from a point [m].
    pub fn about(self, origin: Vec3) -> Self {
        Self { target: self.target - origin, ..self }
    }

    /// Its position [m].
    pub fn eye(self) -> Vec3 {
        self.target + self.backward() * self.distance
    }

    /// Unit vector from the target to the eye.
    fn backward(self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vec3::new(cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw)
    }

    /// Unit vectors to the right and up in the picture.
    pub fn right_up(self) -> (Vec3, Vec3) {
        let right = Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        (right, self.backward().cross(right))
    }

    /// Distance of the near plane [m]: close enough never to cut what the eye may touch.
    pub fn near(self) -> f32 {
        (self.distance * 0.02).clamp(0.002, 0.1)
    }

    /// Height of a pixel [m] at this distance [m], in a picture of so many of them.
    pub fn pixel_height(self, distance: f32, height: i32) -> f32 {
        2.0 * distance * (0.5 * self.fov_y).tan() / height.max(1) as f32
    }

    pub fn view_from_world(self) -> Mat4 {
        rh::view::look_at_mat4(self.eye(), self.target, Vec3::Y)
    }

    /// OpenGL clip space, z from −1 to 1. `aspect` = width / height.
    pub fn clip_from_world(self, aspect: f32) -> Mat4 {
        let far = 200.0 + 40.0 * self.distance;
        rh::proj::opengl::perspective(self.fov_y, aspect.max(1e-3), self.near(), far) * self.view_from_world()
    }

    /// Wide enough for a narrow picture: what `least` times as wide as high shows to the sides is in the picture.
    pub fn fitted(self, aspect: f32, least: f32) -> Self {
        let wider = (least / aspect.max(0.05)).max(1.0);
        Self { fov_y: 2.0 * ((0.5 * self.fov_y).tan() * wider).atan(), ..self }
    }

    /// Turns with a drag of (dx, dy) pixels, y down.
    pub fn orbit(&mut self, dx: f32, dy: f32) {
        self.yaw = (self.yaw - dx * ORBIT_SPEED).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + dy * ORBIT_SPEED).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    }

    /// Moves the target so that it stays under the pointer; `height` is that of the picture [pixels].
    pub fn pan(&mut self, dx: f32, dy: f32, height: f32) {
        let metres_per_pixel = 2.0 * self.distance * (self.fov_y * 0.5).tan() / height.max(1.0);
        let (right, up) = self.right_up();
        self.target += (up * dy - right * dx) * metres_per_pixel;
    }

    /// Comes closer (`notches` > 0) or goes away by a factor for each notch.
    pub fn zoom(&mut self, notches: f32) {
        let factor = ZOOM_STEP.powf(notches.clamp(-20.0, 20.0));
        self.distance = (self.distance * factor).clamp(DISTANCE_RANGE.0, DISTANCE_RANGE.1);
    }

    /// The ray through a pixel; (0, 0) is the top left corner of a picture of `width` × `height`.
    pub fn ray(self, x: f32, y: f32, width: f32, height: f32) -> Ray {
        let (right, up) = self.right_up();
        let half = (self.fov_y * 0.5).tan();
        let across = (2.0 * x / width.max(1.0) - 1.0) * half * width / height.max(1.0);
        let upward = (1.0 - 2.0 * y / height.max(1.0)) * half;
        Ray { origin: self.eye(), direction: (right * across + up * upward - self.backward()).normalize() }
    }

    /// The pixel that shows `point`, or `None` behind the eye. The inverse of `ray`.
    pub fn pixel(self, point: Vec3, width: f32, height: f32) -> Option<(f32, f32)> {
        let clip = self.clip_from_world(width / height.max(1.0)) * Vec4::from((point, 1.0));
        let ndc = clip.xy() / clip.w;
        (clip.w > 0.0).then_some(((ndc.x * 0.5 + 0.5) * width, (0.5 - ndc.y * 0.5) * height))
    }

    /// Moves the eye out of solids and above the ground: up by pitch if that is enough, else away from the target.
    pub fn keep_clear(&mut self, solids: &[Solid], ground: Option<Ground>) {
        let margin = 2.0 * self.near();
        if let Some(ground) = ground {
            let floor = ground.height + margin;
            self.target.y = self.target.y.max(floor);
            let lowest = ((floor - self.target.y) / self.distance).clamp(-1.0, 1.0).asin();
            self.pitch = self.pitch.clamp(lowest, PITCH_LIMIT.max(lowest));
        }
        // Walking by the distance to the nearest surface never steps through one.
        for _ in 0..64 {
            let eye = self.eye();
            let clearance =
                |solid: &Solid| solid.shape.distance(solid.rotation.inverse() * (eye - solid.position));
            let nearest = solids.iter().map(clearance).fold(f32::INFINITY, f32::min);
            if nearest >= margin || self.distance >= DISTANCE_RANGE.1 {
                break;
            }
            self.distance += (margin - nearest).max(1e-4) * 1.01;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::super::Shape;
    use super::*;

    fn ball(radius: f32) -> Solid {
        Solid {
            shape: Shape::Sphere { radius },
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            color: [1.0; 3],
            scalp: None,
            highlighted: false,
        }
    }

    #[test]
    fn a_ray_goes_through_the_pixel_that_shows_the_point() {
        let camera = Camera { yaw: 2.1, pitch: -0.4, ..Default::default() };
        let ray = camera.ray(200.0, 500.0, 1280.0, 720.0);
        let (x, y) = camera.pixel(ray.at(2.0), 1280.0, 720.0).expect("in front of the eye");
        assert!((x - 200.0).abs() < 0.01 && (y - 500.0).abs() < 0.01, "{x} {y}");
        assert!(camera.pixel(ray.at(-2.0), 1280.0, 720.0).is_none());
    }

    #[test]
    fn pan_keeps_the_target_under_the_pointer() {
        let mut camera = Camera::default();
        let held = camera.target;
        camera.pan(40.0, -25.0, 720.0);
        let (x, y) = camera.pixel(held, 1280.0, 720.0).expect("in front of the eye");
        assert!((x - 680.0).abs() < 0.5 && (y - 335.0).abs() < 0.5, "{x} {y}");
    }

    #[test]
    fn the_eye_stays_out_of_a_ball_and_above_the_floor() {
        let mut camera = Camera { target: Vec3::ZERO, distance: 0.1, pitch: -0.5, ..Default::default() };
        camera.keep_clear(&[ball(1.0)], Some(Ground { height: -0.2, ..Default::default() }));
        assert!(camera.eye().length() > 1.0, "{camera:?}");
        camera.zoom(50.0);
        camera.orbit(0.0, -1e4);
        camera.keep_clear(&[], Some(Ground { height: -0.2, ..Default::default() }));
        assert!(camera.eye().y > -0.2, "{camera:?}");
    }
}
