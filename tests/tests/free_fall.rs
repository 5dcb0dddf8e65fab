//! A free cloth falls by g t²/2 at every height and with every solver, although single precision stores its positions the
//! more coarsely the farther it is from the origin.

use tests::{
    fixture::{Fixture, solvers},
    long,
};

/// [m/s2]
const G: f64 = 9.81;
/// [s]
const FRAME: f64 = 1.0 / 60.0;

/// Fall of all particles in one second by that of the same steps in real numbers, g t (t + h) / 2.
fn falls(solver: &str, height: f32, substeps: Option<f32>) -> Vec<f64> {
    let shape = "Grid(columns: 16, rows: 16, width: 1.0, height: 1.0)";
    let mut fixture = Fixture::new(&format!(
        "Scene(version: 1, title: \"T\", air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: \"{solver}\"),
         cloths: [Cloth(id: \"a\", at: (0.0, {height:?}, 0.0), shape: {shape})])"
    ));
    if let Some(substeps) = substeps {
        fixture = fixture.set("substeps", substeps);
    }
    let start = fixture.x().to_vec();
    fixture.frames(60);
    let h = FRAME / f64::from(fixture.run.param("substeps").expect("every solver has substeps"));
    let t = 60.0 * FRAME;
    let fall = |(a, b): (&[f32; 4], &[f32; 4])| f64::from(a[1] - b[1]) / (0.5 * G * t * (t + h));
    start.iter().zip(fixture.x()).map(fall).collect()
}

#[test]
fn a_free_cloth_falls_as_far_at_every_height() {
    let mut wrong = Vec::new();
    for solver in solvers() {
        let heights: &[f32] = if long() { &[1.0, 9.0, 100.0, 1000.0] } else { &[9.0, 1000.0] };
        for &height in heights {
            for substeps in [None, Some(40.0)] {
                let falls = falls(solver, height, substeps);
                let mean = falls.iter().sum::<f64>() / falls.len() as f64;
                let apart = falls.iter().map(|fall| (fall - mean).abs()).fold(0.0, f64::max);
                if (mean - 1.0).abs() > 0.01 || apart > 0.01 || !mean.is_finite() {
                    wrong.push(format!(
                        "{solver} at {height} m, substeps {substeps:?}: {mean}, apart {apart}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "fall by g t (t + h) / 2:\n{}", wrong.join("\n"));
}
