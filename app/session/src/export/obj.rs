//! Wavefront OBJ: indices count from 1 through all objects, texture coordinates from the lower left corner.

use std::fmt::Write as _;

use super::Surface;

/// The text of a file.
pub fn text(surface: &Surface) -> String {
    let mut text = format!("# Weft: {}, frame {}, metres, y up\n", surface.title, surface.frame);
    let mut first = 1;
    for object in &surface.objects {
        let _ = writeln!(text, "o {}", object.id);
        for [x, y, z] in &object.positions {
            let _ = writeln!(text, "v {x:.7} {y:.7} {z:.7}");
        }
        // One for each position, so that both are counted alike: strands have none of their own.
        for row in 0..object.positions.len() {
            let [u, v] = object.uvs.get(row).map_or([0.0; 2], |[u, v]| [*u, 1.0 - v]);
            let _ = writeln!(text, "vt {u:.6} {v:.6}");
        }
        for corners in &object.triangles {
            let [a, b, c] = corners.map(|corner| first + corner as usize);
            let _ = writeln!(text, "f {a}/{a} {b}/{b} {c}/{c}");
        }
        for line in &object.lines {
            let points = line.iter().map(|&row| (first + row as usize).to_string());
            let _ = writeln!(text, "l {}", points.collect::<Vec<_>>().join(" "));
        }
        first += object.positions.len();
    }
    text
}
