//! Long-range attachments: from each particle to the pinned one that it stays in reach of.

use weft_core::state::col;
use weft_draw::Lines;

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay =
    Overlay { name: "tethers", doc: "long-range attachments: taut ones red, slack ones grey", draw };

const TAUT: u32 = 0xff_5a4a;
const SLACK: u32 = 0x70_7a86;
/// Of its longest distance, from which on one is taut.
const FROM: f32 = 0.999;

fn draw(seen: &Seen, lines: &mut Lines) {
    let state = seen.state;
    let rows = state.get(col::tether::idx).iter().zip(state.get(col::tether::anchor));
    for ((particle, anchor), rest) in rows.zip(state.get(col::tether::rest)) {
        let (Some(a), Some(b)) = (seen.place(*particle), seen.place(*anchor)) else { continue };
        lines.add(a, b, if a.distance(b) >= FROM * rest { TAUT } else { SLACK }, 1.0);
    }
}
