//! Text in pictures: [`bitmap`] is plotters' own but for letters, which stand as their font has them. plotters 0.3.7 leaves out
//! the room before a letter, so that "p95 1.156" looks like "p951.156".

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, GlyphId, ScaleFont, point};
use egui::FontDefinitions;
use plotters::{
    coord::Shift,
    prelude::*,
    style::{
        FontStyle, register_font,
        text_anchor::{HPos, VPos},
    },
};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

/// The panel's font, as bytes that live as long as the program.
fn bytes() -> Result<&'static [u8], String> {
    static BYTES: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| {
        let fonts = FontDefinitions::default();
        fonts.font_data.get("Ubuntu-Light").map(|data| data.font.as_ref().as_ref().to_vec())
    });
    bytes.as_deref().ok_or_else(|| "the font of the panel is missing".to_string())
}

/// Makes the panel's font plotters' `sans-serif`: bitmaps have no other, and SVGs are laid out by it.
pub fn register() -> Result<(), String> {
    register_font("sans-serif", FontStyle::Normal, bytes()?)
        .map_err(|_| "the font of the panel is not a font".to_string())
}

/// What draws into `pixels`, RGB rows from the top; the font is registered.
pub fn bitmap(pixels: &mut [u8], size: (u32, u32)) -> Result<DrawingArea<Bitmap<'_>, Shift>, String> {
    register()?;
    let font = FontRef::try_from_slice(bytes()?).map_err(|why| format!("the font of the panel: {why}"))?;
    Ok(Bitmap { under: BitMapBackend::with_buffer(pixels, size), font }.into_drawing_area())
}

/// Made by [`bitmap`].
pub struct Bitmap<'a> {
    under: BitMapBackend<'a>,
    font: FontRef<'static>,
}

impl Bitmap<'_> {
    /// Calls `dot` with each pixel of a line of text whose upper left corner is 0, and how much of it the letters cover.
    fn write(&self, text: &str, size: f32, mut dot: impl FnMut(BackendCoord, f32)) {
        let font = self.font.as_scaled(size);
        let (mut x, mut before) = (0.0, None::<GlyphId>);
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            x += before.map_or(0.0, |before| font.kern(before, id));
            // plotters puts the base line there.
            let glyph = id.with_scale_and_position(size, point(x, (0.5 * size).floor()));
            if let Some(outline) = font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|right, down, covers| {
                    dot((corner.x as i32 + right as i32, corner.y as i32 + down as i32), covers);
                });
            }
            x += font.h_advance(id);
            before = Some(id);
        }
    }
}

type Drawn<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> DrawingBackend for Bitmap<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.under.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn<'a> {
        self.under.ensure_prepared()
    }

    fn present(&mut self) -> Drawn<'a> {
        self.under.present()
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> Drawn<'a> {
        self.under.draw_pixel(at, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn<'a> {
        self.under.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn<'a> {
        self.under.draw_rect(from, to, style, fill)
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, at: BackendCoord) -> Drawn<'a> {
        let layout = style.layout_box(text).map_err(|why| DrawingErrorKind::FontError(Box::new(why)))?;
        let ((left, top), (right, bottom)) = layout;
        let anchor = style.anchor();
        let across = match anchor.h_pos {
            HPos::Left => 0,
            HPos::Center => (left - right) / 2,
            HPos::Right => left - right,
        };
        let down = match anchor.v_pos {
            VPos::Top => 0,
            VPos::Center => (top - bottom) / 2,
            VPos::Bottom => top - bottom,
        };
        let (turned, color, (width, height)) = (style.transform(), style.color(), self.get_size());
        let mut dots = Vec::new();
        self.write(text, style.size() as f32, |(x, y), covers| {
            let (x, y) = turned.transform(x + across - left, y + down - top);
            let (x, y) = (at.0 + x, at.1 + y);
            if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
                dots.push(((x, y), color.mix(covers.into())));
            }
        });
        dots.into_iter().try_for_each(|(at, color)| self.under.draw_pixel(at, color))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of pixels without any ink between those of the first and of the last letter, longest run of them.
    fn gap(text: &str) -> usize {
        let (width, height) = (200, 20);
        let mut pixels = vec![0; 3 * width * height];
        let area = bitmap(&mut pixels, (width as u32, height as u32)).expect("a font");
        area.draw_text(text, &("sans-serif", 14).into_font().color(&WHITE), (2, 2)).expect("it is drawn");
        drop(area);
        let inked = |x: &usize| (0..height).any(|y| pixels[3 * (y * width + x)] > 40);
        let columns: Vec<usize> = (0..width).filter(inked).collect();
        columns.windows(2).map(|pair| pair[1] - pair[0] - 1).max().expect("there are letters")
    }

    #[test]
    fn a_space_is_wider_than_what_lies_between_letters() {
        let (apart, together) = (gap("5 1"), gap("51"));
        assert!(apart >= together + 3, "{apart} and {together} pixels");
    }
}
