//! Shape, mass and motion of a collider: the rules between fields.

use super::super::collider::{Collider, ColliderShape, Motion};
use super::Checker;
use crate::solid::Solid;

pub(super) fn check(checker: &mut Checker<'_>, path: &str, collider: &Collider) {
    match &collider.shape {
        ColliderShape::Mesh { solid: Some(Err(fault)), .. } => {
            checker.error(&format!("{path}.shape.file"), fault.message.clone(), &fault.help);
        }
        ColliderShape::Mesh { solid: Some(Ok(solid)), scale, file } => {
            mesh(checker, path, collider, (solid, *scale, file));
        }
        _ => {}
    }
    body(checker, path, collider);
    motion(checker, &format!("{path}.motion"), &collider.motion);
}

fn mesh(
    checker: &mut Checker<'_>,
    path: &str,
    collider: &Collider,
    (solid, scale, file): (&Solid, f32, &str),
) {
    checker.extent(&format!("{path}.shape.scale"), solid.extent * scale);
    if solid.closed && solid.volume < 0.0 {
        let message = format!("{file}: its faces look inwards");
        let help =
            "a collider is solid behind its faces; turn them (Blender: Mesh > Normals > Recalculate Outside)";
        checker.error(&format!("{path}.shape.file"), message, help);
    }
    if !solid.closed && collider.thickness <= 0.0 {
        let message = format!(
            "{file} has {} edge(s) without two faces, so it has no inside, and a shell needs a thickness",
            solid.boundary
        );
        checker.error(&format!("{path}.thickness"), message, "such as 0.005, or close the mesh");
    }
}

/// Lightest body [kg]: the inverse of what is lighter, or of its inertia, is no number any more.
const LIGHTEST: f32 = 1e-6;

/// What a body with a mass must be.
fn body(checker: &mut Checker<'_>, path: &str, collider: &Collider) {
    if collider.mass > 0.0 {
        if collider.mass < LIGHTEST {
            let message = format!("`mass` is {} kg; a body has at least {LIGHTEST} kg", collider.mass);
            checker.error(&format!("{path}.mass"), message, "0: moved by `motion` or the hand");
        }
        if !matches!(collider.shape, ColliderShape::Sphere { .. } | ColliderShape::Box { .. }) {
            let help = "leave `mass` out: it then goes where `motion` and the hand take it";
            checker.error(&format!("{path}.mass"), "only a Sphere or a Box may have a mass", help);
        }
        if collider.motion != Motion::Still {
            let help = "leave `motion` or `mass` out; `velocity` is how it starts";
            checker.error(&format!("{path}.motion"), "a body with a mass goes its own way", help);
        }
    } else if collider.velocity != [0.0; 3] {
        let help = "give it a `mass`, or a `motion`";
        checker.error(&format!("{path}.velocity"), "only a body with a mass starts with a velocity", help);
    }
}

/// Between two keys, of which no speed could be worked out if they were nearer [s].
const KEYS_APART: f32 = 1e-6;

fn motion(checker: &mut Checker<'_>, path: &str, motion: &Motion) {
    let times: Vec<f32> = match motion {
        Motion::Spin { axis, .. } => return checker.direction(&format!("{path}.axis"), *axis),
        Motion::Path { keys, .. } => keys.iter().map(|key| key.0).collect(),
        Motion::Keyframes { keys, .. } => keys.iter().map(|key| key.0).collect(),
        Motion::Still | Motion::Oscillate { .. } => return,
    };
    if times.is_empty() {
        checker.error(&format!("{path}.keys"), "a path needs at least one key", "");
    }
    for (index, pair) in times.windows(2).enumerate() {
        if pair[1] <= pair[0] {
            let message = format!("key at {} s does not come after the one at {} s", pair[1], pair[0]);
            checker.error(&format!("{path}.keys[{}][0]", index + 1), message, "times must increase");
        } else if pair[1] - pair[0] < KEYS_APART {
            let message =
                format!("key at {:e} s comes {:e} s after the one before", pair[1], pair[1] - pair[0]);
            let help = format!("keys at least {KEYS_APART:e} s apart, for what goes there jumps");
            checker.error(&format!("{path}.keys[{}][0]", index + 1), message, &help);
        }
    }
}
