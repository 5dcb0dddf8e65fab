//! A page has its own list of scenes.

use egui::Context;

use super::panel::Action;
use weft_session::Session;

#[derive(Default)]
pub(super) struct Browser {
    pub open: bool,
}

impl Browser {
    pub(super) fn is_busy(&self) -> bool {
        false
    }

    pub(super) fn show(&mut self, _: &Context, _: f32, _: &Session, _: &mut Vec<Action>) {
        self.open = false;
    }
}
