//! A rope over a round support (Euler's and Eytelwein's law), its own weight at one side and a mass at the other: it holds while that
//! is below the limit of the polygon that the rope is, and slides above.

use std::{f64::consts::PI, fs};

use tests::{
    fixture::{Fixture, vector},
    places,
};
use weft_proof::validate::capstan::{G, MU, Support};
use weft_scene::{Vocabulary, parse_text};

const THICKNESS: f64 = 0.004;
const ROPE: Support = Support { radius: 0.1, arc: 32, tail: 20 };
/// Of the rope [m], [kg/m3]: thin, so that what bends it is a hundredth of its pull, and heavy.
const THICK: f64 = 0.001;
const DENSITY: f64 = 16_000.0;

/// Mass at the heavy end that is just held [kg].
fn limit() -> f64 {
    let segment = DENSITY * PI * THICK * THICK * ROPE.chord();
    let hangs = (ROPE.tail as f64 - 0.5) * segment;
    ROPE.limit(hangs * G, segment) / G - hangs
}

/// A rope whose heavy end has so many times the mass of the limit.
fn capstan(times: f64, substeps: f32, iterations: f32) -> Fixture {
    // A strand begins at its light end.
    let x: Vec<_> = ROPE.line().into_iter().rev().collect();
    let folder = places::temporary("rope_capstan");
    let (mut points, mut line) = (String::new(), "l".to_string());
    for (i, x) in x.iter().enumerate() {
        points += &format!("v {:?} {:?} 0\n", x.x, x.y);
        line += &format!(" {}", i + 1);
    }
    fs::write(folder.join("rope.obj"), points + &line + "\n").expect("a file");
    let text = format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "strand_newton"),
            strands: [(id: "rope", roots: File(file: "rope.obj"), root: Free, length: 5.0, particles: {count},
                material: (young: 2e7, shear: 1e5, radius: ({THICK:?}, {THICK:?}), density: {DENSITY:?}, tip_mass: {mass:?}))],
            colliders: [(id: "support", shape: Sphere(radius: {radius:?}), thickness: {THICKNESS:?},
                friction: (static: {MU:?}, dynamic: {MU:?}))])"#,
        count = x.len(),
        mass = times * limit(),
        radius = ROPE.radius - THICKNESS,
    );
    let scene = parse_text("test", &text, Some(&folder), &Vocabulary::default()).expect("a good scene").scene;
    Fixture::of(scene).set("substeps", substeps).set("strand_iterations", iterations)
}

/// Speed at which the heavy end falls [m/s], over the second half of a second; it has settled before.
fn falls(mut fixture: Fixture) -> f64 {
    let height = |fixture: &Fixture| vector(*fixture.x().last().expect("a rope")).y;
    fixture.frames(30);
    let before = height(&fixture);
    fixture.frames(30);
    2.0 * (before - height(&fixture))
}

/// The rope stretches by half a percent when it is let go, and its heavy end comes lower: the limit is so much lower then.
#[test]
fn a_rope_slides_at_the_limit_of_coulomb() {
    for (substeps, iterations) in [(4.0, 2.0), (12.0, 2.0), (20.0, 4.0)] {
        let [below, above] = [0.9, 1.03].map(|times| falls(capstan(times, substeps, iterations)));
        println!("{substeps} x {iterations}: {below:.4} m/s below the limit, {above:.4} above");
        assert!(below.abs() < 5e-3, "{substeps} substeps: {below} m/s below the limit");
        assert!(above > 0.5, "{substeps} substeps: {above} m/s above the limit");
    }
}
