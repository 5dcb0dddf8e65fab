//! Cloths by shape, and their meshes in double precision.

use std::fmt::Write as _;

use std::sync::Arc;

use glam::DVec3;
use weft_scene::{Bending, Cloth, ClothMesh, Shape, obj};

/// 1.2 m by 0.8 m.
pub fn grid(columns: u32, rows: u32) -> Cloth {
    Cloth::new("sheet", Shape::grid(columns, rows, 1.2, 0.8))
}

/// Of 0.15 m radius.
pub fn disc(rings: u32) -> Cloth {
    Cloth::new("disc", Shape::Disc { radius: 0.15, rings })
}

/// From the text of an OBJ file, a good one.
pub fn of_text(text: &str) -> Cloth {
    let surface = obj::parse(text).map(Arc::new);
    assert!(surface.is_ok(), "{surface:?}");
    Cloth::new("mesh", Shape::Mesh { file: "x.obj".into(), scale: 1.0, surface: Some(surface) })
}

/// The cloth with a bending rigidity of `bend` [N m].
pub fn bending(mut cloth: Cloth, bend: f32, bending: Bending) -> Cloth {
    cloth.material.sheet.bend = bend;
    cloth.material.bending = bending;
    cloth
}

/// Where a particle starts [m].
pub fn point(mesh: &ClothMesh, particle: u32) -> DVec3 {
    DVec3::from(mesh.positions[particle as usize].map(f64::from))
}

/// `a` is `b` up to a share of it.
///
/// # Panics
/// If it is not.
pub fn close(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * b.abs(), "{a} is not {b}");
}

/// A hollow cube of half side 0.5 outside with walls of 2 mm, as one closed mesh.
pub fn shell() -> String {
    let mut text = String::new();
    for half in [0.5, 0.498] {
        for i in 0..8 {
            let side = |bit: usize| if i >> bit & 1 == 0 { -half } else { half };
            let _ = writeln!(text, "v {} {} {}", side(0), side(1), side(2));
        }
    }
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for face in faces {
        let [a, b, c, d] = face.map(|corner| corner + 1);
        let _ = writeln!(text, "f {a} {b} {c} {d}");
        // The cavity: seen from inside of it.
        let _ = writeln!(text, "f {} {} {} {}", d + 8, c + 8, b + 8, a + 8);
    }
    text
}
