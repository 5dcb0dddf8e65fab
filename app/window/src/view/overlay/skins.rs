//! Skins of colliders: where cloth comes to rest, the distance that is kept from the surface.

use std::f32::consts::TAU;

use glam::Vec3;

use weft_draw::{Lines, Shape, Solid};

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "skins",
    doc: "the surface that each collider keeps cloth off, its distance from the collider included",
    draw,
};

const COLOR: u32 = 0xff_b84d;
const WIDTH: f32 = 1.0;
/// Parts of a circle, and circles of a ball in each direction.
const PARTS: usize = 32;
const CIRCLES: usize = 4;
/// Faces of a mesh that are drawn at most: of more, as many spread over it.
const FACES: usize = 6000;
/// Cells of a plane to each side, and their edge [m].
const CELLS: i32 = 6;
const CELL: f32 = 0.25;

fn draw(seen: &Seen, lines: &mut Lines) {
    for (row, solid) in seen.solids {
        let skin = seen.skin(*row);
        let mut add = |a: Vec3, b: Vec3| {
            let world = |point: Vec3| solid.position + solid.rotation * point;
            lines.add(world(a), world(b), COLOR, WIDTH);
        };
        match &solid.shape {
            Shape::Sphere { radius } => ball(radius + skin, 0.0, &mut add),
            Shape::Capsule { radius, half_height } => ball(radius + skin, *half_height, &mut add),
            Shape::Box { half } => sides(*half, skin, &mut add),
            Shape::Mesh { .. } => mesh(solid, skin, &mut add),
        }
    }
    let middle = middle(seen);
    for (point, turn, row) in seen.planes() {
        // Around what there is of cloth.
        let inside = turn.inverse() * (middle - point);
        let at = |x: i32, z: i32| {
            let edge = |i: i32| i as f32 * CELL;
            point + turn * Vec3::new(inside.x + edge(x), seen.skin(row), inside.z + edge(z))
        };
        for i in -CELLS..=CELLS {
            lines.add(at(i, -CELLS), at(i, CELLS), COLOR, WIDTH);
            lines.add(at(-CELLS, i), at(CELLS, i), COLOR, WIDTH);
        }
    }
}

fn middle(seen: &Seen) -> Vec3 {
    let count = seen.positions.len().max(1) as f32;
    seen.positions.iter().map(|x| Vec3::new(x[0], x[1], x[2])).sum::<Vec3>() / count
}

/// A ball whose halves are moved apart along y.
fn ball(radius: f32, half_height: f32, add: &mut impl FnMut(Vec3, Vec3)) {
    let angle = |i: usize| i as f32 / PARTS as f32 * TAU;
    let apart = |point: Vec3| point + Vec3::Y * half_height * if point.y < 0.0 { -1.0 } else { 1.0 };
    for circle in 0..CIRCLES {
        let around = circle as f32 / CIRCLES as f32 * 0.5 * TAU;
        let up = |i: usize| {
            let (sin, cos) = angle(i).sin_cos();
            // The sign of 0 would tear a capsule's middle line apart.
            apart(radius * Vec3::new(cos * around.cos(), sin + 1e-6, cos * around.sin()))
        };
        (0..PARTS).for_each(|i| add(up(i), up(i + 1)));
    }
    for circle in 1 - CIRCLES as i32..CIRCLES as i32 {
        let (height, wide) = (circle as f32 / CIRCLES as f32 * 0.25 * TAU).sin_cos();
        let level = |i: usize| {
            let (sin, cos) = angle(i).sin_cos();
            apart(radius * Vec3::new(wide * cos, height, wide * sin))
        };
        (0..PARTS).for_each(|i| add(level(i), level(i + 1)));
    }
}

/// The six sides of a box, each moved out.
fn sides(half: Vec3, skin: f32, add: &mut impl FnMut(Vec3, Vec3)) {
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
        let corner = |u: f32, v: f32| {
            let mut point = Vec3::ZERO;
            point[axis] = sign * (half[axis] + skin);
            point[(axis + 1) % 3] = u * half[(axis + 1) % 3];
            point[(axis + 2) % 3] = v * half[(axis + 2) % 3];
            point
        };
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        (0..4).for_each(|i| add(corners[i], corners[(i + 1) % 4]));
    }
}

fn mesh(solid: &Solid, skin: f32, add: &mut impl FnMut(Vec3, Vec3)) {
    let Shape::Mesh { solid, scale } = &solid.shape else { return };
    let faces = solid.corners.len();
    for face in (0..faces).step_by(faces.div_ceil(FACES).max(1)) {
        let [a, b, c] = solid.face(face).map(|corner| corner * *scale);
        let out = (b - a).cross(c - a).normalize_or_zero() * skin;
        for [from, to] in [[a, b], [b, c], [c, a]] {
            add(from + out, to + out);
        }
    }
}
