//! Skin that hair grows on: darker towards the colour of its roots, by how much of it hair covers that is too fine and too short to be
//! drawn. Where hair parts, as at a crown, nothing drawn lies over the skin, and in the lamp it would be white.

use std::f32::consts::TAU;

use glam::Vec3;
use weft_scene::{ColliderShape, Roots, Scene};

/// Of each hair, so much lies close to the skin [m].
const CLOSE: f32 = 0.02;
/// Hair that lies on skin takes light from its roots.
const SHADED: f32 = 0.5;

/// A cap of a sphere with hair on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scalp {
    /// Unit vector to its middle, in the frame of the sphere.
    pub axis: Vec3,
    /// Of the angle from the axis at which it ends.
    pub cosine: f32,
    /// Linear colour, 0..1.
    pub color: [f32; 3],
    /// Of the skin, 0..1.
    pub covered: f32,
}

impl Scalp {
    /// Of the collider at a place of the scene's list; `None` where no hair grows on it in a cap.
    pub fn of(scene: &Scene, collider: usize) -> Option<Self> {
        let ColliderShape::Sphere { radius } = scene.colliders.get(collider)?.shape else { return None };
        let mut here = scene.strands.iter().filter(|strands| strands.seat(scene) == Some(collider));
        here.find_map(|strands| {
            let Roots::Cap { axis, angle, count, .. } = &strands.roots else { return None };
            let (look, cosine) = (&strands.look, angle.to_radians().cos());
            let skin = TAU * radius * radius * (1.0 - cosine);
            let hairs = *count as f32 * look.children as f32;
            let lies = hairs * look.width * CLOSE.min(strands.length);
            Some(Self {
                axis: Vec3::from(*axis).normalize_or(Vec3::Y),
                cosine,
                color: look.colors()[0].map(|part| SHADED * part),
                // As much as so many of them cover that lie at random.
                covered: 1.0 - (-lies / skin).exp(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_is_covered_where_hair_grows_and_the_more_the_more_of_it() {
        let scene = |count: u32| {
            let text = format!(
                "(version: 1, colliders: [(id: \"ball\", shape: Sphere(radius: 0.1)), (id: \"head\", shape: Sphere(radius: 0.1))],
                strands: [(id: \"hair\", seat: Collider(\"head\"), length: 0.3, roots: Cap(axis: (0, 2, 0), angle: 90, count: {count}),
                look: (children: 10, width: 0.0005, root: (0.2, 0.1, 0.0)))])"
            );
            weft_scene::parse_text("test", &text, None, &weft_scene::Vocabulary::default())
                .expect("a scene")
                .scene
        };
        assert_eq!(Scalp::of(&scene(100), 0), None);
        let [some, many] = [100, 10_000].map(|count| Scalp::of(&scene(count), 1).expect("hair"));
        assert!(
            some.cosine.abs() < 1e-6 && some.axis == Vec3::Y && some.color == [0.1, 0.05, 0.0],
            "{some:?}"
        );
        // 1000 x 0.5 x 20 mm2 on a half sphere of 62,832.
        assert!((some.covered - 0.1471).abs() < 1e-3 && many.covered > 0.999, "{some:?} {many:?}");
    }
}
