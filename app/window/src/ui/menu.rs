//! The menu of panels, in the upper right corner of the picture.

use egui::{Align2, Context, Rect, vec2};

use super::{dock::Dock, tile::Tile};

pub(super) fn show(context: &Context, picture: Rect, dock: &mut Dock) {
    let area = egui::Area::new(egui::Id::unique("panels")).pivot(Align2::RIGHT_TOP);
    area.fixed_pos(picture.right_top() + vec2(-8.0, 8.0)).show(context, |ui| {
        let menu = ui.menu_button("panels", |ui| {
            // One that was opened in a window of no width is as narrow for ever.
            ui.set_min_width(150.0);
            for tile in Tile::PANELS.iter().copied() {
                let mut open = dock.is_open() && dock.has(tile);
                if ui.checkbox(&mut open, tile.name()).on_hover_text(tile.doc()).changed() {
                    dock.set(tile, open);
                }
            }
            ui.separator();
            if ui.button("all away, or back (u)").clicked() {
                dock.toggle_all();
            }
            if ui.button("reset layout").clicked() {
                dock.reset();
            }
        });
        menu.response
            .on_hover_text("panels can be dragged by their tabs, split, and closed; kept between runs");
    });
}
