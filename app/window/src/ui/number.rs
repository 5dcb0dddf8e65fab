//! Numbers that can be typed. They are shown as they are, so that a click into one and out again changes nothing, and taken when
//! Enter or a click elsewhere ends the typing: what half of one says is set nowhere.

use egui::{DragValue, Slider};

/// Sizes that are written without an exponent.
const PLAIN: std::ops::Range<f32> = 1e-4..1e7;

pub(super) fn slider(slider: Slider<'_>) -> Slider<'_> {
    slider.custom_formatter(|value, _| shown(value as f32)).custom_parser(typed).update_while_editing(false)
}

pub(super) fn drag(drag: DragValue<'_>) -> DragValue<'_> {
    drag.custom_formatter(|value, _| shown(value as f32)).custom_parser(typed).update_while_editing(false)
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
    use egui::{CentralPanel, Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect};

    /// A number in a window of its own: frames with these events, then the number.
    fn after(value: f32, vector: bool, typing: &[&str], enter: bool) -> f32 {
        let (context, mut value, mut place) = (Context::default(), value, Rect::NOTHING);
        let mut frame = |events: Vec<Event>, place: &mut Rect| {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, [400.0, 300.0].into()));
            let input = RawInput { screen_rect, events, ..Default::default() };
            let _ = context.run_ui(input, |ui| {
                CentralPanel::default().show(ui, |ui| {
                    let range = -200.0..=200.0;
                    *place = if vector {
                        ui.add(drag(DragValue::new(&mut value).range(range))).rect
                    } else {
                        ui.spacing_mut().slider_width = 100.0;
                        ui.add(slider(Slider::new(&mut value, range))).rect
                    };
                });
            });
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
        value
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
