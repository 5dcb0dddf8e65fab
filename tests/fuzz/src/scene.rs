//! The text of a scene → checked scene → tables → two frames of a solver that the text chooses. Errors are right, panics and
//! writes outside of the tables are not.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use weft_engine::generation::Generation;
use weft_proof::validate::fixture::{Fixture, solvers, with_solver};
use weft_scene::{Cloth, Scene, Shape, Vocabulary};

/// More particles take longer and find no more.
const MOST: u32 = 400;

static KNOWN: LazyLock<Vocabulary> =
    LazyLock::new(|| weft_session::readings::vocabulary(&Generation::built_in()));

fn particles(cloth: &Cloth) -> u32 {
    match &cloth.shape {
        Shape::Grid { columns, rows, .. } => columns.saturating_mul(*rows),
        Shape::Disc { rings, .. } => rings.saturating_mul(*rings).saturating_mul(6),
        Shape::Mesh { .. } => u32::MAX,
    }
}

fn is_small(scene: &Scene) -> bool {
    scene.cloths.iter().fold(0_u32, |sum, cloth| sum.saturating_add(particles(cloth))) <= MOST
        && scene.colliders.len() < 50
        && scene.cloths.iter().all(|cloth| cloth.self_collision.as_ref().is_none_or(|own| own.pairs <= 64))
}

fuzz_target!(|text: &str| {
    let Ok(loaded) = weft_scene::parse_text("fuzz.ron", text, None, &KNOWN) else { return };
    if !is_small(&loaded.scene) {
        return;
    }
    // As many substeps and iterations as a run of seconds needs find no more either.
    let solver = solvers()[text.len() % solvers().len()];
    let mut fixture = Fixture::of(with_solver(loaded.scene, solver));
    for _ in 0..2 {
        if fixture.try_frame().is_err() {
            return;
        }
    }
});
