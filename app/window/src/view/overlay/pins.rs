//! What does not move by itself: pinned particles, those that the hand holds, and soft pins with their springs.

use weft_core::state::col;
use weft_draw::Lines;

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "pins",
    doc: "pinned particles red, held by the hand yellow, soft pins violet with a line to where they pull",
    draw,
};

const PINNED: u32 = 0xff_3b30;
const HELD: u32 = 0xff_d60a;
const SOFT: u32 = 0xb0_7cff;
const RIM: u32 = 0x10_1014;
/// Of a dot, and of the dark rim around it [pixels].
const WIDTH: f32 = 9.0;
const RIM_WIDTH: f32 = 12.0;

fn draw(seen: &Seen, lines: &mut Lines) {
    let held: Vec<u32> = seen.session.hand().grab().map_or_else(Vec::new, |grab| grab.particles().collect());
    let fixed = seen.state.get(col::particle::position).iter().enumerate().filter(|(_, x)| x[3] == 0.0);
    for (particle, _) in fixed {
        let particle = particle as u32;
        let color = if held.contains(&particle) { HELD } else { PINNED };
        seen.place(particle).into_iter().for_each(|at| mark(lines, at, color));
    }
    let soft = seen.state.get(col::attachment::idx).iter().zip(seen.state.get(col::attachment::target));
    for (particle, [x, y, z, _]) in soft {
        let Some(at) = seen.place(*particle) else { continue };
        lines.add(at, glam::Vec3::new(*x, *y, *z), SOFT, 2.0);
        mark(lines, at, SOFT);
    }
}

fn mark(lines: &mut Lines, at: glam::Vec3, color: u32) {
    lines.dot(at, RIM, RIM_WIDTH);
    lines.dot(at, color, WIDTH);
}
