//! The pointer: it grabs with the left button, turns, cuts and pins with a key beside it, orbits with the right, pans with the middle.

use glam::{Quat, Vec2, Vec3};
use miniquad::{KeyCode, MouseButton, window};

use super::App;
use weft_core::ray::Ray;
use weft_draw::pick;
use weft_gpu::ReadbackScope;
use weft_session::Notice;

/// Radius of the patch that is picked up, as a share of the picture's height at the cloth.
const GRAB_SHARE: f32 = 0.03;
/// Turn of a collider that the hand turns [radians a pixel].
const TURN: f32 = 0.01;

#[derive(Default)]
pub(super) enum Drag {
    #[default]
    None,
    Orbit,
    Pan,
    /// A patch of cloth at this depth along the view [m].
    Cloth(f32),
    /// Scissors, with the place that they have cut to [pixels of the view].
    Cut(Vec2),
    Collider {
        /// Place in the scene's list.
        index: usize,
        depth: f32,
        /// Where the pointer's ray met the view plane last [m].
        last: Vec3,
    },
    /// A collider that is turned, by its place in the scene's list, and where the pointer was last [pixels].
    Turn(usize, Vec2),
}

#[derive(Default)]
pub(super) struct Pointer {
    /// [pixels]
    pub(super) at: (f32, f32),
    pub(super) drag: Drag,
    /// The collider under the pointer.
    pub over_collider: Option<usize>,
    pub keys: Vec<KeyCode>,
}

impl Pointer {
    pub(super) fn hold(&mut self, key: KeyCode) {
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
    }

    /// The collider that is dragged.
    pub(super) fn collider(&self) -> Option<usize> {
        match self.drag {
            Drag::Collider { index, .. } | Drag::Turn(index, _) => Some(index),
            _ => None,
        }
    }
}

impl App {
    pub(super) fn pointer_moved(&mut self, x: f32, y: f32) {
        let (dx, dy) = (x - self.pointer.at.0, y - self.pointer.at.1);
        self.pointer.at = (x, y);
        match self.pointer.drag {
            Drag::Orbit => self.camera.orbit(dx, dy),
            Drag::Pan => self.camera.pan(dx, dy, window::screen_size().1),
            _ => {}
        }
    }

    pub(super) fn press(&mut self, button: MouseButton, x: f32, y: f32) {
        self.pointer.at = (x, y);
        self.pointer.drag = match button {
            MouseButton::Right => Drag::Orbit,
            MouseButton::Middle => Drag::Pan,
            MouseButton::Left if self.pointer.keys.contains(&KeyCode::X) => {
                let (x, y, _, _) = self.in_view(x, y);
                Drag::Cut(Vec2::new(x, y))
            }
            MouseButton::Left if self.held([KeyCode::LeftShift, KeyCode::RightShift]) => {
                self.toggle_pin(x, y);
                Drag::None
            }
            MouseButton::Left if self.held([KeyCode::LeftControl, KeyCode::RightControl]) => {
                // What is in front of it, such as its hair, is not in the way.
                let collider = self.collider_at(self.ray_at(x, y));
                collider.map_or(Drag::None, |index| Drag::Turn(index, Vec2::new(x, y)))
            }
            _ => self.pick_up(x, y),
        };
    }

    /// Whether one of these keys is held.
    fn held(&self, keys: [KeyCode; 2]) -> bool {
        keys.iter().any(|key| self.pointer.keys.contains(key))
    }

    /// Through a place of the window [pixels], into the scene.
    fn ray_at(&self, x: f32, y: f32) -> Ray {
        let (x, y, width, height) = self.in_view(x, y);
        self.seen(width, height).ray(x, y, width, height)
    }

    /// The collider that a ray meets first, as if nothing else were there, by its place in the scene's list.
    fn collider_at(&self, ray: Ray) -> Option<usize> {
        pick::pick_solid(ray, self.view.shapes()).map(|hit| self.view.solids[hit.solid].0)
    }

    /// Pins the particle under the pointer, or lets it go.
    fn toggle_pin(&mut self, x: f32, y: f32) {
        let Some(particle) = self.nearest_particle(x, y) else { return };
        let done = self.session.toggle_pin(particle);
        self.notify(match done {
            Ok(what) => Notice::good("pin", what),
            Err(why) => Notice::bad("pin", why),
        });
    }

    /// Takes what is first under the pointer: a patch of cloth, a lock of hair or a collider.
    fn pick_up(&mut self, x: f32, y: f32) -> Drag {
        let (x, y, width, height) = self.in_view(x, y);
        let camera = self.seen(width, height);
        let ray = camera.ray(x, y, width, height);
        self.session.read(ReadbackScope::Positions);
        let (soft, solid) = (self.first_hit(ray), pick::pick_solid(ray, self.view.shapes()));
        let forward = (camera.target - camera.eye()).normalize_or(-Vec3::Z);
        match (soft, solid) {
            (Some((object, distance)), solid) if solid.is_none_or(|solid| distance <= solid.distance) => {
                let at = ray.at(distance);
                let depth = (at - ray.origin).dot(forward);
                let radius = GRAB_SHARE * 2.0 * depth * (camera.fov_y * 0.5).tan();
                self.session.grab(object, at, radius);
                Drag::Cloth(depth)
            }
            (_, Some(solid)) => {
                let (index, _) = self.view.solids[solid.solid];
                let at = ray.at(solid.distance);
                Drag::Collider { index, depth: (at - ray.origin).dot(forward), last: at }
            }
            _ => Drag::None,
        }
    }

    /// The particle that is nearest to what is seen there, as a row of its table.
    pub(super) fn nearest_particle(&mut self, x: f32, y: f32) -> Option<usize> {
        let ray = self.ray_at(x, y);
        self.session.read(ReadbackScope::All);
        let (object, distance) = self.first_hit(ray)?;
        let at = ray.at(distance);
        let particles = self.session.objects().get(object)?.particles.clone();
        let all = self.session.positions().get(particles.clone())?;
        let far = |x: &[f32; 4]| at.distance_squared(Vec3::new(x[0], x[1], x[2]));
        let found = all.iter().enumerate().min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
        Some(particles.start + found.0)
    }

    /// The cloth or the list of strands that a ray meets first, by its place among the objects, and how far away [m].
    fn first_hit(&self, ray: Ray) -> Option<(usize, f32)> {
        let cloths: Vec<_> = self.view.cloths(&self.session).collect();
        let strands: Vec<_> = self.view.strands(&self.session).collect();
        let cloth = pick::pick_cloth(ray, &cloths).map(|hit| (hit.cloth, hit.distance));
        let strand = pick::pick_strand(ray, &strands).map(|hit| (cloths.len() + hit.list, hit.distance));
        cloth.into_iter().chain(strand).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Once a frame: what is held follows the pointer in the plane that faces the camera.
    pub(super) fn drag(&mut self) {
        let (x, y, width, height) = self.in_view(self.pointer.at.0, self.pointer.at.1);
        let camera = self.seen(width, height);
        let ray = camera.ray(x, y, width, height);
        let forward = (camera.target - camera.eye()).normalize_or(-Vec3::Z);
        let on_plane = |depth: f32| ray.at(depth / ray.direction.dot(forward).max(1e-3));
        match &mut self.pointer.drag {
            Drag::Cloth(depth) => {
                self.session.move_grab(on_plane(*depth));
            }
            Drag::Collider { index, depth, last } => {
                let at = on_plane(*depth);
                self.session.drag_collider(*index, at - *last);
                *last = at;
            }
            Drag::Turn(index, last) => {
                // As a ball that is rolled: along with what of it is in front.
                let way = Vec2::from(self.pointer.at) - std::mem::replace(last, self.pointer.at.into());
                let (right, up) = camera.right_up();
                let turn = Quat::from_scaled_axis((up * way.x + right * way.y) * TURN);
                self.session.turn_collider(*index, turn);
            }
            Drag::Cut(last) => {
                let (from, to) = (std::mem::replace(last, Vec2::new(x, y)), Vec2::new(x, y));
                if from != to {
                    let cut =
                        self.session.cut(from, to, |at| camera.pixel(at, width, height).map(Vec2::from));
                    if let Err(why) = cut {
                        self.notify(Notice::bad("cut", why));
                    }
                }
            }
            Drag::None => {
                let over = self.collider_at(ray);
                self.pointer.over_collider = over.filter(|_| !self.ui.wants_pointer(self.panel.picture()));
            }
            Drag::Orbit | Drag::Pan => {}
        }
    }

    pub(super) fn let_go(&mut self, button: MouseButton) {
        let ends = match self.pointer.drag {
            Drag::Orbit => button == MouseButton::Right,
            Drag::Pan => button == MouseButton::Middle,
            Drag::None => false,
            Drag::Cloth(_) | Drag::Cut(_) | Drag::Collider { .. } | Drag::Turn(..) => {
                button == MouseButton::Left
            }
        };
        if ends {
            if matches!(self.pointer.drag, Drag::Cut(_)) {
                // The way since the last frame.
                self.drag();
            }
            self.session.release();
            self.pointer.drag = Drag::None;
        }
    }
}
