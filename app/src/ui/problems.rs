//! What needs mending, in one window: compiler messages, scene reports, shader reports, a stopped run.

use egui::{Context, RichText};

use super::panel::{Action, BAD};
use crate::lab::Lab;

pub fn show(context: &Context, lab: &Lab, actions: &mut Vec<Action>) {
    let problems = lab.problems.list();
    if problems.is_empty() {
        return;
    }
    let right = context.content_rect().right();
    egui::Window::new("to mend")
        .default_pos([right - 640.0, 12.0])
        .default_width(620.0)
        .min_width(420.0)
        .max_height(420.0)
        .show(context, |ui| {
            if lab.has_blown_up() && ui.button("show me where it began").clicked() {
                actions.push(Action::WhereItBegan);
            }
            egui::ScrollArea::vertical().max_height(400.0).show(ui, |ui| {
                for (title, text) in &problems {
                    ui.colored_label(BAD, title);
                    ui.label(RichText::new(text.trim_end()).monospace().size(12.0));
                }
            });
        });
}
