//! Springs by kind, edges of membranes, bending edges, segments of strands.

use sim_kernels::strands;
use weft_core::state::col;
use weft_draw::{Joined, Lines};

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

fn draw(seen: &Seen, lines: &mut Lines) {
    let state = seen.state;
    let (springs, kinds) = (state.get(col::distance::idx), state.get(col::distance::kind));
    let (triangles, models) = (state.get(col::triangle::idx), state.get(col::triangle::model));
    let (hinges, spans) = (state.get(col::hinge::idx), state.get(col::strand::span));
    let stretch = state.get(col::segment::stretch);
    let from: [&[u8]; 7] = [
        bytemuck::cast_slice(springs),
        bytemuck::cast_slice(kinds),
        bytemuck::cast_slice(triangles),
        bytemuck::cast_slice(models),
        bytemuck::cast_slice(hinges),
        bytemuck::cast_slice(spans),
        bytemuck::cast_slice(stretch),
    ];
    lines.wires.join(seen.positions, &from, || {
        let mut joined = SPRINGS.map(|color| Joined { color, pairs: Vec::new() });
        for (ends, kind) in springs.iter().zip(kinds) {
            joined[(*kind as usize).min(2)].pairs.push(*ends);
        }
        let membranes = triangles.iter().zip(models).filter(|(_, model)| **model > 0);
        let edges = membranes.flat_map(|([a, b, c], _)| [[*a, *b], [*b, *c], [*c, *a]]);
        let bending = hinges.iter().map(|[a, b, ..]| [*a, *b]);
        let base = state.first_of_strands();
        let strands = spans.iter().flat_map(|[first, stride, count]| {
            let segments = (1..*count).map(move |i| [first + stride * (i - 1), first + stride * i]);
            segments.filter(|[a, _]| {
                stretch.get(*a as usize - base).is_none_or(|stretch| !strands::is_cut(*stretch))
            })
        });
        let others: [(u32, Vec<[u32; 2]>); 3] =
            [(MEMBRANE, edges.collect()), (HINGE, bending.collect()), (STRAND, strands.collect())];
        joined.into_iter().chain(others.map(|(color, pairs)| Joined { color, pairs })).collect()
    });
}
