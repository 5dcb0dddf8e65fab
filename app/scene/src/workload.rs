//! W(n), the fixed workload of every benchmark.
//!
//! n x n particles 0.02 m apart, 1e-4 kg each, two corners pinned, g = 9.81, 60 frames/s, no damping, no contact.
//! Structural, both shear diagonals, skip-one bend; compliance 0 / 1e-3 / 1.0 m/N.

use weft_core::state::Data;

use crate::{
    Scene, Vocabulary,
    assemble::{self, Assembly},
    parse_text,
};

const MASS: f32 = 1e-4;
const SPACING: f32 = 0.02;

/// The workload as a scene.
pub fn workload(n: u32) -> Result<Scene, String> {
    with(n, "", "")
}

/// The same with further fields of the cloth and of its material.
pub fn with(n: u32, cloth: &str, material: &str) -> Result<Scene, String> {
    let side = SPACING * n.saturating_sub(1) as f32;
    let text = format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
            cloths: [(id: "w", shape: Grid(columns: {n}, rows: {n}, width: {side:?}, height: {side:?}),
                rotation: (90.0, 0.0, 0.0), pins: [Corner(TopLeft), Corner(TopRight)], {cloth}
                material: ({material} density: 0.25, compliance: (structural: 0.0, shear: 1e-3, bend: 1.0)))])"#
    );
    parse_text("workload", &text, None, &Vocabulary::default())
        .map(|loaded| loaded.scene)
        .map_err(|e| e.to_string())
}

/// The workload's tables: every particle has the same mass.
pub fn assembly(scene: &Scene) -> Assembly {
    let mut assembly = assemble::assemble(scene);
    let particle = assembly.blueprint.tables.iter_mut().find(|table| table.name == "particle");
    for (name, data) in particle.into_iter().flat_map(|table| &mut table.columns) {
        match data {
            Data::F32(mass) if *name == "mass" => mass.fill(MASS),
            Data::F32x4(rows) => {
                rows.iter_mut().filter(|row| row[3] > 0.0).for_each(|row| row[3] = 1.0 / MASS);
            }
            _ => {}
        }
    }
    assembly
}
