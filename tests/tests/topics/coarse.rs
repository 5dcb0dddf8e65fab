//! Coarse constraints: a cloth that hangs by its corners stretches less for the same iterations, keeps its momentum where
//! nothing holds it, folds as it likes, and has the same bits on any number of threads.

use tests::fixture::Fixture;
use weft_core::statistics::largest;

fn sheet(solver: &str, more: &str) -> Fixture {
    Fixture::new(&format!(
        r#"(version: 1, wind: (coefficient: 0.0), air_damping: 0.0, gravity: (0.0, -9.81, 0.0),
            solver: (name: "{solver}", params: {{"substeps": 20, "iterations": 1}}),
            cloths: [(id: "a", rotation: (90.0, 0.0, 0.0), coarse: (),
                shape: Grid(columns: 50, rows: 43, width: 2.0, height: 2.0),
                material: (compliance: (structural: 0.0, shear: 1e-3, bend: 1e-2)), {more})])"#
    ))
}

const CORNERS: &str = "pins: [Corner(TopLeft), Corner(TopRight)]";

/// Largest stretch of a thread along the grid.
fn stretch(fixture: &Fixture) -> f64 {
    let x = fixture.x();
    let length =
        |(a, b): (usize, usize)| (glam::Vec4::from(x[a]) - glam::Vec4::from(x[b])).truncate().length();
    let along = (0..43 * 50).filter(|i| i % 50 != 49).map(|i| f64::from(length((i, i + 1))) / (2.0 / 49.0));
    let down = (0..42 * 50).map(|i| f64::from(length((i, i + 50))) / (2.0 / 42.0));
    largest(along.chain(down).map(|ratio| ratio - 1.0))
}

#[test]
fn a_sheet_that_hangs_by_its_corners_stretches_a_third() {
    for solver in ["xpbd", "pbd_gauss_seidel"] {
        let worst = |sweeps: f32| {
            let mut fixture = sheet(solver, CORNERS).set("coarse", sweeps);
            let stretches = (0..30).map(|_| {
                fixture.frames(4);
                stretch(&fixture)
            });
            largest(stretches.collect::<Vec<_>>().split_off(10))
        };
        let (without, with) = (worst(0.0), worst(2.0));
        assert!(with < without / 3.0, "{solver}: {with} with coarse constraints, {without} without");
    }
}

#[test]
fn a_free_sheet_keeps_its_momentum() {
    let free = "velocity: (1.0, 2.0, 3.0), spin: (0.0, 0.0, 400.0)";
    let mut fixture = sheet("xpbd", free);
    fixture.scene.gravity = [0.0; 3];
    let mut fixture = Fixture::of(fixture.scene);
    let before = fixture.momentum();
    fixture.frames(30);
    assert!(fixture.run.readings["coarse_moved"] > 1e-7, "{:?}", fixture.run.readings);
    let lost = (fixture.momentum() - before).length() / before.length();
    assert!(lost < 1e-4, "{lost}");
}

#[test]
fn a_folded_sheet_is_left_alone() {
    let mut fixture = sheet("xpbd", "");
    fixture.scene.gravity = [0.0; 3];
    let mut fixture = Fixture::of(fixture.scene);
    // Half as wide as it is at rest.
    fixture.x_mut().iter_mut().for_each(|x| x[0] *= 0.5);
    // In a second substep what sprang open is longer than at rest.
    let mut fixture = fixture.set("substeps", 1.0);
    fixture.frames(1);
    // But for rounding.
    assert!(fixture.run.readings["coarse_moved"] < 1e-7, "{:?}", fixture.run.readings);
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let hash = |threads| {
        let mut fixture = sheet("xpbd", CORNERS).threads(threads);
        fixture.frames(30);
        fixture.hash()
    };
    let one = hash(1);
    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}

#[test]
fn cloth_that_tore_is_not_held_together() {
    let mut fixture = sheet("xpbd", CORNERS);
    fixture.scene.cloths[0].material.tear = Some(weft_scene::Tear::default());
    let mut fixture = Fixture::of(fixture.scene);
    fixture.frames(10);
    assert!(fixture.run.readings["coarse_moved"] > 0.0);
    fixture.run.state.get_mut(weft_core::state::col::thread::broken)[0] = 1;
    fixture.run.readings.clear();
    fixture.frames(1);
    assert_eq!(fixture.run.readings.get("coarse_moved").copied().unwrap_or(0.0), 0.0);
}
