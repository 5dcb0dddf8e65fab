//! What a person may want to know about a scene that is right: counts of a mesh, pins that hold nothing, numbers that are
//! hard to compute with, a start with cloth or roots in a collider, or with cloth through cloth.

mod numbers;
mod strands;

use super::{ColliderShape, Pin, Scene, Shape, Vocabulary, mesh, start};

/// One sentence each, with the cloth it is about; in the order of the scene. `segments` as the check of the scene found them.
pub(crate) fn notes(scene: &Scene, segments: &[f32], known: &Vocabulary) -> Vec<String> {
    let mut notes = Vec::new();
    for cloth in &scene.cloths {
        if let Shape::Mesh { surface: Some(Ok(surface)), file, .. } = &cloth.shape {
            notes.extend(surface.notes.iter().map(|note| format!("cloths.{}: {file}: {note}", cloth.id)));
        }
        if cloth.pins.iter().any(|pin| matches!(pin, Pin::Within { .. })) {
            for (index, _) in mesh::held_by_pins(cloth).iter().enumerate().filter(|(_, held)| **held == 0) {
                notes.push(format!("cloths.{}: pins[{index}] holds no particle", cloth.id));
            }
        }
    }
    for collider in &scene.colliders {
        if let ColliderShape::Mesh { file, solid: Some(Ok(solid)), .. } = &collider.shape {
            let (faces, megabytes) = (solid.corners.len(), solid.bytes() as f64 / 1e6);
            let inside = if solid.closed {
                "closed, so it has an inside: what comes in is pushed out".to_string()
            } else {
                format!(
                    "{} edge(s) without two faces, so it has no inside: a shell that keeps cloth `thickness` away on both sides; merge vertices by distance and fill holes if it should have one",
                    solid.boundary
                )
            };
            notes.push(format!(
                "colliders.{}: {file}: {faces} faces, {megabytes:.1} MB; {inside}",
                collider.id
            ));
        }
    }
    notes.extend(numbers::notes(scene, known));
    notes.extend(strands::notes(scene, segments));
    notes.extend(start::notes(scene));
    notes
}
