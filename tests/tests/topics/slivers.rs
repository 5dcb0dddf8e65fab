//! How stiff a hinge of slivers may be hangs on what is beside it. That none throws anything is V25.

use weft_core::state::{Blueprint, Data};
use weft_proof::validate::slivers::sheet;
use weft_scene::assemble::{assemble, refill};

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
