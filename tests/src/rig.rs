//! A scene as a bare run, as the validation cases have it, and small versions of the scenes that come with the program.

pub use weft::validate::rig::{Rig, solvers, vector, with_solver};
use weft::{
    assemble,
    live::Generation,
    scene::{self, Scene, Shape},
};

/// The scene of a file in `scenes/`, each grid `columns` by `rows` particles.
pub fn small(file: &str, columns: u32, rows: u32) -> Scene {
    let infos = assemble::solver_infos(Generation::built_in().solvers());
    let mut scene = scene::load(super::places::scene(file), &infos).expect("scenes are good").scene;
    for cloth in &mut scene.cloths {
        if let Shape::Grid { columns: c, rows: r, .. } = &mut cloth.shape {
            (*c, *r) = (columns, rows);
        }
    }
    scene
}
