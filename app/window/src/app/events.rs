//! What the system calls: frames, pointer and keys.

use miniquad::{EventHandler, KeyCode, KeyMods, MouseButton, TouchPhase};

use super::App;

impl EventHandler for App {
    fn update(&mut self) {
        self.advance();
    }

    fn draw(&mut self) {
        self.show();
    }

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.stir();
        self.ui.mouse_motion(x, y);
        self.pointer_moved(x, y);
    }

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        self.stir();
        self.ui.mouse_wheel(x, y);
        if !self.ui.wants_pointer(self.panel.picture()) {
            self.camera.zoom(y.clamp(-5.0, 5.0));
        }
    }

    fn mouse_button_down_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.stir();
        self.ui.mouse_button(button, x, y, true);
        self.session.hold_edit(true);
        if !self.ui.wants_pointer(self.panel.picture()) {
            self.press(button, x, y);
        }
    }

    fn mouse_button_up_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.stir();
        self.ui.mouse_button(button, x, y, false);
        self.session.hold_edit(false);
        self.ui.drop_focus();
        self.let_go(button);
    }

    fn touch_event(&mut self, phase: TouchPhase, id: u64, x: f32, y: f32) {
        self.stir();
        self.touched(phase, id, x, y);
    }

    fn mouse_leave_event(&mut self) {
        self.stir();
        self.ui.mouse_leave();
    }

    fn char_event(&mut self, character: char, mods: KeyMods, _repeat: bool) {
        self.stir();
        self.ui.char(character, mods);
    }

    fn key_down_event(&mut self, code: KeyCode, mods: KeyMods, repeat: bool) {
        self.stir();
        self.ui.key(code, mods, true);
        if !self.ui.wants_keyboard() {
            self.key(code, mods, repeat);
        }
    }

    fn resize_event(&mut self, _width: f32, _height: f32) {
        self.stir();
    }

    fn window_restored_event(&mut self) {
        self.stir();
    }

    fn key_up_event(&mut self, code: KeyCode, mods: KeyMods) {
        self.stir();
        self.ui.key(code, mods, false);
        self.pointer.keys.retain(|held| *held != code);
    }

    fn quit_requested_event(&mut self) {
        self.keep_settings_now();
        if let Some(recorder) = &mut self.recorder {
            let _ = recorder.finish(&mut self.session);
        }
    }
}
