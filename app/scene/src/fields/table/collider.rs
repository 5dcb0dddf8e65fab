//! Rows of a collider and its motion.

use super::super::super::collider::{Collider, ColliderShape, Motion};
use super::super::Class::{Live, Rescale, Structural};
use super::{Visitor, row};

pub(super) fn visit(at: &mut Visitor<'_>, collider: &mut Collider) {
    let length = |doc| row("m", 1e-3, 1000.0, Rescale, doc).slider().log();
    match &mut collider.shape {
        ColliderShape::Plane => {}
        ColliderShape::Sphere { radius } => at.float("shape.radius", radius, length("radius")),
        ColliderShape::Capsule { radius, half_height } => {
            at.float("shape.radius", radius, length("radius"));
            at.float("shape.half_height", half_height, length("from the centre to the centre of a cap"));
        }
        ColliderShape::Box { half } => {
            at.vec3("shape.half", half, length("from the centre to the faces"));
        }
        ColliderShape::Mesh { file, scale, .. } => {
            let doc = "OBJ file relative to the scene file";
            at.text("shape.file", file, row("1", 0.0, 0.0, Structural, doc));
            let doc = "metres for one unit of the file";
            at.float("shape.scale", scale, row("m", 1e-6, 1e6, Rescale, doc).log());
        }
    }
    at.vec3("at", &mut collider.at, row("m", -1e4, 1e4, Rescale, "centre").slider());
    let doc = "about x, then y, then z";
    at.vec3("rotation", &mut collider.rotation, row("degrees", -360.0, 360.0, Rescale, doc));
    let coulomb = |doc| row("1", 0.0, 10.0, Live, doc).slider();
    at.float("friction.static", &mut collider.friction.at_rest, coulomb("Coulomb coefficient at rest"));
    at.float("friction.dynamic", &mut collider.friction.dynamic, coulomb("Coulomb coefficient sliding"));
    let doc = "coefficient of restitution: fraction of the normal speed that is given back";
    at.float("restitution", &mut collider.restitution, row("1", 0.0, 1.0, Live, doc).slider());
    let doc = "distance kept from the surface";
    at.float("thickness", &mut collider.thickness, row("m", 0.0, 1.0, Live, doc).slider());
    at.vec3("color", &mut collider.color, row("1", 0.0, 1.0, Live, "linear colour").slider());
    at.inside("motion", |at| motion(at, &mut collider.motion));
    let doc = "in the window arrows move it level, J up and K down";
    at.flag("keys", &mut collider.keys, row("1", 0.0, 1.0, Live, doc));
    let doc = "0: moved by `motion` or the hand; above 0 it falls, and cloth pushes it";
    at.float("mass", &mut collider.mass, row("kg", 0.0, 1e6, Rescale, doc));
    let doc = "at the start, of a body with a mass";
    at.vec3("velocity", &mut collider.velocity, row("m/s", -1e4, 1e4, Rescale, doc));
}

fn motion(at: &mut Visitor<'_>, motion: &mut Motion) {
    let place = |doc| row("m", -1e4, 1e4, Rescale, doc);
    let seconds = |doc| row("s", 0.01, 1e4, Rescale, doc).slider();
    match motion {
        Motion::Still => {}
        Motion::Oscillate { offset, period, delay } => {
            at.vec3("offset", offset, place("far end, from `at`").slider());
            at.float("period", period, seconds("there and back"));
            at.float("delay", delay, row("s", 0.0, 1e4, Rescale, "time before it starts"));
        }
        Motion::Spin { axis, period } => {
            let doc = "axis through the centre, any length above zero";
            at.vec3("axis", axis, row("1", -1000.0, 1000.0, Rescale, doc));
            at.float("period", period, seconds("one turn"));
        }
        Motion::Path { keys, repeat } => {
            for (index, key) in keys.iter_mut().enumerate() {
                let time = row("s", 0.0, 1e6, Rescale, "time of the key");
                at.float(&format!("keys[{index}][0]"), &mut key.0, time);
                let offset = place("offset from `at` at the key");
                at.vec3(&format!("keys[{index}][1]"), &mut key.1, offset);
            }
            let doc = "start again after the last key";
            at.flag("repeat", repeat, row("1", 0.0, 1.0, Rescale, doc));
        }
        Motion::Keyframes { keys, repeat } => {
            for (index, key) in keys.iter_mut().enumerate() {
                let time = row("s", 0.0, 1e6, Rescale, "time of the key");
                at.float(&format!("keys[{index}][0]"), &mut key.0, time);
                let offset = place("offset from `at` at the key");
                at.vec3(&format!("keys[{index}][1]"), &mut key.1, offset);
                let turn = row("degrees", -1e5, 1e5, Rescale, "about x, then y, then z at the key");
                at.vec3(&format!("keys[{index}][2]"), &mut key.2, turn);
            }
            let doc = "start again after the last key";
            at.flag("repeat", repeat, row("1", 0.0, 1.0, Rescale, doc));
        }
    }
}
