//! What is being read for a scene that does not run yet: a bar, and what it will take.

use egui::{ProgressBar, RichText, Ui};

use super::theme;
use weft_session::Session;

pub(super) fn row(ui: &mut Ui, session: &Session) {
    let Some(now) = session.reading() else { return };
    let file = std::path::Path::new(&now.file).file_name().unwrap_or_default().to_string_lossy();
    ui.colored_label(theme::of(ui).amber, RichText::new(format!("reading {file}: {}", now.part)).small());
    ui.add(ProgressBar::new(now.share).show_percentage());
    if !now.memory.is_empty() {
        ui.label(RichText::new(&now.memory).small());
    }
}
