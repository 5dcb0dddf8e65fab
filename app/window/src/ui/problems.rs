//! What needs mending, in one window: compiler messages, scene reports, shader reports, a stopped run.

use egui::{Context, Label, Rect, RichText, Ui};

use super::{panel::Action, theme};
use weft_session::Session;

pub(super) fn show(context: &Context, picture: Rect, session: &Session, actions: &mut Vec<Action>) {
    let problems = session.problems().list();
    if problems.is_empty() {
        return;
    }
    egui::Window::new("to mend")
        .default_pos(picture.right_top() + egui::vec2(-640.0, 40.0))
        .default_width(620.0)
        .min_width(420.0)
        .max_height(420.0)
        .show(context, |ui| {
            if session.has_blown_up() && ui.button("show me where it began").clicked() {
                actions.push(Action::WhereItBegan);
            }
            let width = ui.available_width();
            egui::ScrollArea::both().max_height(400.0).show(ui, |ui| {
                for (title, text) in &problems {
                    ui.colored_label(theme::of(ui).bad, title);
                    places(ui, &format!("{title} {text}"));
                    let label = Label::new(RichText::new(text.trim_end()).monospace().size(12.0));
                    // A mark stands under what it marks: only sentences wrap.
                    if text.contains("-->") || text.contains('^') {
                        ui.add(label.extend());
                    } else {
                        ui.scope(|ui| {
                            ui.set_max_width(width);
                            ui.add(label.wrap());
                        });
                    }
                }
            });
        });
}

/// A button for each `file:line` that a text names; it puts the place into the clipboard.
pub(super) fn places(ui: &mut Ui, text: &str) {
    ui.horizontal_wrapped(|ui| {
        for place in places_in(text) {
            let button = ui.small_button(format!("copy {place}"));
            if button.on_hover_text("to the clipboard, for the editor's \"go to file\"").clicked() {
                ui.ctx().copy_text(place.to_string());
            }
        }
    });
}

/// Most places that are offered for one problem.
const MOST: usize = 4;

/// `file:line` in a text, without the column, each once.
fn places_in(text: &str) -> Vec<&str> {
    let mut places = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "()[]`'\",;".contains(c)) {
        let Some((file, rest)) = word.split_once(':') else { continue };
        let is_source = [".rs", ".wgsl", ".ron", ".obj", ".toml"].iter().any(|end| file.ends_with(end));
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let place = &word[..file.len() + 1 + digits];
        if is_source && digits > 0 && !places.contains(&place) && places.len() < MOST {
            places.push(place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::places_in;

    #[test]
    fn places_are_found_without_their_columns() {
        let text = "solver xpbd panicked at sim-dylib/src/solvers/xpbd.rs:77:5: torn\n  --> [scenes/flag.ron:12:8] and \
                    scenes/flag.ron:12:9, 12:30, http://x.rs:, `cloth.wgsl:3`";
        let found = places_in(text);
        assert_eq!(found, ["sim-dylib/src/solvers/xpbd.rs:77", "scenes/flag.ron:12", "cloth.wgsl:3"]);
    }
}
