//! The two looks of the panel. All text stands out from what it lies on by 4.5 to 1 at least (WCAG 2.2, AA), over the picture too,
//! whatever it shows.

use egui::{Color32, Context, Theme, Ui, Visuals};

/// Colours that egui has no name for.
pub(super) struct Colors {
    /// What is well, what is not, and what wants to be known.
    pub good: Color32,
    pub bad: Color32,
    pub amber: Color32,
    /// Under text that lies on the picture.
    pub over: Color32,
    /// Where no picture is.
    pub backdrop: Color32,
    /// Of text, and of text that matters less.
    text: Color32,
    weak: Color32,
}

const DARK: Colors = Colors {
    good: Color32::from_rgb(120, 200, 130),
    bad: Color32::from_rgb(255, 120, 100),
    amber: Color32::from_rgb(240, 180, 70),
    over: Color32::from_black_alpha(220),
    backdrop: Color32::from_gray(24),
    text: Color32::from_gray(190),
    weak: Color32::from_gray(150),
};

const LIGHT: Colors = Colors {
    good: Color32::from_rgb(10, 95, 35),
    bad: Color32::from_rgb(165, 25, 10),
    amber: Color32::from_rgb(118, 68, 0),
    over: Color32::from_rgba_premultiplied(228, 228, 228, 228),
    backdrop: Color32::from_gray(205),
    text: Color32::from_gray(40),
    weak: Color32::from_gray(78),
};

/// Of the theme that these are of.
pub(super) fn of_visuals(visuals: &Visuals) -> &'static Colors {
    colors(visuals.dark_mode)
}

/// Of the theme that `ui` is drawn with.
pub(super) fn of(ui: &Ui) -> &'static Colors {
    of_visuals(ui.visuals())
}

fn colors(dark: bool) -> &'static Colors {
    if dark { &DARK } else { &LIGHT }
}

/// Gives both themes their colours.
pub(super) fn set(context: &Context) {
    for theme in [Theme::Dark, Theme::Light] {
        context.set_visuals_of(theme, visuals(theme));
    }
    context.set_theme(Theme::Dark);
}

fn visuals(theme: Theme) -> Visuals {
    let mut visuals = theme.default_visuals();
    let colors = colors(theme == Theme::Dark);
    visuals.widgets.noninteractive.fg_stroke.color = colors.text;
    visuals.weak_text_color = Some(colors.weak);
    if theme == Theme::Light {
        visuals.widgets.inactive.fg_stroke.color = colors.text;
        visuals.hyperlink_color = Color32::from_rgb(0, 80, 160);
    }
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of sRGB (WCAG 2.2).
    fn luminance(color: Color32) -> f32 {
        let part = |part: u8| {
            let part = f32::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(color.r()) + 0.7152 * part(color.g()) + 0.0722 * part(color.b())
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn black_on_white_is_21_to_1() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-3);
        assert!((contrast(Color32::from_gray(118), Color32::WHITE) - 4.54).abs() < 0.02);
    }

    #[test]
    fn all_text_stands_out_from_what_it_lies_on() {
        for theme in [Theme::Dark, Theme::Light] {
            let (visuals, colors) = (visuals(theme), colors(theme == Theme::Dark));
            // The picture under a label is anything between black and white.
            let over = [Color32::BLACK, Color32::WHITE].map(|picture| picture.blend(colors.over));
            let grounds = [
                ("panel", visuals.panel_fill),
                ("window", visuals.window_fill),
                ("stripe", visuals.window_fill.blend(visuals.faint_bg_color)),
                ("field", visuals.extreme_bg_color),
                ("tabs", colors.backdrop),
                ("label over black", over[0]),
                ("label over white", over[1]),
            ];
            let texts = [
                ("text", visuals.text_color()),
                ("weak", visuals.weak_text_color()),
                ("strong", visuals.strong_text_color()),
                ("link", visuals.hyperlink_color),
                ("good", colors.good),
                ("bad", colors.bad),
                ("amber", colors.amber),
            ];
            for (ground, under) in grounds {
                for (name, text) in texts {
                    let found = contrast(text, under);
                    assert!(found >= 4.5, "{theme:?}: {name} on {ground} {found:.2}");
                }
            }
            let widgets = &visuals.widgets;
            let buttons = [&widgets.inactive, &widgets.hovered, &widgets.active, &widgets.open];
            for (place, button) in buttons.iter().enumerate() {
                let found = contrast(button.fg_stroke.color, button.weak_bg_fill);
                assert!(found >= 4.5, "{theme:?}: button {place} {found:.2}");
            }
            let chosen = contrast(visuals.selection.stroke.color, visuals.selection.bg_fill);
            assert!(chosen >= 4.5, "{theme:?}: what is chosen {chosen:.2}");
        }
    }
}
