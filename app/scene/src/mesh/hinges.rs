//! Hinges: one per edge between two triangles, as stiff as the sheet at any resolution.
//!
//! ```text
//!        x2            x0 -> x1 is the edge; x0, x1, x2 and x1, x0, x3 are
//!      / t0 \          counter-clockwise seen from the front
//!    x0 ---- x1
//!      \ t1 /
//!        x3
//! ```

use glam::DVec3;

use super::super::material::{Bending, Material};
use super::edges::Edge;
use super::rest::Rest;

/// A sheet that is bent more than this anywhere [rad] is not flat: the quadratic model would flatten it.
const FLAT: f32 = 1e-3;
/// Triangles are slivers where a corner that moves by their length turns a hinge by so many radians: 50 times as long as high.
const SHARP: f64 = 50.0;
/// Stiffest hinge of slivers over the inverse mass of its lightest corner [1/s2]: where the corner that moves them least goes
/// would be what the rounding of the others leaves. Those 1e5 times as long as high pulled with 5e11 N/m for a kg, and threw it
/// at 11 to 93 m/s.
const STIFFEST: f64 = 5e5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    pub idx: [u32; 4],
    /// 0 quadratic, 1 dihedral angle.
    pub model: u32,
    /// |sum of weight x| is the bending angle, for small angles [1/m].
    pub weights: [f32; 4],
    /// [rad], positive where x2 and x3 lie in front.
    pub rest_angle: f32,
    /// [N m]
    pub stiffness: f32,
    /// It would be stiffer if its triangles were no slivers.
    pub is_held_back: bool,
}

/// None if the material bends by skip-one rows or does not resist bending at all. `mass` [kg] of the sheet at its particles.
pub fn hinges(rest: &Rest, edges: &[Edge], material: &Material, mass: &[f32]) -> Vec<Hinge> {
    let model = match material.bending() {
        Bending::Auto | Bending::SkipOne => return Vec::new(),
        Bending::Quadratic => 0,
        Bending::Dihedral => 1,
    };
    if material.sheet.bend <= 0.0 {
        return Vec::new();
    }
    let hinge = |edge: &Edge| {
        // Two triangles back to back have one corner in both places, and no hinge.
        let idx = edge.hinge().filter(|idx| idx[2] != idx[3])?;
        let x = idx.map(|corner| rest.points[corner as usize]);
        let area = 0.5 * (normal([x[0], x[1], x[2]]).length() + normal([x[1], x[0], x[3]]).length());
        let slender = (x[1] - x[0]).length_squared() / area;
        let share = rest.grid.as_ref().map_or(slender, |grid| of_grid(grid.is_diagonal(edge.ends), slender));
        let stiffness = share * f64::from(material.sheet.bend);
        let weights = weights(x);
        let most = stiffest(x, weights, idx.map(|corner| mass[corner as usize]));
        Some(Hinge {
            idx,
            model,
            weights: weights.map(|weight| weight as f32),
            rest_angle: angle(x) as f32,
            stiffness: stiffness.min(most) as f32,
            is_held_back: stiffness > most,
        })
    };
    let mut hinges: Vec<Hinge> = edges.iter().filter_map(hinge).collect();
    if material.bending == Bending::Auto && hinges.iter().any(|hinge| hinge.rest_angle.abs() > FLAT) {
        hinges.iter_mut().for_each(|hinge| hinge.model = 1);
    }
    hinges
}

/// Stiffness of a hinge of an alternating grid over that of the sheet; `slender` is the edge's length squared over the
/// area of a cell. On other meshes it is `slender` itself: Seung and Nelson 1988, 2 B / sqrt(3) on equilateral triangles,
/// exact for cylinders of any direction, 2/3 for bowls and 4/3 for saddles.
///
/// A twist acts on the diagonals alone, and 2 / slender makes its energy B twist² per area. A bend along the threads is
/// shared by the threads' hinges and by diagonals that fold in turn to either side: with stiffness c B of the threads in
/// square cells a strip that may curve across as it likes has B / (1/c + 1/2), a sheet that stays straight across has
/// c (c + 2) / (2c + 2) B. No c makes both right; 1.75 does for strips four times as long as wide, such as those of
/// ASTM D1388. Very narrow ones are then 7 % softer, wide ones up to 19 % stiffer.
fn of_grid(diagonal: bool, slender: f64) -> f64 {
    if diagonal {
        return 2.0 / slender;
    }
    // In cells that are long across the bend the diagonals alone are too soft already.
    slender / (1.0 - DIAGONALS * slender * slender).max(0.25)
}

/// Most stiffness of a hinge [N m]; none but that of slivers is held back. `mass` [kg] of its corners.
fn stiffest(x: [DVec3; 4], weights: [f64; 4], mass: [f32; 4]) -> f64 {
    let squares = weights.map(|weight| weight * weight);
    let sides = [x[1] - x[0], x[2] - x[0], x[3] - x[0], x[2] - x[1], x[3] - x[1], x[3] - x[2]];
    let longest = sides.into_iter().map(DVec3::length_squared).fold(0.0, f64::max);
    if squares.into_iter().fold(0.0, f64::max) * longest <= SHARP * SHARP {
        return f64::INFINITY;
    }
    let each = squares.into_iter().zip(mass).map(|(square, mass)| f64::from(mass) / square);
    STIFFEST * each.fold(f64::INFINITY, f64::min)
}

/// Part of the compliance of square cells that lies in their diagonals: 1 - 1/1.75.
const DIAGONALS: f64 = 0.43;

/// Doubled area along the normal [m2].
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Cotangent weights K of Bergou et al. 2006 (A Quadratic Bending Model for Inextensible Surfaces) over the length
/// of the edge: |K x| is twice the length times the sine of half the angle.
pub fn weights(x: [DVec3; 4]) -> [f64; 4] {
    // Cotangent of the angle at `a`, between the edges to `b` and `c`.
    let cot = |a: DVec3, b: DVec3, c: DVec3| (b - a).dot(c - a) / (b - a).cross(c - a).length();
    let (c01, c03) = (cot(x[0], x[1], x[2]), cot(x[1], x[0], x[2]));
    let (c02, c04) = (cot(x[0], x[1], x[3]), cot(x[1], x[0], x[3]));
    let length = (x[1] - x[0]).length();
    [c03 + c04, c01 + c02, -c01 - c03, -c02 - c04].map(|weight| weight / length)
}

/// Between the normals [rad], positive in a valley seen from the front.
pub fn angle(x: [DVec3; 4]) -> f64 {
    let (n0, n1) = (normal([x[0], x[1], x[2]]), normal([x[1], x[0], x[3]]));
    let axis = (x[1] - x[0]).normalize();
    // The normals lean towards each other in a valley: n1 x n0 runs along the edge.
    n1.cross(n0).dot(axis).atan2(n0.dot(n1))
}
