//! V25: a sheet with triangles that are 500 to 50,000 times as long as high, as scans and cuts of meshes leave them: no solver throws
//! what hangs on their hinges.

use std::sync::Arc;

use weft_core::statistics::largest;
use weft_scene::{Pin, Scene, Shape, Vocabulary, obj, parse_text};

use super::{
    Miss, Trial,
    fixture::{Fixture, vector},
};
use crate::expect::Bounds;

/// `beside` and `all` of [`sheet`].
const SHEETS: [(f32, bool); 4] = [(1e-3, true), (1e-4, true), (1e-5, true), (1e-5, false)];

/// Without hinges a corner of it swings at up to 8.3 m/s, with some that are held back at 9.3; what falls freely has 9.8.
const FASTEST: f64 = 9.7;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    for (model, bending) in ["Quadratic", "Dihedral"].into_iter().enumerate() {
        for (number, (beside, all)) in SHEETS.into_iter().enumerate() {
            // Of the quick ones each sheet with one of both, on a device the worst.
            let few = trial.quick && trial.device.is_some();
            if trial.quick && number % 2 != model || few && number < 2 {
                continue;
            }
            let fixture = trial.placed(Fixture::of(sheet(trial.solver, beside, all, bending)));
            let fastest = fastest(fixture, if few { 20 } else { 60 })?;
            let which = if all { "all" } else { "one" };
            let reading = format!("fastest particle [m/s], {which} of {beside:e}, {bending}");
            trial.expect(reading, Bounds::at_most(FASTEST), fastest);
        }
    }
    Ok(())
}

/// Fastest particle of some frames [m/s].
fn fastest(mut fixture: Fixture, frames: usize) -> Result<f64, Miss> {
    let mut fastest = 0.0;
    for _ in 0..frames {
        fixture.try_frames(1)?;
        let speeds = fixture.v().iter().map(|v| vector(*v).length());
        fastest = largest(speeds.chain([fastest]));
    }
    Ok(fastest)
}

/// A sheet of 1 m, nearly level, that swings down from two corners. Each square, or the middle one alone, has a vertex on either
/// side of its diagonal, `beside` as far from it as the square is wide: two slivers on one edge.
pub fn sheet(solver: &str, beside: f32, all: bool, bending: &str) -> Scene {
    const SIDE: usize = 9;
    const WIDTH: f32 = 1.0 / (SIDE - 1) as f32;
    let (mut vertices, mut faces, mut count) = (String::new(), String::new(), SIDE * SIDE);
    for i in 0..SIDE * SIDE {
        vertices += &format!("v {:?} {:?} 0\n", (i % SIDE) as f32 * WIDTH, (i / SIDE) as f32 * WIDTH);
    }
    for (column, row) in (0..(SIDE - 1) * (SIDE - 1)).map(|i| (i % (SIDE - 1), i / (SIDE - 1))) {
        let [a, b] = [row * SIDE + column + 1, row * SIDE + column + 2];
        let [c, d] = [a + SIDE, b + SIDE];
        if !all && [column, row] != [SIDE / 2, SIDE / 2] {
            faces += &format!("f {a} {b} {d}\nf {a} {d} {c}\n");
            continue;
        }
        for side in [beside, -beside] {
            let [x, y] = [column as f32 + 0.5 + side, row as f32 + 0.5 - side].map(|place| place * WIDTH);
            vertices += &format!("v {x:?} {y:?} 0\n");
        }
        let (m, n) = (count + 1, count + 2);
        count += 2;
        faces += &format!(
            "f {a} {b} {m}\nf {b} {d} {m}\nf {a} {m} {d}\nf {a} {d} {n}\nf {n} {d} {c}\nf {a} {n} {c}\n"
        );
    }
    let text = format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}"), cloths: [(id: "a", rotation: (80.0, 0.0, 0.0),
            shape: Grid(columns: 2, rows: 2, width: 1.0, height: 1.0), material: (preset: "cotton", bending: {bending}))])"#
    );
    let mut scene = parse_text("slivers", &text, None, &Vocabulary::default()).expect("a good scene").scene;
    let surface = obj::parse(&(vertices + &faces)).map(Arc::new);
    scene.cloths[0].shape =
        Shape::Mesh { file: "slivers.obj".to_string(), scale: 1.0, surface: Some(surface) };
    scene.cloths[0].pins =
        [SIDE * (SIDE - 1), SIDE * SIDE - 1].map(|vertex| Pin::Vertex(vertex as u32)).to_vec();
    scene
}
