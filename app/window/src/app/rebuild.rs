//! A changed contract: the whole program is built again in the background, and goes on in its place.

use super::App;
use weft_session::{
    Notice,
    live::{BuildMessage, Rebuild},
};

impl App {
    /// Starts to build the program, if it is not being built already.
    pub(super) fn rebuild(&mut self) {
        if self.rebuild.is_some() {
            return;
        }
        let notice = match self.session.project() {
            Some(project) => {
                self.rebuild = Some(Rebuild::start(project));
                Notice::good("rebuild", "building the whole program; the cloth runs on meanwhile")
            }
            None => Notice::bad("rebuild", "no source tree found here: there is nothing to build"),
        };
        self.notify(notice);
    }

    /// Once a frame: becomes the new program when it is built.
    pub(super) fn take_rebuilt(&mut self) {
        let Some(done) = self.rebuild.as_mut().and_then(Rebuild::poll) else { return };
        self.rebuild = None;
        let why = match done {
            Ok(program) => {
                let (state, drawn) = (self.window_state(), self.drawn);
                match &mut self.rescue {
                    Some(rescue) => rescue.become_program(&program, &mut self.session, Some(state), drawn),
                    None => "no autosave can be written here".to_string(),
                }
            }
            Err(messages) => {
                let first = BuildMessage::first_error(&messages);
                let first = first.map_or_else(String::new, |m| format!("{} {}", m.place, m.message));
                self.session.problems_mut().build = messages;
                self.notify(Notice::bad("rebuild", format!("the program does not build: {first}")));
                return;
            }
        };
        let why = format!("built, but it does not start: {why}");
        self.session.problems_mut().build = vec![BuildMessage::plain(why.clone())];
        self.notify(Notice::bad("rebuild", why));
    }
}
