//! Keys, and what each does.

use std::path::Path;

use glam::Vec3;
use miniquad::{KeyCode, KeyMods, window};

use super::{App, pointer::Drag};
use weft_session::Notice;

use crate::{
    scenes,
    ui::{Action, Tile},
    view,
};

/// Speed of WASDQE [pixels of drag a frame].
const KEY_PAN: f32 = 9.0;
/// Way of a collider that keys move [m a frame].
const KEY_WAY: f32 = 0.008;

impl App {
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
                self.pointer.hold(code);
            }
            KeyCode::LeftControl | KeyCode::RightControl => self.pointer.hold(code),
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
                Err(report) => self.notify(Notice::report("scene", &report, "")),
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
