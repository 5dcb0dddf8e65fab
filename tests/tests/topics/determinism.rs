//! The same bits: for every number of threads, in every run, and as pinned in hex.
//!
//! Grids of 37 x 29: neither the lanes nor the blocks of 1,024 rows divide them. Debug against release is in
//! `tests/sim`.

use sim_api::Key;
use std::collections::BTreeSet;

use tests::{fixture::solvers, long, places};
use weft_core::state::StateHash;
use weft_session::{Options, Session};

fn hash_of(
    scene: std::path::PathBuf,
    solver: &str,
    threads: usize,
    frames: usize,
    set: &[(&str, &str)],
) -> String {
    let overrides = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let options =
        Options { scene, solver: Some(solver.into()), threads, set: overrides, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    let start = StateHash::of(&session.run().state);
    for _ in 0..frames {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
    assert_ne!(StateHash::of(&session.run().state), start, "it moved");
    StateHash::of(&session.run().state).to_string()
}

/// 24 (cloth and collider have met by then), or 600 with `tests/run --long`.
fn frames() -> usize {
    if long() { 600 } else { 24 }
}

/// Numbers of threads to compare with one; without `--long` every second solver gets the one, every second the other, and
/// two of three are left out of a scene.
fn others(solver: usize) -> &'static [usize] {
    match (long(), solver % 2) {
        (true, _) => &[1, 2, 3, 8],
        (false, 0) => &[3],
        (false, _) => &[8],
    }
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let odd = [("cloths[0].shape.columns", "37"), ("cloths[0].shape.rows", "29")];
    for (number, scene) in places::SCENES.into_iter().enumerate() {
        for (index, solver) in solvers().into_iter().enumerate() {
            if !long() && (index / 2 + number) % 3 > 0 {
                continue;
            }
            let hash = |threads| hash_of(places::scene(scene), solver, threads, frames(), &odd);
            let one = hash(1);
            for &threads in others(index) {
                assert_eq!(hash(threads), one, "{scene} {solver} {threads} threads");
            }
        }
    }
}

/// Colliders of every kind, bodies with a mass, cloth on cloth and gas at once; more particles than two blocks.
#[test]
fn everything_that_touches_has_the_same_bits_for_any_number_of_threads() {
    let frames = if long() { 60 } else { 3 };
    let scene = places::root().join("tests/contact_bits.ron");
    // As long as somebody holds its meshes they are not read again.
    let _held =
        weft_scene::load(&scene, &weft_scene::Vocabulary::default()).unwrap_or_else(|e| panic!("{e}"));
    for (index, solver) in solvers().into_iter().enumerate() {
        let hash = |threads: usize| {
            let options =
                Options { scene: scene.clone(), solver: Some(solver.into()), threads, ..Options::default() };
            let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
            let (mut on_cloth, mut on) = (0.0_f32, BTreeSet::new());
            for frame in 0..frames {
                session.step().unwrap_or_else(|e| panic!("{solver}, frame {frame}: {e}"));
                on_cloth = on_cloth.max(session.run().readings["self_contacts"]);
                let column =
                    |name: &'static str| session.run().state.get(Key::<[f32; 4]>::new("particle", name));
                let touch = column("contact").iter().zip(column("contact_velocity"));
                on.extend(touch.filter(|(contact, _)| contact[3] > 0.0).map(|(_, of)| of[3] as u32));
            }
            assert!(on_cloth > 5.0, "{solver}: cloth lies on cloth, {on_cloth}");
            assert!((0..4).all(|collider| on.contains(&collider)), "{solver}: only {on:?} are touched");
            let bodies = ["position", "rotation", "velocity", "spin"].map(|column| {
                let rows = session.run().state.get(Key::<[f32; 4]>::new("collider", column));
                rows.iter().flatten().map(|value| value.to_bits()).collect::<Vec<_>>()
            });
            (StateHash::of(&session.run().state).to_string(), bodies)
        };
        let one = hash(1);
        for &threads in others(index) {
            assert_eq!(hash(threads), one, "{solver}, {threads} threads");
        }
    }
}

/// `tests/pinned.ron` after 60 frames; colours are by parity of lines. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "60d109080653f921"),
    ("pbd_gauss_seidel", "1838fb3d8614ae6c"),
    ("pbd_jacobi", "212616fffe0a2458"),
    ("pbd_sor", "062bceb675ee5969"),
    ("explicit", "e6a8c056d1dc6eec"),
    ("implicit_newton", "40df3e28997ca8f6"),
    ("baraff_witkin", "819ffa02109aed62"),
    ("implicit_jacobi", "53c6da599e95f7d4"),
    ("implicit_chebyshev", "500ec0a3df08b0c7"),
    ("projective_dynamics", "3bf9faeb6e6e3103"),
    ("vbd", "dd541b663b509114"),
];

#[test]
fn hashes_are_as_pinned() {
    let hash = |solver| hash_of(places::root().join("tests/pinned.ron"), solver, 2, 60, &[]);
    let now: Vec<(&str, String)> = solvers().into_iter().map(|solver| (solver, hash(solver))).collect();
    let pinned: Vec<(&str, String)> =
        PINNED.iter().map(|(solver, hash)| (*solver, (*hash).to_string())).collect();
    assert_eq!(now, pinned, "the solvers' results changed (left: now)");
}

#[test]
fn the_hash_sees_the_last_bit_and_the_sign_of_zero() {
    let mut fixture = tests::fixture::Fixture::of(tests::fixture::small("flag.ron", 9, 7));
    let before = fixture.hash();
    let last = fixture.x().len() - 1;
    let x = fixture.x()[last][1];
    fixture.x_mut()[last][1] = f32::from_bits(x.to_bits() ^ 1);
    assert_ne!(fixture.hash(), before);
    fixture.x_mut()[last][1] = x;
    assert_eq!(fixture.hash(), before);
    fixture.v_mut()[0][2] = -0.0;
    assert_ne!(fixture.hash(), before);
}

#[test]
fn more_columns_or_another_order_of_rows_do_not_change_the_hash() {
    let fixture = tests::fixture::Fixture::of(tests::fixture::small("flag.ron", 9, 7));
    let mut schema = fixture.run.generation.schema.clone();
    let heat = tests::grid::column("heat", sim_api::Element::F32, sim_api::Fill::Zero);
    schema.tables[0].columns.insert(0, heat);
    let state = weft_core::state::State::build(&schema, &fixture.run.blueprint).unwrap();
    assert_eq!(StateHash::of(&state), fixture.hash());
}
