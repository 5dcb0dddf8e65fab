//! The scale bar in a picture: colours, round numbers and the unit, at the right edge. The window has `ui/scale.rs`.

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use weft_proof::letters;
use weft_window::view::Scale;

/// Of the whole box, for the smallest picture that has room for it [pixels].
const BOX: (u32, u32) = (104, 250);
/// From the edge of the picture [pixels].
const MARGIN: u32 = 12;
/// Left, top, right and bottom of the bar in the box [pixels].
const BAR: [i32; 4] = [76, 52, 94, 236];
const FONT: &str = "sans-serif";

/// Draws the bar into `pixels`, RGBA rows from the top; nothing for a texture or where there is no room.
pub(crate) fn draw(pixels: &mut [u8], (width, height): (u32, u32), scale: &Scale) -> Result<(), String> {
    if scale.quantity.is_look() || width < BOX.0 + 2 * MARGIN || height < BOX.1 + 2 * MARGIN {
        return Ok(());
    }
    let left = width - MARGIN - BOX.0;
    let top = (height - BOX.1) / 2;
    let place = |x: u32, y: u32| 4 * ((top + y) * width + left + x) as usize;
    let mut part = vec![0; (3 * BOX.0 * BOX.1) as usize];
    let all = (0..BOX.1).flat_map(|y| (0..BOX.0).map(move |x| (x, y)));
    for ((x, y), pixel) in all.clone().zip(part.chunks_exact_mut(3)) {
        // Dark glass, so that the numbers can be read on any picture.
        let under = &pixels[place(x, y)..][..3];
        pixel.iter_mut().zip(under).for_each(|(pixel, under)| *pixel = under / 4);
    }
    paint(&mut part, scale)?;
    for ((x, y), pixel) in all.zip(part.chunks_exact(3)) {
        pixels[place(x, y)..][..3].copy_from_slice(pixel);
    }
    Ok(())
}

fn paint(part: &mut [u8], scale: &Scale) -> Result<(), String> {
    let area = letters::bitmap(part, BOX)?;
    let [left, top, right, bottom] = BAR;
    let text = |size: u32| (FONT, size).into_font().color(&WHITE);
    let error = |error: DrawingAreaErrorKind<_>| format!("the scale bar: {error}");
    // A table and its column stand above each other.
    let (table, name) = scale.quantity.name.split_once('.').unwrap_or(("", scale.quantity.name));
    area.draw_text(table, &text(11), (10, 2)).map_err(error)?;
    area.draw_text(name, &text(if name.len() > 12 { 11 } else { 16 }), (10, 12)).map_err(error)?;
    area.draw_text(&scale.unit(), &text(14), (10, 31)).map_err(error)?;
    let knots = scale.palette.knots();
    for y in top..bottom {
        let at = (bottom - 1 - y) as f32 / (bottom - 1 - top) as f32 * (knots.len() - 1) as f32;
        let (knot, share) = ((at as usize).min(knots.len() - 2), at.fract());
        let share = if at as usize > knot { 1.0 } else { share };
        let [r, g, b] = [0, 1, 2].map(|i| {
            let color = knots[knot][i] + share * (knots[knot + 1][i] - knots[knot][i]);
            (color * 255.0).round() as u8
        });
        let line = PathElement::new([(left, y), (right, y)], RGBColor(r, g, b));
        area.draw(&line).map_err(error)?;
    }
    let numbers = text(14).pos(Pos::new(HPos::Right, VPos::Center));
    for (share, number) in scale.marks() {
        let y = bottom - 1 - (share * (bottom - 1 - top) as f32).round() as i32;
        area.draw(&PathElement::new([(left - 4, y), (left, y)], WHITE)).map_err(error)?;
        area.draw_text(&number, &numbers, (left - 7, y)).map_err(error)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_draw::Palette;
    use weft_window::view::Quantity;

    #[test]
    fn the_bar_has_the_colours_of_the_palette_from_bottom_to_top() {
        let size = (320, 300);
        let scale = Scale::new(Quantity::named("stress").expect("there is one"), Palette::Viridis);
        let mut pixels = vec![200; (4 * size.0 * size.1) as usize];
        draw(&mut pixels, size, &scale).expect("there is room");
        let x = size.0 - MARGIN - BOX.0 + BAR[0] as u32 + 8;
        let at = |y: i32| {
            let y = (size.1 - BOX.1) / 2 + y as u32;
            &pixels[(4 * (y * size.0 + x)) as usize..][..3]
        };
        let color = |knot: [f32; 4]| [knot[0], knot[1], knot[2]].map(|part| (part * 255.0).round() as u8);
        let knots = Palette::Viridis.knots();
        assert_eq!(at(BAR[3] - 1), color(knots[0]));
        assert_eq!(at(BAR[1]), color(knots[knots.len() - 1]));
        assert!(pixels.chunks(4).take(200).all(|pixel| pixel == [200; 4]), "beside it nothing changes");
        let mut small = vec![9; 4 * 32 * 32];
        draw(&mut small, (32, 32), &scale).expect("no room, no bar");
        assert!(small.iter().all(|value| *value == 9));
    }
}
