//! A free cloth falls by g t²/2 at every place and with every solver, although single precision stores its positions the
//! more coarsely the farther it is from the origin. In air it falls at g/c (1 - exp(-c t)), and so does free hair.

use tests::{
    fixture::{Fixture, all_solvers, solvers},
    long,
};
use weft_core::statistics::largest;

use crate::strand_cut::{mark, row};

/// [m/s2]
const G: f64 = 9.81;
/// [s]
const FRAME: f64 = 1.0 / 60.0;

/// Fall of all particles in one second by that of the same steps in real numbers, g t (t + h) / 2. The cloth is so far
/// `away` [m] from its scene's origin.
fn falls(solver: &str, (away, start): ([f32; 3], &str), substeps: Option<f32>) -> Vec<f64> {
    let shape = "Grid(columns: 10, rows: 10, width: 1.0, height: 1.0)";
    let mut fixture = Fixture::new(&format!(
        "Scene(version: 1, title: \"T\", air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: \"{solver}\"),
         cloths: [Cloth(id: \"a\", {start}, shape: {shape})])"
    ));
    fixture.x_mut().iter_mut().for_each(|x| (0..3).for_each(|axis| x[axis] += away[axis]));
    if let Some(substeps) = substeps {
        fixture = fixture.set("substeps", substeps);
    }
    let before = fixture.x().to_vec();
    fixture.frames(60);
    let h = FRAME / f64::from(fixture.run.param("substeps").expect("every solver has substeps"));
    let t = 60.0 * FRAME;
    let started = f64::from(fixture.scene.cloths[0].velocity[1]) * t;
    let fall = |(a, b): (&[f32; 4], &[f32; 4])| (f64::from(a[1] - b[1]) + started) / (0.5 * G * t * (t + h));
    before.iter().zip(fixture.x()).map(fall).collect()
}

#[test]
fn a_free_cloth_falls_as_far_everywhere() {
    const TILTED: &str = "rotation: (30.0, 20.0, 40.0)";
    const THROWN: &str = "rotation: (30.0, 20.0, 40.0), velocity: (0.0, 5.0, 0.0)";
    const PLACES: [([f32; 3], &str); 5] = [
        ([0.0, 9.0, 0.0], "spin: (0.0, 0.0, 0.0)"),
        ([0.0, 1000.0, 0.0], "spin: (0.0, 0.0, 0.0)"),
        // What the positions along it are rounded by pulls at its rows, and so along gravity too.
        ([100.0, 0.0, 0.0], TILTED),
        ([100.0, 0.0, 0.0], THROWN),
        ([0.0, 1.0, 0.0], TILTED),
    ];
    let mut wrong = Vec::new();
    for solver in solvers() {
        for (number, place) in PLACES.into_iter().enumerate() {
            for substeps in [None, Some(40.0)] {
                // In the ordinary run each place with one of both.
                if !long() && substeps.is_some() == (number % 2 == 0) {
                    continue;
                }
                let falls = falls(solver, place, substeps);
                let mean = falls.iter().sum::<f64>() / falls.len() as f64;
                let apart = largest(falls.iter().map(|fall| (fall - mean).abs()));
                if (mean - 1.0).abs() > 0.01 || apart > 0.01 || !mean.is_finite() {
                    wrong.push(format!("{solver} {place:?}, substeps {substeps:?}: {mean}, apart {apart}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "fall by g t (t + h) / 2:\n{}", wrong.join("\n"));
}

/// Mean speed of what falls freely in one second, by that of the same fall in real numbers, without and with air that drags it
/// by `drag` [1/s] v.
fn speed(solver: &str, drag: f64, what: &str, substeps: Option<f32>) -> f64 {
    let mut fixture = Fixture::new(&format!(
        "Scene(version: 1, title: \"T\", air_damping: {drag:?}, wind: (coefficient: 0.0), solver: (name: \"{solver}\"), {what})"
    ));
    if let Some(substeps) = substeps {
        fixture = fixture.set("substeps", substeps);
    }
    fixture.frames(60);
    let speed = -fixture.v().iter().map(|v| f64::from(v[1])).sum::<f64>() / fixture.v().len() as f64;
    let t = 60.0 * FRAME;
    speed / if drag == 0.0 { G * t } else { G / drag * (1.0 - (-drag * t).exp()) }
}

#[test]
fn what_air_bears_of_a_fall_is_no_support() {
    let cloth = "cloths: [Cloth(id: \"a\", shape: Grid(columns: 5, rows: 4, width: 0.5, height: 0.4))]";
    let mut wrong = Vec::new();
    for solver in solvers() {
        for (drag, substeps) in
            [(0.1, None), (2.0, None), (0.3, Some(4.0)), (2.0, Some(20.0)), (5.0, Some(40.0))]
        {
            let speed = speed(solver, drag, cloth, substeps);
            // Steps of the drag are of first order: h c too much at most.
            let order = drag * FRAME / f64::from(substeps.unwrap_or(1.0));
            if !(0.99..1.01 + order).contains(&speed) {
                wrong.push(format!("{solver}, drag {drag}, substeps {substeps:?}: {speed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "speed by g/c (1 - exp(-c t)):\n{}", wrong.join("\n"));
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
            let speed = speed(solver, drag, what, None);
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
