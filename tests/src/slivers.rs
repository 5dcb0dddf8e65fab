//! A sheet with triangles that are 500 to 50,000 times as long as high, as scans and cuts of meshes leave them.

use weft_scene::{Scene, Vocabulary, parse_text};

use crate::places;

/// `beside` and `all` of [`sheet`].
pub const SHEETS: [(f32, bool); 4] = [(1e-3, true), (1e-4, true), (1e-5, true), (1e-5, false)];

/// Without hinges a corner of it swings at up to 8.3 m/s, with some that are held back at 9.3; what falls freely has 9.8.
pub const FASTEST: f64 = 9.7;

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
    let folder = places::temporary("slivers");
    std::fs::write(folder.join("slivers.obj"), vertices + &faces).expect("a file");
    let text = format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}"), cloths: [(id: "a", rotation: (80.0, 0.0, 0.0),
            shape: Mesh(file: "slivers.obj"), pins: [Vertex({}), Vertex({})],
            material: (preset: "cotton", bending: {bending}))])"#,
        SIDE * (SIDE - 1),
        SIDE * SIDE - 1
    );
    parse_text("slivers", &text, Some(&folder), &Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene
}
