//! Particles as dots.

use weft_draw::Lines;

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay { name: "particles", doc: "each particle as a dot", draw };

const COLOR: u32 = 0x9f_e8ff;
const WIDTH: f32 = 3.0;

fn draw(seen: &Seen, lines: &mut Lines) {
    (0..seen.positions.len() as u32)
        .filter_map(|particle| seen.place(particle))
        .for_each(|at| lines.dot(at, COLOR, WIDTH));
}
