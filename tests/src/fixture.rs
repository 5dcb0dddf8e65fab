//! A scene as a bare run, as the validation cases have it, and small versions of the scenes that come with the program.

use weft_engine::generation::Generation;
pub use weft_proof::validate::fixture::{Fixture, all_solvers, solvers, vector, with_solver};
use weft_scene::{Scene, Shape, Value};
use weft_session::{Session, readings};

/// Substeps of coarse cloth, which are enough for it: scenes have more for the lengths of their fine one.
const SUBSTEPS: f64 = 16.0;

/// The scene of a file in `scenes/`, each grid `columns` by `rows` particles.
pub fn small(file: &str, columns: u32, rows: u32) -> Scene {
    let known = readings::vocabulary(&Generation::built_in());
    let mut scene = weft_scene::load(super::places::scene(file), &known).expect("scenes are good").scene;
    for cloth in &mut scene.cloths {
        if let Shape::Grid { columns: c, rows: r, .. } = &mut cloth.shape {
            (*c, *r) = (columns, rows);
        }
    }
    if let Some(Value::Number(substeps)) = scene.solver.params.get_mut("substeps") {
        *substeps = substeps.min(SUBSTEPS);
    }
    scene
}

/// What a reading of a session says now; of what is measured as of the last [`Session::measure`].
pub fn reading(session: &Session, name: &str) -> f64 {
    let found =
        readings::find(&session.run().generation, name).unwrap_or_else(|| panic!("there is no {name}"));
    found.of(&session.readings()).unwrap_or_else(|| panic!("{name} has no value"))
}
