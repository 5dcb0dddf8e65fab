//! Particles that touch a collider now, and cloth that touches cloth, each with the normal of the contact.
//!
//! Contact with colliders is found by distance, so that it is there for every solver; that of cloth with cloth is what the last
//! detection of the step found.

use glam::Vec3;

use weft_core::state::col;
use weft_draw::Lines;

use super::{Overlay, Seen, away};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "contacts",
    doc: "particles that touch a collider green, cloth that touches cloth magenta, with the normals of the contacts",
    draw,
};

const SOLID: u32 = 0x3d_ff5a;
const CLOTH: u32 = 0xff_4fe0;
/// [rest lengths]
const LENGTH: f32 = 1.5;
/// Beyond the distance that is kept [rest lengths].
const SLACK: f32 = 0.1;
const DOT: f32 = 5.0;
const WIDTH: f32 = 1.5;

fn draw(seen: &Seen, lines: &mut Lines) {
    let slack = SLACK * seen.spacing;
    let places = || (0..seen.positions.len() as u32).filter_map(|particle| seen.place(particle));
    for (row, solid) in seen.solids {
        let reach = seen.skin(*row) + slack;
        let ball = solid.shape.bounding_radius() + reach;
        for at in places().filter(|at| at.distance_squared(solid.position) < ball * ball) {
            let inside = solid.rotation.inverse() * (at - solid.position);
            if solid.shape.distance(inside) < reach {
                mark(seen, lines, at, solid.rotation * away(&solid.shape, inside), SOLID);
            }
        }
    }
    for (point, turn, row) in seen.planes() {
        let (normal, reach) = (turn * Vec3::Y, seen.skin(row) + slack);
        for at in places().filter(|at| normal.dot(*at - point) < reach) {
            mark(seen, lines, at, normal, SOLID);
        }
    }
    cloth_on_cloth(seen, lines);
}

/// Rows that touch lie at the begin of each batch's part of the list of pairs.
fn cloth_on_cloth(seen: &Seen, lines: &mut Lines) {
    let state = seen.state;
    let (corners, normals) = (state.get(col::pair::touch), state.get(col::pair::touch_normal));
    let weights = state.get(col::pair::touch_weight);
    let batches = state.get(col::batch::first).iter().zip(state.get(col::batch::touching));
    for (first, count) in batches {
        let first = *first as usize;
        // Before the first step the numbers mean nothing.
        let Some(corners) = corners.get(first..first.saturating_add(*count as usize)) else { continue };
        for (row, corners) in (first..).zip(corners) {
            let (Some([x, y, z, _]), Some(weight)) = (normals.get(row), weights.get(row)) else { continue };
            // What is positive leads to the nearest point of the first of the two.
            let (mut at, mut sum) = (Vec3::ZERO, 0.0);
            for (corner, weight) in corners.iter().zip(weight).filter(|(_, weight)| **weight > 0.0) {
                at += seen.place(*corner).unwrap_or(Vec3::NAN) * *weight;
                sum += *weight;
            }
            let (at, normal) = (at / sum, Vec3::new(*x, *y, *z));
            if at.is_finite() && normal.is_normalized() {
                mark(seen, lines, at, normal, CLOTH);
            }
        }
    }
}

fn mark(seen: &Seen, lines: &mut Lines, at: Vec3, normal: Vec3, color: u32) {
    lines.add(at, at + normal * (LENGTH * seen.spacing), color, WIDTH);
    lines.dot(at, color, DOT);
}
