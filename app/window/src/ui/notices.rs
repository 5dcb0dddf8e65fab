//! The last few notices, at the lower edge of the picture.

use std::{collections::VecDeque, time::Duration};

use egui::{Context, Rect, RichText};
use weft_core::clock::Instant;
use weft_session::Notice;

use super::theme;

/// Notices stay on screen this long.
pub(crate) const NOTICE_TIME: Duration = Duration::from_secs(6);

/// `above`: room that is taken at the edge [points].
pub(super) fn show(context: &Context, picture: Rect, notices: &VecDeque<(Instant, Notice)>, above: f32) {
    let fresh = notices.iter().filter(|(at, _)| at.elapsed() < NOTICE_TIME);
    let fresh: Vec<&Notice> = fresh.map(|(_, notice)| notice).collect();
    if fresh.is_empty() {
        return;
    }
    let area = egui::Area::new(egui::Id::unique("notices")).pivot(egui::Align2::RIGHT_BOTTOM);
    area.fixed_pos(picture.right_bottom() - egui::vec2(12.0, above)).show(context, |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(560.0);
            for notice in fresh.iter().skip(fresh.len().saturating_sub(5)) {
                let color = if notice.good { theme::of(ui).good } else { theme::of(ui).bad };
                ui.colored_label(color, RichText::new(format!("{}: {}", notice.kind, notice.text)).small());
            }
        });
    });
}
