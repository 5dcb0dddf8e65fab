//! Free hair falls by g t²/2, and in air at g/c (1 - exp(-c t)). That cloth does so is V13.

use tests::fixture::{Fixture, all_solvers};

use crate::strand_cut::{mark, row};

/// [m/s2]
const G: f64 = 9.81;
/// [s]
const FRAME: f64 = 1.0 / 60.0;

/// Mean speed of what falls freely in one second, by that of the same fall in real numbers, without and with air that drags it
/// by `drag` [1/s] v.
fn speed(solver: &str, drag: f64, what: &str) -> f64 {
    let mut fixture = Fixture::new(&format!(
        "Scene(version: 1, title: \"T\", air_damping: {drag:?}, wind: (coefficient: 0.0), solver: (name: \"{solver}\"), {what})"
    ));
    fixture.frames(60);
    let speed = -fixture.v().iter().map(|v| f64::from(v[1])).sum::<f64>() / fixture.v().len() as f64;
    let t = 60.0 * FRAME;
    speed / if drag == 0.0 { G * t } else { G / drag * (1.0 - (-drag * t).exp()) }
}

/// A hair of real constants, 32 particles on 30 cm, hanging as it starts; nothing but its iterations may bear it.
#[test]
fn free_hair_falls_as_fast() {
    const HAIR: &str =
        "length: 0.3, root: Free, material: (young: 4e9, shear: 1e9, radius: (4e-5, 4e-5), density: 1320)";
    let hair = format!(
        "strands: [Strands(id: \"a\", particles: 32, roots: Points(at: [(0, 2, 0)], direction: (0, -1, 0)), {HAIR})]"
    );
    let ring = format!(
        "strands: [Strands(id: \"a\", particles: 32, closed: true, roots: Points(at: [(0, 2, 0)], direction: (0, 0, 1)), {HAIR})]"
    );
    let mut wrong = Vec::new();
    for solver in all_solvers() {
        let mut falls = vec![("hair", &hair, 0.0), ("hair", &hair, 2.0)];
        if solver == "vbd" {
            falls.push(("ring", &ring, 0.0));
        }
        for (name, what, drag) in falls {
            let speed = speed(solver, drag, what);
            if !(0.98..1.02 + drag * FRAME).contains(&speed) {
                wrong.push(format!("{solver}, {name}, drag {drag}: {speed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "speed by g/c (1 - exp(-c t)):\n{}", wrong.join("\n"));
}

/// What is behind a cut and does not touch anything keeps its momentum to rounding, with the two visits of the defaults.
#[test]
fn both_parts_of_a_cut_hair_fall_as_fast_under_vbd() {
    let mut fixture = Fixture::new(
        "Scene(version: 1, title: \"T\", air_damping: 0, wind: (coefficient: 0.0), solver: (name: \"vbd\"),
         strands: [Strands(id: \"a\", particles: 32, length: 0.3, root: Free,
                           roots: Points(at: [(0, 2, 0)], direction: (0, -1, 0)),
                           material: (young: 4e9, shear: 1e9, radius: (4e-5, 4e-5), density: 1320, tear: (strain: 0)))])",
    );
    mark(&mut fixture.run.state, 0, 12);
    fixture.frames(60);
    for part in [0..13, 13..32] {
        let speeds = part
            .clone()
            .map(|particle| f64::from(fixture.v()[row(&fixture.run.state, 0, particle) as usize][1]));
        let mean = -speeds.sum::<f64>() / part.len() as f64;
        assert!((mean / (G * 60.0 * FRAME) - 1.0).abs() < 0.01, "{part:?}: {mean} m/s");
    }
}
