//! Fingers: one is the left button; two orbit, and zoom by their distance.

use miniquad::{EventHandler, MouseButton, TouchPhase};

use super::App;

/// Notches of the wheel for twice the distance.
const ZOOM: f32 = 6.0;

/// Those that touch the screen, with their places [pixels].
#[derive(Default)]
pub(super) struct Fingers(Vec<(u64, [f32; 2])>);

impl Fingers {
    /// Middle and distance of two of them.
    fn pair(&self) -> Option<([f32; 2], f32)> {
        let [(_, a), (_, b)] = self.0[..] else { return None };
        let middle = [0, 1].map(|axis| 0.5 * (a[axis] + b[axis]));
        Some((middle, (a[0] - b[0]).hypot(a[1] - b[1])))
    }
}

impl App {
    pub(super) fn touched(&mut self, phase: TouchPhase, id: u64, x: f32, y: f32) {
        match phase {
            TouchPhase::Started => {
                self.fingers.0.retain(|(other, _)| *other != id);
                self.fingers.0.push((id, [x, y]));
                self.ui.mouse_motion(x, y);
                match self.fingers.0.len() {
                    1 => self.mouse_button_down_event(MouseButton::Left, x, y),
                    // The second one: neither pulls any more.
                    2 => self.mouse_button_up_event(MouseButton::Left, x, y),
                    _ => {}
                }
            }
            TouchPhase::Moved => {
                let before = self.fingers.pair();
                let Some(finger) = self.fingers.0.iter_mut().find(|(other, _)| *other == id) else { return };
                finger.1 = [x, y];
                match (before, self.fingers.pair()) {
                    (Some((from, near)), Some((to, far))) => {
                        self.camera.orbit(to[0] - from[0], to[1] - from[1]);
                        self.camera.zoom(ZOOM * (far.max(1.0) / near.max(1.0)).log2());
                    }
                    _ if self.fingers.0.len() == 1 => self.mouse_motion_event(x, y),
                    _ => {}
                }
            }
            TouchPhase::Ended | TouchPhase::Cancelled => {
                let last = self.fingers.0.len() == 1;
                self.fingers.0.retain(|(other, _)| *other != id);
                if last {
                    self.mouse_button_up_event(MouseButton::Left, x, y);
                    // No pointer hovers where a finger was.
                    self.ui.mouse_leave();
                }
            }
        }
    }
}
