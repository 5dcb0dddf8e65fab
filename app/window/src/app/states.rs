//! States by name, from the panel.

use super::App;
use weft_session::{Notice, states};

use crate::ui::Action;

impl App {
    pub(super) fn keep_state(&mut self, action: &Action) {
        let done = match action {
            Action::SaveState(name) => self.save_state(name),
            Action::LoadState(name) => self.load_state(name),
            Action::DeleteState(name) => {
                states::delete(&self.session, name).map(|()| format!("{name} is deleted"))
            }
            _ => return,
        };
        self.notify(match done {
            Ok(text) => Notice::good("state", text),
            Err(why) => Notice::bad("state", why),
        });
    }

    fn save_state(&mut self, name: &str) -> Result<String, String> {
        let window = Some(self.window_state());
        let file = states::save(&mut self.session, name, window)?;
        #[cfg(target_arch = "wasm32")]
        crate::page::keep(&file);
        Ok(format!("frame {} in {}", self.session.run().frame, file.display()))
    }

    pub(super) fn load_state(&mut self, name: &str) -> Result<String, String> {
        let window = states::load(&mut self.session, name)?;
        if let Some(window) = window {
            self.look(window.camera);
        }
        self.view.inspected = None;
        self.load_textures();
        let (run, path) = (self.session.run(), self.session.setup().path().display());
        Ok(format!("{name}: frame {} of {path}", run.frame))
    }
}
