//! Which colour each constraint has: rows of one colour share no particle and are solved at the same time.

use glam::Vec3;

use weft_core::state::{Table, col};
use weft_draw::Lines;

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "colors",
    doc: "springs and membranes by the colour in which they are solved at the same time; those of the serial rest white",
    draw,
};

const WIDTH: f32 = 2.0;
const REST: u32 = 0xff_ffff;
/// Triangles are drawn smaller by this, so that those that share an edge lie apart.
const SHRINK: f32 = 0.75;

fn draw(seen: &Seen, lines: &mut Lines) {
    let state = seen.state;
    if let Some(table) = state.table("distance") {
        for (row, ends) in state.get(col::distance::idx).iter().enumerate() {
            seen.join(lines, *ends, color(table, row), WIDTH);
        }
    }
    let Some(table) = state.table("triangle") else { return };
    let models = state.get(col::triangle::model);
    for (row, corners) in state.get(col::triangle::idx).iter().enumerate() {
        let [Some(a), Some(b), Some(c)] = corners.map(|corner| seen.place(corner)) else { continue };
        if models.get(row).is_none_or(|model| *model == 0) {
            continue;
        }
        let middle = (a + b + c) / 3.0;
        let [a, b, c] = [a, b, c].map(|corner: Vec3| middle.lerp(corner, SHRINK));
        for [from, to] in [[a, b], [b, c], [c, a]] {
            lines.add(from, to, color(table, row), WIDTH);
        }
    }
}

fn color(table: &Table, row: usize) -> u32 {
    let ends = &table.coloring.ends;
    let index = ends.partition_point(|end| *end as usize <= row);
    if index == ends.len() { REST } else { hue(index) }
}

/// Hues apart by the golden section, so that neighbours in number differ most.
fn hue(index: usize) -> u32 {
    let turn = (index as f32 * 0.618_034).fract() * 6.0;
    let part = |shift: f32| {
        let k = (shift + turn) % 6.0;
        let value = 1.0 - 0.85 * k.min(4.0 - k).clamp(0.0, 1.0);
        (value * 255.0).round() as u32
    };
    part(5.0) << 16 | part(3.0) << 8 | part(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_colours_of_a_grid_are_told_apart() {
        let colors: Vec<u32> = (0..12).map(hue).collect();
        let far = |a: u32, b: u32| {
            [16, 8, 0].map(|bit| (a >> bit & 255).abs_diff(b >> bit & 255)).iter().sum::<u32>()
        };
        for (i, a) in colors.iter().enumerate() {
            assert!(colors[..i].iter().all(|b| far(*a, *b) > 40), "{i}: {a:06x}");
        }
    }
}
