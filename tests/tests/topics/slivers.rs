//! No solver throws what hangs on the hinges of slivers (`tests::slivers`).

use tests::{
    fixture::{Fixture, vector},
    slivers::{FASTEST, SHEETS, sheet},
};
use weft_proof::validate::fixture::all_solvers;

/// Fastest particle of a second [m/s].
fn fastest(mut fixture: Fixture) -> Result<f64, String> {
    let mut fastest = 0.0;
    for _ in 0..60 {
        fixture.try_frames(1).map_err(|failed| failed.to_string())?;
        let speeds = fixture.v().iter().map(|v| vector(*v).length());
        fastest = weft_core::statistics::largest(speeds.chain([fastest]));
    }
    Ok(fastest)
}

#[test]
fn slivers_throw_nothing() {
    let mut wrong = Vec::new();
    for solver in all_solvers() {
        for bending in ["Quadratic", "Dihedral"] {
            for (beside, all) in SHEETS {
                let fastest = fastest(Fixture::of(sheet(solver, beside, all, bending)));
                println!("{solver}, {beside}, all: {all}, {bending}: {fastest:?}");
                if !fastest.as_ref().is_ok_and(|fastest| *fastest < FASTEST) {
                    wrong.push(format!("{solver}, {beside}, all: {all}, {bending}: {fastest:?} m/s"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
