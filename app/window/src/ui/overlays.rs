//! Overlays in the panel: a box to tick for each.

use egui::Ui;

use super::section;

use crate::view::{OVERLAYS, Overlays};

pub(super) fn controls(ui: &mut Ui, shown: &mut Overlays) {
    let names = shown.names();
    let title = if names.is_empty() {
        "overlays (o)".to_string()
    } else {
        format!("overlays (o): {}", names.replace(',', ", "))
    };
    section::show(ui, "overlays", false, title, |ui| {
        egui::Grid::new("overlays").num_columns(3).spacing([10.0, 2.0]).show(ui, |ui| {
            for (place, overlay) in OVERLAYS.iter().enumerate() {
                let mut on = shown.has(place);
                if ui.checkbox(&mut on, overlay.name).on_hover_text(overlay.doc).changed() {
                    shown.set(place, on);
                }
                if place % 3 == 2 {
                    ui.end_row();
                }
            }
        });
    });
}
