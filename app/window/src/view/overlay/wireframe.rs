//! Springs by kind, edges of membranes, bending edges, segments of strands.

use weft_core::state::col;
use weft_draw::Lines;

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "wireframe",
    doc: "springs (white structural, blue shear, orange bending), membranes green, bending edges pink, strands yellow",
    draw,
};

/// Of the kinds of springs: structural, shear, bend; then membranes, hinges, strands.
const SPRINGS: [u32; 3] = [0xe8_ecf0, 0x4f_a3ff, 0xff_9a3c];
const MEMBRANE: u32 = 0x62_d27a;
const HINGE: u32 = 0xf0_6ab8;
const STRAND: u32 = 0xf2_d64b;
const WIDTH: f32 = 1.0;

fn draw(seen: &Seen, lines: &mut Lines) {
    let state = seen.state;
    for (ends, kind) in state.get(col::distance::idx).iter().zip(state.get(col::distance::kind)) {
        seen.join(lines, *ends, SPRINGS[(*kind as usize).min(2)], WIDTH);
    }
    let models = state.get(col::triangle::model);
    for ([a, b, c], _) in state.get(col::triangle::idx).iter().zip(models).filter(|(_, model)| **model > 0) {
        for ends in [[*a, *b], [*b, *c], [*c, *a]] {
            seen.join(lines, ends, MEMBRANE, WIDTH);
        }
    }
    for [a, b, ..] in state.get(col::hinge::idx) {
        seen.join(lines, [*a, *b], HINGE, WIDTH);
    }
    for [first, stride, count] in state.get(col::strand::span) {
        for i in 1..*count {
            seen.join(lines, [first + stride * (i - 1), first + stride * i], STRAND, WIDTH);
        }
    }
}
