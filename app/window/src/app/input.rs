//! Mouse and keys: grab with the left button, orbit with the right, pan with the middle or WASDQE, zoom with the wheel.

use std::path::Path;

use glam::{Vec2, Vec3};
use miniquad::{KeyCode, KeyMods, MouseButton, window};

use super::App;
use crate::scenes;
use weft_core::ray::Ray;
use weft_draw::pick;
use weft_gpu::ReadbackScope;
use weft_session::Notice;

use crate::{
    ui::{Action, Tile},
    view,
};

/// Radius of the patch that is picked up, as a share of the picture's height at the cloth.
const GRAB_SHARE: f32 = 0.03;
/// Speed of WASDQE [pixels of drag a frame].
const KEY_PAN: f32 = 9.0;
/// Way of a collider that keys move [m a frame].
const KEY_WAY: f32 = 0.008;

#[derive(Default)]
enum Drag {
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
}

#[derive(Default)]
pub(super) struct Pointer {
    /// [pixels]
    at: (f32, f32),
    drag: Drag,
    /// The collider under the pointer.
    pub over_collider: Option<usize>,
    pub keys: Vec<KeyCode>,
}

impl Pointer {
    /// The collider that is dragged.
    pub(super) fn collider(&self) -> Option<usize> {
        match self.drag {
            Drag::Collider { index, .. } => Some(index),
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
            MouseButton::Left if self.shift() => {
                self.toggle_pin(x, y);
                Drag::None
            }
            _ => self.pick_up(x, y),
        };
    }

    fn shift(&self) -> bool {
        [KeyCode::LeftShift, KeyCode::RightShift].iter().any(|key| self.pointer.keys.contains(key))
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

    /// Takes the last edit of the panel back, or does it again.
    fn undo(&mut self, again: bool) {
        let (what, done) = if again { ("redo", self.session.redo()) } else { ("undo", self.session.undo()) };
        self.notify(match done {
            Ok(left) => Notice::good(what, format!("done; {left} more")),
            Err(why) => Notice::bad(what, why),
        });
    }

    /// Marks the particle that is nearest to where the pointer points, or none.
    fn inspect(&mut self) {
        self.view.inspected = self.nearest_particle(self.pointer.at.0, self.pointer.at.1);
        if self.view.inspected.is_some() {
            self.panel.open(Tile::Particle);
        }
    }

    /// The particle that is nearest to what is seen there, as a row of its table.
    fn nearest_particle(&mut self, x: f32, y: f32) -> Option<usize> {
        let (x, y, width, height) = self.in_view(x, y);
        let camera = self.seen(width, height);
        let ray = camera.ray(x, y, width, height);
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
                let hit = pick::pick_solid(ray, self.view.shapes());
                let hit = hit.filter(|_| !self.ui.wants_pointer(self.panel.picture()));
                self.pointer.over_collider = hit.map(|hit| self.view.solids[hit.solid].0);
            }
            Drag::Orbit | Drag::Pan => {}
        }
    }

    pub(super) fn let_go(&mut self, button: MouseButton) {
        let ends = match self.pointer.drag {
            Drag::Orbit => button == MouseButton::Right,
            Drag::Pan => button == MouseButton::Middle,
            Drag::None => false,
            Drag::Cloth(_) | Drag::Cut(_) | Drag::Collider { .. } => button == MouseButton::Left,
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

    pub(super) fn move_camera_by_keys(&mut self) {
        if self.ui.wants_keyboard() {
            self.pointer.keys.clear();
        }
        let held = |code: KeyCode| f32::from(u8::from(self.pointer.keys.contains(&code)));
        let right = held(KeyCode::D) - held(KeyCode::A);
        let up = held(KeyCode::E) - held(KeyCode::Q);
        let ahead = held(KeyCode::W) - held(KeyCode::S);
        self.camera.pan(-right * KEY_PAN, up * KEY_PAN, window::screen_size().1);
        if ahead != 0.0 {
            let eye = self.camera.eye();
            let step = (self.camera.target - eye) * (0.015 * ahead);
            self.camera.target += step;
        }
    }

    /// Arrows, J and K take the colliders that ask for it along, seen from the camera.
    pub(super) fn move_colliders_by_keys(&mut self) {
        let held = |code: KeyCode| f32::from(u8::from(self.pointer.keys.contains(&code)));
        let (right, _) = self.camera.right_up();
        let ahead = Vec3::Y.cross(right);
        let way = right * (held(KeyCode::Right) - held(KeyCode::Left))
            + ahead * (held(KeyCode::Up) - held(KeyCode::Down))
            + Vec3::Y * (held(KeyCode::J) - held(KeyCode::K));
        if way == Vec3::ZERO {
            return;
        }
        let moved = self.session.scene().colliders.iter().enumerate().filter(|(_, body)| body.keys);
        let moved: Vec<usize> = moved.map(|(index, _)| index).collect();
        moved.into_iter().for_each(|index| self.session.drag_collider(index, way * KEY_WAY));
    }

    pub(super) fn key(&mut self, code: KeyCode, mods: KeyMods, repeat: bool) {
        match code {
            KeyCode::W
            | KeyCode::A
            | KeyCode::S
            | KeyCode::D
            | KeyCode::Q
            | KeyCode::E
            | KeyCode::X
            | KeyCode::Left
            | KeyCode::Right
            | KeyCode::Up
            | KeyCode::Down
            | KeyCode::J
            | KeyCode::K
            | KeyCode::LeftShift
            | KeyCode::RightShift
                if !mods.ctrl && !mods.alt =>
            {
                if !self.pointer.keys.contains(&code) {
                    self.pointer.keys.push(code);
                }
            }
            KeyCode::Period => self.act(Action::SingleStep),
            KeyCode::Comma => self.act(Action::StepBack),
            KeyCode::Z if mods.ctrl => self.undo(mods.shift),
            KeyCode::Y if mods.ctrl => self.undo(true),
            _ if repeat || mods.ctrl || mods.alt => {}
            KeyCode::Space => self.act(Action::Pause),
            KeyCode::R => self.act(Action::Reset),
            KeyCode::T => self.act(Action::Record),
            KeyCode::L => self.act(Action::Loop),
            KeyCode::B => self.act(Action::Compare),
            KeyCode::N => self.act(Action::Beside),
            KeyCode::I => self.act(Action::Inspect),
            KeyCode::P => self.act(Action::Picture),
            KeyCode::F => self.act(Action::Film),
            KeyCode::G => self.act(Action::Path(self.session.device().wanted().is_none())),
            KeyCode::F5 => self.act(Action::Rebuild),
            KeyCode::Home | KeyCode::C => self.camera = view::camera(&self.session.scene().camera),
            KeyCode::V => self.view.scale.next(&self.session.run().state),
            KeyCode::O => self.view.toggle_overlays(),
            #[cfg(not(target_arch = "wasm32"))]
            KeyCode::M => self.act(Action::Toggle(Tile::Scenes)),
            KeyCode::U => self.act(Action::Panels),
            KeyCode::H => self.act(Action::Help),
            KeyCode::Tab => {
                self.session.next_solver();
                self.notify(Notice::good("solver", self.session.scene().solver.name.clone()));
            }
            _ => {
                let number = code as u32;
                if (KeyCode::Key1 as u32..=KeyCode::Key9 as u32).contains(&number) {
                    let scenes = scenes::beside(self.session.setup().path());
                    if let Some(scene) = scenes.into_iter().nth((number - KeyCode::Key1 as u32) as usize) {
                        self.act(Action::Scene(scene));
                    }
                }
            }
        }
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Pause => self.session.set_paused(!self.session.is_paused()),
            Action::SingleStep => {
                self.session.set_paused(true);
                self.single_steps += 1;
            }
            Action::Reset if self.play_from(|_| 0) => {}
            Action::Reset => {
                if let Err(why) = self.session.reset() {
                    self.notify(Notice::bad("step", why));
                }
            }
            Action::Speed(speed) => self.speed = speed,
            Action::Toggle(tile) => self.panel.toggle(tile),
            Action::Open(tile) => self.panel.open(tile),
            Action::Panels => self.panel.toggle_all(),
            Action::Help => self.panel.help = !self.panel.help,
            Action::Inspect => self.inspect(),
            Action::Picture => self.save_picture(),
            Action::Film => self.toggle_film(),
            Action::Record => self.toggle_recording(),
            Action::Rebuild => self.rebuild(),
            Action::Path(gpu) => {
                let options = gpu.then(|| self.gpu.clone());
                self.session.switch_path(options);
            }
            Action::SaveState(_) | Action::LoadState(_) | Action::DeleteState(_) => self.keep_state(&action),
            Action::StepBack
            | Action::GoTo(_)
            | Action::Loop
            | Action::Compare
            | Action::Beside
            | Action::WhereItBegan => {
                self.rewind(&action);
            }
            Action::Scene(path) => match self.session.ask_scene(&path) {
                Ok(true) => self.scene_opened(&path),
                Ok(false) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let text = format!("{name} comes when its meshes are read");
                    self.notify(Notice::good("scene", text));
                }
                Err(line) => self.notify(Notice::bad("scene", line)),
            },
        }
    }

    pub(super) fn scene_opened(&mut self, path: &Path) {
        self.pointer.drag = Drag::None;
        self.camera = view::camera(&self.session.scene().camera);
        self.load_textures();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.notify(Notice::good("scene", format!("{name} runs")));
    }
}
