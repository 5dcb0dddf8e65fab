//! Bytes as the image of a state: read, derived again, one step. The first byte says which solver steps and whether the bytes
//! stand for themselves or for places in a good image.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use weft_core::state::image;
use weft_engine::run::RunImage;
use weft_fuzz::{CODE, patched, run_of, step_from, two_frames};
use weft_scene::{Scene, parse_text};

const SCENE: &str = r#"(version: 1, cloths: [(id: "a", pins: [Edge(Top)], self_collision: (thickness: 0.005, pairs: 4), tethers: (slack: 0.01),
    shape: Grid(columns: 5, rows: 4, width: 0.4, height: 0.3), material: (preset: "cotton"))],
    colliders: [(id: "b", shape: Sphere(radius: 0.1), at: (0, -0.3, 0), mass: 1.0)])"#;
const PLAIN: &str = r#"(version: 1, cloths: [(id: "a", shape: Grid(columns: 5, rows: 4, width: 0.4, height: 0.3),
    pins: [Edge(Top)])])"#;

/// From this first byte on, what was read is written and read again: that takes as long as a step.
const ROUND: u8 = 224;

static GOOD: LazyLock<(Scene, RunImage)> = LazyLock::new(|| {
    let read = |text| parse_text("fuzz", text, None, &weft_fuzz::known());
    let scene = read(SCENE).or_else(|_| read(PLAIN)).expect("a good scene").scene;
    let mut run = run_of(&scene, 0);
    two_frames(&scene, &mut run);
    (scene, run.image())
});

fuzz_target!(init: weft_fuzz::one_thread(), |bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let (scene, good) = &*GOOD;
    let state = if kind & 1 == 1 { patched(&good.state, bytes) } else { bytes.to_vec() };
    // A step reads it as well.
    if kind >= ROUND
        && let Ok((read, blueprint)) = image::read(&state)
    {
        let again = image::write(&read, &blueprint);
        assert!(image::read(&again).is_ok(), "what was read is read again");
    }
    let solver = CODE.solvers()[kind as usize / 2 % CODE.solvers().len()].name.to_string();
    step_from(&RunImage { solver, state, ..good.clone() }, scene);
});
