//! No solver throws what hangs on the hinges of slivers (`tests::slivers`).

use tests::{
    fixture::{Fixture, vector},
    long,
    slivers::{FASTEST, SHEETS, sheet},
};
use weft_core::state::{Blueprint, Data};
use weft_proof::validate::fixture::all_solvers;
use weft_scene::assemble::{assemble, refill};

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
        for (model, bending) in ["Quadratic", "Dihedral"].into_iter().enumerate() {
            // In the ordinary run each sheet with one of both.
            let some = |(number, _): &(usize, _)| long() || number % 2 == model;
            for (_, (beside, all)) in SHEETS.into_iter().enumerate().filter(some) {
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

/// How stiff such a hinge may be hangs on the mass of its corners: with another density the tables are made anew.
#[test]
fn another_density_moves_what_holds_hinges_back() {
    let scene = sheet("vbd", 1e-4, false, "Quadratic");
    let (made, mut denser) = (assemble(&scene), scene.clone());
    denser.cloths[0].material.density *= 2.0;
    let mut blueprint = made.blueprint.clone();
    let changes = weft_scene::diff(&scene, &denser);
    assert!(refill(&scene, &denser, &changes, &made.objects, &mut blueprint).is_none());
    let stiffness =
        |blueprint: &Blueprint| match blueprint.table("hinge").and_then(|table| table.column("stiffness")) {
            Some(Data::F32(stiffness)) => stiffness.clone(),
            _ => panic!("a sheet with hinges"),
        };
    let (before, after) = (stiffness(&made.blueprint), stiffness(&assemble(&denser).blueprint));
    let moved = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert!((1..20).contains(&moved), "{moved} of {}: those of two slivers", before.len());
}
