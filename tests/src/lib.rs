//! What the tests share.
//!
//! | module | what |
//! |---|---|
//! | [`places`] | folders of the source tree and of the build, and a folder for files of a test |
//! | [`fixture`] | a scene as a bare run: no files, no window |
//! | [`crossings`] | where cloth passes through cloth, by brute force |
//! | [`grid`] | states and blueprints by hand |
//! | [`alone`] | the program outside of any source tree |
//! | [`cloths`] | cloths by shape, and their meshes in double precision |
//! | [`hostile`] | edits that would end a program which trusted them |
//! | [`mutant`] | a solver with a bug that validation must find |
//! | [`random`] | repeatable numbers |
//! | [`process`] | the program as a child, its output as events |
//! | [`rows`] | tables of triangles, hinges, tethers and soft pins by hand |
//! | [`device`] | a run on the CPU and on the GPU path, side by side |
//! | [`on_device`] | sessions on the GPU path |
//! | [`state_points`] | points of two states compared |
//! | [`stillness`] | how long a program stands still |
//! | [`survival`] | what became of a program that crashed |
//! | [`threads`] | threads of cloth that can tear, and tables without those that broke |
//! | [`edit_copy`] | the one copy of the source tree that tests edit |
//! | [`picture`] | pixels of a PNG or of the X screen |
//! | [`desktop`] | the window of a child under Xvfb: pointer, keys, pixels |

pub mod alone;
pub mod cloths;
pub mod desktop;
pub mod device;
pub mod edit_copy;
pub mod grid;
pub mod hostile;
pub mod mutant;
pub mod on_device;
pub mod picture;
pub mod places;
pub mod process;
pub use weft_proof::validate::{crossings, random};
pub mod fixture;
pub mod rows;
pub mod state_points;
pub mod stillness;
pub mod survival;
pub mod threads;

/// Whether `tests/run` started this: everything it needs is there, so nothing may be left out.
pub fn complete() -> bool {
    std::env::var_os("WEFT_TESTS_RUN").is_some_and(|value| value == "1")
}

/// Whether `tests/run --long` started this: full counts, which are committed.
pub fn long() -> bool {
    std::env::var_os("WEFT_TESTS_LONG").is_some()
}

/// Says loudly that a test of a plain `cargo test` was left out; false under `tests/run`.
pub fn left_out(test: &str, needs: &str) -> bool {
    if complete() {
        return false;
    }
    eprintln!("LEFT OUT: {test} needs {needs}. `bash tests/run` runs it.");
    true
}
