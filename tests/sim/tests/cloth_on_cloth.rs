//! Scenes of the program, with cloth on cloth and bodies, on the bare host: for the sanitizers, which would take half an hour to
//! build the program's own. Needs `--features scenes`.

#![cfg(feature = "scenes")]

use std::path::Path;

use sim_tests::{Host, solvers, state::Blueprint};
use weft_scene::{Shape, Vocabulary, assemble::assemble};

/// The tables of a scene, each grid with so many particles a side.
fn tables(name: &str, side: u32) -> Blueprint {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let mut scene = weft_scene::load(&path, &Vocabulary::default()).unwrap_or_else(|e| panic!("{e}")).scene;
    for cloth in &mut scene.cloths {
        if let Shape::Grid { columns, rows, .. } = &mut cloth.shape {
            (*columns, *rows) = (side, side);
        }
    }
    assemble(&scene).blueprint
}

#[test]
fn scenes_give_the_same_bits_on_every_number_of_threads() {
    for (name, side) in [("folding.ron", 36), ("stack_of_ten_sheets.ron", 12), ("ball_caught.ron", 34)] {
        let tables = tables(name, side);
        for solver in solvers() {
            let after = |threads| {
                let mut host = Host::new(&tables, solver).threads(threads).shortened();
                (0..2).for_each(|_| host.step().unwrap_or_else(|e| panic!("{name} {solver}: {e}")));
                host.hash()
            };
            assert_eq!(after(4), after(1), "{name} {solver}");
        }
    }
}
