//! Numbers that can be typed. They are shown as they are, so that a click into one and out again changes nothing, and taken when
//! Enter or a click elsewhere ends the typing: what half of one says is set nowhere. What is no number is told.

use egui::{Context, DragValue, Id, Slider, Ui};

/// Sizes that are written without an exponent.
const PLAIN: std::ops::Range<f32> = 1e-4..1e7;

pub(super) fn slider<'a>(ui: &Ui, slider: Slider<'a>) -> Slider<'a> {
    slider
        .custom_formatter(|value, _| shown(value as f32))
        .custom_parser(taken(ui, typed))
        .update_while_editing(false)
}

pub(super) fn drag<'a>(ui: &Ui, drag: DragValue<'a>) -> DragValue<'a> {
    drag.custom_formatter(|value, _| shown(value as f32))
        .custom_parser(taken(ui, typed))
        .update_while_editing(false)
}

/// What reads a text, and keeps one that it cannot read for [`refused`].
pub(super) fn taken<Read: Fn(&str) -> Option<f64>>(
    ui: &Ui,
    read: Read,
) -> impl Fn(&str) -> Option<f64> + use<Read> {
    let context = ui.ctx().clone();
    move |text| {
        let value = read(text);
        if value.is_none() {
            context.data_mut(|data| data.insert_temp(Id::unique(REFUSED), text.to_string()));
        }
        value
    }
}

const REFUSED: &str = "a text that is no number";
const TOLD: &str = "when it was told";

/// Why a number that was typed last was not taken. A field reads its text as it is left and in the picture after that: told once.
pub(super) fn refused(context: &Context) -> Option<String> {
    let text = context.data_mut(|data| data.remove_temp::<String>(Id::unique(REFUSED)))?;
    let now = context.cumulative_frame_nr();
    let told = context.data_mut(|data| data.get_temp::<u64>(Id::unique(TOLD)));
    context.data_mut(|data| data.insert_temp(Id::unique(TOLD), now));
    if told.is_some_and(|told| told + 1 >= now) {
        return None;
    }
    let shown: String = text.trim().chars().take(40).collect();
    let alone = text.trim().split([' ', '\u{a0}']).next().unwrap_or_default();
    let meant = [alone.replace(',', "."), alone.trim_end_matches(char::is_alphabetic).replace(',', ".")];
    let help = meant.iter().find(|text| typed(text).is_some()).map_or_else(
        || "type one such as 0.01 or 1e-3; the last one stays".to_string(),
        |number| format!("type {number}; the last one stays"),
    );
    Some(format!("`{shown}` is no number: {help}"))
}

/// The shortest text that reads back as the same number: `68`, `0.00012`, `1e-7`.
pub(super) fn shown(value: f32) -> String {
    if value == 0.0 {
        "0".into()
    } else if PLAIN.contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// What is no number, or not a finite one, leaves the old one: the bounds of a field would make its largest of `nan`.
pub(super) fn typed(text: &str) -> Option<f64> {
    let plain = |letter: char| if letter == '−' { '-' } else { letter };
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).map(plain).collect();
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{CentralPanel, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect};

    /// A number in a window of its own: frames with these events, then the number.
    fn after(value: f32, vector: bool, typing: &[&str], enter: bool) -> f32 {
        told(value, vector, typing, enter).0
    }

    /// And what is said.
    fn told(value: f32, vector: bool, typing: &[&str], enter: bool) -> (f32, Vec<String>) {
        let (context, mut value, mut place) = (Context::default(), value, Rect::NOTHING);
        let mut said = Vec::new();
        let mut frame = |events: Vec<Event>, place: &mut Rect| {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, [400.0, 300.0].into()));
            let input = RawInput { screen_rect, events, ..Default::default() };
            let _ = context.run_ui(input, |ui| {
                CentralPanel::default().show(ui, |ui| {
                    let range = -200.0..=200.0;
                    *place = if vector {
                        let number = drag(ui, DragValue::new(&mut value).range(range));
                        ui.add(number).rect
                    } else {
                        ui.spacing_mut().slider_width = 100.0;
                        let number = slider(ui, Slider::new(&mut value, range));
                        ui.add(number).rect
                    };
                });
            });
            said.extend(refused(&context));
        };
        let click = |at: Pos2, pressed: bool| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        frame(Vec::new(), &mut place);
        for at in [place.right_center() - egui::vec2(8.0, 0.0), Pos2::new(390.0, 290.0)] {
            frame(vec![Event::PointerMoved(at)], &mut place);
            frame(vec![click(at, true)], &mut place);
            frame(vec![click(at, false)], &mut place);
            if at.y < 200.0 {
                typing.iter().for_each(|text| frame(vec![Event::Text((*text).into())], &mut place));
                if enter {
                    let modifiers = Modifiers::NONE;
                    let key = Event::Key {
                        key: Key::Enter,
                        physical_key: None,
                        pressed: true,
                        repeat: false,
                        modifiers,
                    };
                    frame(vec![key], &mut place);
                }
            }
            frame(Vec::new(), &mut place);
        }
        (value, said)
    }

    #[test]
    fn what_is_no_number_is_told_once() {
        for (text, help) in [
            ("0,01", "type 0.01;"),
            ("0.02 s", "type 0.02;"),
            ("1,5m", "type 1.5;"),
            ("abc", "such as 0.01"),
            ("nan", "such as 0.01"),
        ] {
            for vector in [false, true] {
                for enter in [false, true] {
                    let (value, said) = told(1.0, vector, &[text], enter);
                    assert_eq!(value, 1.0);
                    let [said] = said.as_slice() else { panic!("{text}: {said:?}") };
                    assert!(
                        said.contains(&format!("`{text}` is no number")) && said.contains(help),
                        "{said}"
                    );
                }
            }
        }
        assert_eq!(told(1.0, true, &["2"], true), (2.0, Vec::new()));
    }

    #[test]
    fn a_number_is_what_was_typed_and_nothing_else() {
        for vector in [false, true] {
            for value in [1.234_567_8, 0.000_12, -7.0, 1e-9, 0.1, 199.999_98] {
                assert_eq!(after(value, vector, &[], false), value, "clicked");
                assert_eq!(after(value, vector, &[], true), value, "Enter");
                for text in ["nan", "inf", "-inf", "1e400", "", "abc", "1,5", "1.5 m"] {
                    assert_eq!(after(value, vector, &[text], true), value, "{text}");
                }
            }
            for enter in [false, true] {
                // Letter by letter, as it comes from a keyboard.
                assert_eq!(after(1.0, vector, &["0", ".", "3", "3", "3", "3", "3", "3"], enter), 0.333_333);
                assert_eq!(after(1.0, vector, &["−", "3"], enter), -3.0);
                assert_eq!(after(1.0, vector, &["9".repeat(300).as_str()], enter), 200.0);
            }
        }
    }

    #[test]
    fn what_is_shown_reads_back() {
        for value in [0.0, -0.0, 68.0, 0.1, 1.0 / 3.0, 1e-45, 3.4e38, -2.5e-7, 99_999.99, f32::MIN_POSITIVE] {
            assert_eq!(typed(&shown(value)).map(|value| value as f32), Some(value), "{}", shown(value));
        }
        assert_eq!(
            (shown(0.000_12), shown(1e-7), shown(1e8)),
            ("0.00012".into(), "1e-7".into(), "1e8".into())
        );
    }
}
