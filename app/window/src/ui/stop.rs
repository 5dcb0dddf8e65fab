//! A condition over the readings to pause at.

use egui::{RichText, Ui};

use super::theme;
use weft_session::{Notice, Session};

/// The condition, and the field that it is written in.
pub(super) fn row(ui: &mut Ui, session: &mut Session, text: &mut String) {
    ui.horizontal(|ui| {
        let waits = session.stop().map(|stop| stop.text().to_string());
        ui.label(RichText::new("pause when").small());
        let field = egui::TextEdit::singleline(text).hint_text("stretch_max > 0.2").desired_width(150.0);
        let field = ui
            .add(field)
            .on_hover_text("a condition over the readings, `frame` and `time`, such as max_speed > 10");
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let button = ui.small_button(if waits.is_some() { "end" } else { "set" });
        if button.clicked() || entered {
            let wanted = if waits.is_some() && !entered { "" } else { text.as_str() };
            if let Err(why) = session.set_stop(wanted) {
                session.notify(Notice::bad("pause when", why));
            } else if session.stop().is_some() {
                session.set_paused(false);
            }
        }
    });
    if let Some(stop) = session.stop() {
        ui.colored_label(theme::of(ui).amber, RichText::new(format!("runs until {}", stop.text())).small());
    }
}
