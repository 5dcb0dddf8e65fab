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
                    lines(ui, text, width);
                }
            });
        });
}

/// A text, in lines as long as they are where a mark stands under what it marks; sentences wrap.
fn lines(ui: &mut Ui, text: &str, width: f32) {
    for part in parts(text.trim_end()) {
        let label = |text: &str| Label::new(RichText::new(text).monospace().size(12.0));
        match part {
            Part::Marked(text) => _ = ui.add(label(&text).extend()),
            Part::Sentence(text) => {
                ui.scope(|ui| {
                    ui.set_max_width(width);
                    ui.add(label(text).wrap());
                });
            }
        }
    }
}

/// Lines of a text that belong together.
#[derive(Debug, PartialEq)]
enum Part<'a> {
    /// Of a file, with what is marked in them.
    Marked(String),
    Sentence(&'a str),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for line in text.lines() {
        let begin = line.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit());
        let marked = ["|", "-->", "\u{2502}", "\u{250c}"].iter().any(|mark| begin.starts_with(mark));
        // What the mark in a scene leads to: an arrow, and a sentence.
        let led_to = line.find("help: ").filter(|at| line[..*at].trim_end_matches(['-', ' ']).ends_with('`'));
        match (marked, led_to, parts.last_mut()) {
            (true, Some(at), _) => parts.push(Part::Sentence(&line[at..])),
            (true, None, Some(Part::Marked(before))) => *before = format!("{before}\n{line}"),
            (true, None, _) => parts.push(Part::Marked(line.to_owned())),
            (false, ..) => parts.push(Part::Sentence(line)),
        }
    }
    parts
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
    use egui::{RawInput, pos2};

    use super::*;

    /// As a scene is refused with.
    const REPORT: &str = "a.ron:3:9: `cell` is -1 m (strands[0].between.cell)\n    |\n 14 |     between: (cell: -1),\n    |                     ^|\n    |                                                `-- help: side of a cell\n\nb.ron: all of it";

    #[test]
    fn only_what_marks_stand_under_keeps_its_lines() {
        let marked = "    |\n 14 |     between: (cell: -1),\n    |                     ^|";
        let wanted = [
            Part::Sentence("a.ron:3:9: `cell` is -1 m (strands[0].between.cell)"),
            Part::Marked(marked.into()),
            Part::Sentence("help: side of a cell"),
            Part::Sentence(""),
            Part::Sentence("b.ron: all of it"),
        ];
        assert_eq!(parts(REPORT), wanted);
        let rust = "error: no\n  --> a.rs:3:9\n   |\n3  | x\n   | - help: y\n   = note: z";
        let [Part::Sentence(_), Part::Marked(marked), Part::Sentence("   = note: z")] = &parts(rust)[..]
        else {
            panic!("{:?}", parts(rust))
        };
        assert!(marked.starts_with("  --> a.rs:3:9") && marked.ends_with("help: y"), "{marked}");
    }

    #[test]
    fn help_is_no_wider_than_the_window() {
        let context = Context::default();
        let text = REPORT.replace("a cell", &"a cell ".repeat(40));
        let screen_rect = Some(Rect::from_min_max(pos2(0.0, 0.0), pos2(980.0, 700.0)));
        let mut width = 0.0;
        let input = RawInput { screen_rect, ..Default::default() };
        let _ = context.run_ui(input, |ui| {
            width = ui.scope(|ui| lines(ui, &text, 600.0)).response.rect.width();
        });
        assert!((300.0..=601.0).contains(&width), "{width}");
    }

    #[test]
    fn places_are_found_without_their_columns() {
        let text = "solver xpbd panicked at sim-dylib/src/solvers/xpbd.rs:77:5: torn\n  --> [scenes/flag.ron:12:8] and \
                    scenes/flag.ron:12:9, 12:30, http://x.rs:, `cloth.wgsl:3`";
        let found = places_in(text);
        assert_eq!(found, ["sim-dylib/src/solvers/xpbd.rs:77", "scenes/flag.ron:12", "cloth.wgsl:3"]);
    }
}
