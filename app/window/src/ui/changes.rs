//! What runs otherwise than the file has it: marked, taken back, copied, or written into the file.

use egui::{RichText, Ui};

use super::{section, theme};
use weft_scene::Changed;
use weft_session::{Notice, Session};

/// The list as it was last taken.
#[derive(Default)]
pub(super) struct Changes {
    list: Vec<Changed>,
    /// What it was taken of.
    taken: Option<(u64, weft_scene::SolverChoice, usize)>,
}

impl Changes {
    pub(super) fn show(&mut self, ui: &mut Ui, session: &mut Session) {
        let setup = session.setup();
        let now = (setup.revision(), setup.scene().solver.clone(), setup.text().len());
        if self.taken.as_ref() != Some(&now) {
            self.list = session.changed();
            self.taken = Some(now);
        }
        if self.list.is_empty() {
            return;
        }
        let title = RichText::new(format!("{} changed since the file", self.list.len()))
            .small()
            .color(theme::of(ui).amber);
        let mut back = None;
        section::show(ui, "changes", false, title, |ui| {
            ui.horizontal(|ui| self.buttons(ui, session));
            for Changed { path, from, to } in &self.list {
                let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "default".into());
                let text = format!("{path}: {} > {}", shown(from), shown(to));
                ui.horizontal(|ui| {
                    if ui.small_button("back").on_hover_text("the value of the file").clicked() {
                        back = Some(path.clone());
                    }
                    ui.add(egui::Label::new(RichText::new(&text).small()).truncate()).on_hover_text(&text);
                });
            }
        });
        if let Some(path) = back {
            tell(session.revert(&path).map(|()| None), session);
            self.taken = None;
        }
    }

    fn buttons(&mut self, ui: &mut Ui, session: &mut Session) {
        let hint = "puts these values into the scene's file; comments and layout stay";
        if ui.button("write to scene").on_hover_text(hint).clicked() {
            let file = session.setup().path().display().to_string();
            let written = session.write_scene();
            tell(written.map(|count| Some(format!("{count} fields written to {file}"))), session);
            self.taken = None;
        }
        if ui
            .button("copy command")
            .on_hover_text("a command line that runs the file with these values")
            .clicked()
        {
            ui.ctx().copy_text(session.command_line());
            session.notify(Notice::good("copied", session.command_line()));
        }
    }
}

fn tell(result: Result<Option<String>, String>, session: &mut Session) {
    match result {
        Ok(None) => {}
        Ok(Some(text)) => session.notify(Notice::good("scene", text)),
        Err(why) => session.notify(Notice::bad("scene", why)),
    }
}
