//! The small cloth: what stands in for a state that is too large to copy, and what solvers that do not run are tried on.

use weft_core::state::Blueprint;
use weft_scene::assemble;

const SCENE: &str = r#"Scene(
    version: 1,
    wind: (velocity: (1.0, 0.0, 0.5), coefficient: 0.5),
    cloths: [Cloth(
        id: "sheet",
        shape: Grid(columns: 16, rows: 16, width: 0.6, height: 0.6),
        at: (0.0, 1.0, 0.0),
        pins: [Corner(TopLeft), Corner(TopRight)],
        material: (density: 0.2, compliance: (structural: 0.0, shear: 1e-5, bend: 1e-3)),
    )],
    colliders: [Collider(id: "ball", shape: Sphere(radius: 0.2), at: (0.0, 0.8, -0.15))],
)"#;

/// Its tables.
pub(super) fn blueprint() -> Result<Blueprint, String> {
    let loaded = weft_scene::parse_text("the small cloth", SCENE, None, &weft_scene::Vocabulary::default())
        .map_err(|errors| errors.to_string())?;
    Ok(assemble::assemble(&loaded.scene).blueprint)
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_a_good_scene() {
        let blueprint = super::blueprint().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(blueprint.table("particle").map(|table| table.rows), Some(256));
    }
}
