//! The area of a cloth's shadow on the ground: of the union, where cloth lies over cloth only once.
//!
//! Triangles are drawn on a grid of [`CELLS`] x [`CELLS`] cells over the cloth's bounds; a cell counts if its centre is
//! covered. Clipping polygons against each other would be exact, and much more code for the third digit.

use glam::DVec2;

/// Cells a side. A disc's area is off by about 1e-4 of itself then.
const CELLS: usize = 768;

/// Area [m2] covered by triangles in the plane, by their corners [m].
pub(super) fn area(triangles: &[[DVec2; 3]]) -> f64 {
    let corners = || triangles.iter().flatten();
    let low = corners().fold(DVec2::INFINITY, |low, &corner| low.min(corner));
    let high = corners().fold(DVec2::NEG_INFINITY, |high, &corner| high.max(corner));
    let cell = (high - low) / CELLS as f64;
    if !(cell.x > 0.0 && cell.y > 0.0 && cell.is_finite()) {
        return 0.0;
    }
    let mut covered = vec![false; CELLS * CELLS];
    for triangle in triangles {
        cover(triangle.map(|corner| (corner - low) / cell), &mut covered);
    }
    covered.iter().filter(|covered| **covered).count() as f64 * cell.x * cell.y
}

/// Marks the cells whose centre is inside; `corners` in cells.
fn cover([a, b, c]: [DVec2; 3], covered: &mut [bool]) {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let last = (CELLS - 1) as f64;
    let cells =
        |low: f64, high: f64| low.floor().clamp(0.0, last) as usize..=high.floor().clamp(0.0, last) as usize;
    for y in cells(low.y, high.y) {
        for x in cells(low.x, high.x) {
            let p = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let side = |from: DVec2, to: DVec2| (to - from).perp_dot(p - from);
            let sides = [side(a, b), side(b, c), side(c, a)];
            // Either way round: a fold shows its back.
            if sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0) {
                covered[y * CELLS + x] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_has_its_area_and_a_second_layer_adds_nothing() {
        let rim = |i: u32| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / 500.0) * 0.15;
        let mut disc: Vec<[DVec2; 3]> = (0..500).map(|i| [DVec2::ZERO, rim(i), rim(i + 1)]).collect();
        let exact = std::f64::consts::PI * 0.15 * 0.15;
        assert!((area(&disc) - exact).abs() < 1e-3 * exact);
        let layer: Vec<_> = disc.iter().map(|&[a, b, c]| [c * 0.9, b * 0.9, a * 0.9]).collect();
        disc.extend(layer);
        assert!((area(&disc) - exact).abs() < 1e-3 * exact);
        assert_eq!(area(&[]), 0.0);
    }
}
