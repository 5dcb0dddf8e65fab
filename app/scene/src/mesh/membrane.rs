//! What each triangle resists: rows beside the triangles that are drawn.

use glam::{DVec2, DVec3};

use super::super::material::{Material, Membrane};
use super::rest::Rest;

/// One row per triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneRow {
    /// 0 drawn only, 1 StVK, 2 stable neo-Hookean, 3 keeps its area.
    pub model: u32,
    /// Inverse of the rest edges x1 - x0, x2 - x0 in the plane, by columns [1/m]; 0 where the triangle is drawn only.
    pub inverse_rest: [f32; 4],
    /// [m2]
    pub area: f32,
    /// Lamé's mu, or the stiffness against a change of area [N/m].
    pub mu: f32,
    /// Lamé's lambda [N/m].
    pub lame: f32,
}

pub fn rows(rest: &Rest, material: &Material) -> Vec<MembraneRow> {
    let [mu, lame] = material.sheet.lame().map(|value| value as f32);
    let (model, mu, lame) = match material.membrane {
        Membrane::Springs => (0, 0.0, 0.0),
        Membrane::StVK => (1, mu, lame),
        Membrane::NeoHookean => (2, mu, lame),
        Membrane::Area => (3, material.sheet.stretch, 0.0),
    };
    let row = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| rest.points[corner as usize]);
        let [p, q] = in_plane(b - a, c - a);
        let determinant = p.x * q.y - p.y * q.x;
        let inverse = match model {
            0 => [0.0; 4],
            _ => [q.y, -p.y, -q.x, p.x].map(|value| (value / determinant) as f32),
        };
        let area = (0.5 * determinant) as f32;
        MembraneRow { model, inverse_rest: inverse, area, mu, lame }
    };
    rest.triangles.iter().map(row).collect()
}

/// Two edges in the plane of their triangle, counter-clockwise: x and y of the sheet if it lies in the xy plane with its
/// front to +z, else x along the first edge.
fn in_plane(p: DVec3, q: DVec3) -> [DVec2; 2] {
    let normal = p.cross(q);
    if normal.x == 0.0 && normal.y == 0.0 && normal.z > 0.0 {
        return [p.truncate(), q.truncate()];
    }
    let x = p / p.length();
    let y = normal.cross(p) / (normal.length() * p.length());
    [DVec2::new(p.length(), 0.0), DVec2::new(q.dot(x), q.dot(y))]
}
