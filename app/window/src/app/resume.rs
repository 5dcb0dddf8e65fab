//! The window in autosaves: its place, camera and what it shows.

use std::time::Duration;
use weft_core::pulse;

use miniquad::window;

use super::App;
use weft_core::pulse::Phase;
use weft_draw::{Camera, Palette};
use weft_session::rescue::WindowState;

use crate::view::{QUANTITIES, Quantity};

/// Longest time for a new shader to compile, and to draw its first pictures.
pub(super) const SWAP_LIMIT: Duration = Duration::from_secs(5);
/// Longest time for any other picture. Long: a display that is switched off may hold a picture back for a while.
const DRAW_LIMIT: Duration = Duration::from_secs(20);
/// The driver compiles in the first pictures.
const FIRST: u64 = 3;

impl App {
    /// What the window looks like now.
    pub(super) fn window_state(&self) -> WindowState {
        let (width, height) = window::screen_size();
        let Camera { target, distance, yaw, pitch, fov_y } = self.camera;
        let place_in = |at: Option<usize>| at.unwrap_or(0) as u8;
        let scale = &self.view.scale;
        WindowState {
            place: place(),
            size: (width as u32, height as u32),
            camera: [target.x, target.y, target.z, distance, yaw, pitch, fov_y],
            shown: [
                scale.quantity.place() as u8,
                place_in(Palette::ALL.iter().position(|palette| *palette == scale.palette)),
            ],
            help: self.panel.help,
        }
    }

    /// Makes the window look as it did.
    pub(super) fn take_up(&mut self, state: &WindowState) {
        self.look(state.camera);
        let scale = &mut self.view.scale;
        scale.quantity = QUANTITIES.get(state.shown[0] as usize).unwrap_or_else(|| Quantity::look());
        scale.palette = Palette::ALL.get(state.shown[1] as usize).copied().unwrap_or_default();
        self.panel.help = state.help;
        if let Some((x, y)) = state.place {
            window::set_window_position(x, y);
        }
    }

    /// Once a frame: the autosave.
    pub(super) fn keep(&mut self) {
        let state = self.window_state();
        if let Some(rescue) = &mut self.rescue {
            rescue.tick(&mut self.session, Some(state), self.drawn);
        }
    }

    /// The picture begins.
    pub(super) fn enter_draw(&mut self) {
        self.drawn_since += 1;
        let limit = match (self.drawn_since <= FIRST, self.shader_swapped) {
            (true, false) => None,
            (true, true) => Some(SWAP_LIMIT),
            (false, _) if self.waits_for_display => None,
            (false, _) => Some(DRAW_LIMIT),
        };
        self.picture = Some(pulse::enter(Phase::Draw, limit));
    }
}

/// Left and top of the window on the screen [pixels], where the system tells.
fn place() -> Option<(u32, u32)> {
    #[cfg(any(target_os = "windows", target_os = "linux"))]
    let place = Some(window::get_window_position()).filter(|place| *place != (0, 0));
    #[cfg(not(any(target_os = "windows", target_os = "linux")))]
    let place = None;
    place
}
