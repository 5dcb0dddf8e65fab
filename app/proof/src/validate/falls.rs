//! V13: a free cloth falls by g t²/2 at every place, although single precision stores its positions the more coarsely the farther it
//! is from the origin, and in air by g/c (1 - exp(-c t)). At the solver's own iterations: where they start must not take what
//! the air bears for a support.

use weft_core::statistics::largest;

use super::{Miss, Trial, fixture::Fixture, fixtures::weightless};
use crate::expect::Bounds;

/// [m/s2]
const G: f64 = 9.81;
/// [s]
const FRAME: f64 = 1.0 / 60.0;

const TILTED: &str = "rotation: (30.0, 20.0, 40.0),";
const THROWN: &str = "rotation: (30.0, 20.0, 40.0), velocity: (0.0, 5.0, 0.0),";

/// A place [m], how the cloth starts, and what rows call it.
const PLACES: [([f32; 3], &str, &str); 5] = [
    ([0.0, 9.0, 0.0], "", "9 m up"),
    ([0.0, 1000.0, 0.0], "", "1000 m up"),
    // What the positions along it are rounded by pulls at its rows, and so along gravity too.
    ([100.0, 0.0, 0.0], TILTED, "tilted, 100 m aside"),
    ([100.0, 0.0, 0.0], THROWN, "tilted and thrown, 100 m aside"),
    ([0.0, 1.0, 0.0], TILTED, "tilted, 1 m up"),
];

/// Drags of the air [1/s], and substeps; none for the solver's own.
const AIRS: [(f64, Option<u32>); 6] =
    [(2.0, Some(10)), (0.1, None), (2.0, None), (0.3, Some(4)), (2.0, Some(20)), (5.0, Some(40))];

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    for (number, place) in PLACES.iter().enumerate() {
        for substeps in [None, Some(40)] {
            // Of the quick ones each place with one of both.
            if trial.quick && substeps.is_some() == (number % 2 == 0) {
                continue;
            }
            let (mean, apart) = falls(trial, place, substeps)?;
            let whence = format!("{}{}", place.2, of(substeps));
            let reading = |what: &str| format!("free fall {whence}: {what}");
            trial.expect(reading("by the right one"), Bounds::near(1.0, 0.01), mean);
            let known = trial.known(&["apart", &whence]);
            trial.judge(reading("particles apart by"), Bounds::at_most(0.01), apart, known);
        }
    }
    AIRS.iter().try_for_each(|(drag, substeps)| in_air(trial, *drag, *substeps))
}

fn of(substeps: Option<u32>) -> String {
    substeps.map_or_else(String::new, |substeps| format!(", {substeps} substeps"))
}

/// Mean of the particles' falls in one second by that of the same steps in real numbers, g t (t + h) / 2, and the most that one is off it.
fn falls(
    trial: &Trial,
    (away, start, _): &([f32; 3], &str, &str),
    substeps: Option<u32>,
) -> Result<(f64, f64), Miss> {
    let mut fixture = Fixture::new(&format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{}"), cloths: [(id: "a", {start}
            shape: Grid(columns: 10, rows: 10, width: 1.0, height: 1.0))])"#,
        trial.solver
    ));
    fixture.x_mut().iter_mut().for_each(|x| (0..3).for_each(|axis| x[axis] += away[axis]));
    if let Some(substeps) = substeps {
        fixture = fixture.cut(substeps);
    }
    let mut fixture = trial.placed(fixture);
    let before = fixture.x().to_vec();
    fixture.try_frames(60)?;
    let h = FRAME / f64::from(fixture.run.param("substeps").unwrap_or(1.0)) / fixture.steps as f64;
    let t = 60.0 * FRAME;
    let started = f64::from(fixture.scene.cloths[0].velocity[1]) * t;
    let fall = |(a, b): (&[f32; 4], &[f32; 4])| (f64::from(a[1] - b[1]) + started) / (0.5 * G * t * (t + h));
    let falls: Vec<f64> = before.iter().zip(fixture.x()).map(fall).collect();
    let mean = falls.iter().sum::<f64>() / falls.len() as f64;
    Ok((mean, largest(falls.iter().map(|fall| (fall - mean).abs()))))
}

/// Speed of a free cloth after a second in air that drags it by `drag` [1/s] v, by that of the same fall in real numbers.
fn in_air(trial: &mut Trial, drag: f64, substeps: Option<u32>) -> Result<(), Miss> {
    let mut fixture = weightless(trial.solver, 5, 4, "");
    (fixture.scene.gravity, fixture.scene.air_damping) = ([0.0, -G as f32, 0.0], drag as f32);
    if let Some(substeps) = substeps {
        fixture = fixture.cut(substeps);
    }
    let mut fixture = trial.placed(fixture);
    fixture.try_frames(60)?;
    let speed = -fixture.v().iter().map(|v| f64::from(v[1])).sum::<f64>() / fixture.v().len() as f64;
    let expected = G / drag * (1.0 - (-drag * fixture.run.time).exp());
    let reading = format!("speed of a fall in air that drags by {drag}/s{}", of(substeps));
    // Steps of the drag are of first order: h c too much at most.
    let order = drag * FRAME / f64::from(substeps.unwrap_or(1));
    trial.expect(reading, Bounds::between(0.99, 1.005 + order), speed / expected);
    Ok(())
}
