//! Faces of more than three corners as triangles.

use glam::{DVec2, DVec3};

use crate::Vec3;

/// Triangles narrower than this part of a square are none: their corners lie on a line.
const FLAT: f64 = 1e-9;

/// Corners of a face that is not convex, at most: the time goes with their square.
pub(super) const MOST: usize = 4096;

/// The triangles of a face.
#[derive(Debug, PartialEq)]
pub(super) enum Cut {
    /// A fan from its first corner: it is convex there, or has no inside, for it crosses itself.
    Fan,
    /// By number of corner.
    Ears(Vec<[usize; 3]>),
    /// It is not convex, and has more than [`MOST`] corners.
    TooMany,
}

/// Where a fan would fold over, or have corners on one line, ears are cut off, the roundest first, so that corners on a
/// straight edge keep their triangles (Eberly: Triangulation by Ear Clipping, 2002). Corners are seen along the face's normal by Newell.
pub(super) fn cut(corners: &[Vec3]) -> Cut {
    let Some(flat) = seen(corners) else { return Cut::Fan };
    let fan = |k: usize| roundness([flat[0], flat[k], flat[k + 1]]) > FLAT;
    if (1..flat.len() - 1).all(fan) {
        return Cut::Fan;
    }
    if flat.len() > MOST {
        return Cut::TooMany;
    }
    ears(&flat).map_or(Cut::Fan, Cut::Ears)
}

fn ears(flat: &[DVec2]) -> Option<Vec<[usize; 3]>> {
    let mut left: Vec<usize> = (0..flat.len()).collect();
    let mut ears: Vec<f64> = (0..left.len()).map(|k| ear(flat, &left, k)).collect();
    let mut triangles = Vec::with_capacity(flat.len() - 2);
    while left.len() > 3 {
        let mut best = roundest(&ears);
        if ears[best] <= FLAT {
            // What has been cut off may have been in the way.
            ears = (0..left.len()).map(|k| ear(flat, &left, k)).collect();
            best = roundest(&ears);
            if ears[best] <= FLAT {
                return None;
            }
        }
        triangles.push(around(&left, best));
        left.remove(best);
        ears.remove(best);
        for k in [best + left.len() - 1, best] {
            let k = k % left.len();
            ears[k] = ear(flat, &left, k);
        }
    }
    triangles.push([left[0], left[1], left[2]]);
    Some(triangles)
}

/// The corners from where the face turns to the left, about the first.
fn seen(corners: &[Vec3]) -> Option<Vec<DVec2>> {
    let place = |corner: &Vec3| DVec3::from(corner.map(f64::from));
    let origin = place(&corners[0]);
    let corners: Vec<DVec3> = corners.iter().map(|corner| place(corner) - origin).collect();
    let next = corners.iter().cycle().skip(1);
    let normal: DVec3 = corners.iter().zip(next).map(|(a, b)| a.cross(*b)).sum();
    let (x, y) = normal.try_normalize()?.any_orthonormal_pair();
    Some(corners.iter().map(|corner| DVec2::new(corner.dot(x), corner.dot(y))).collect())
}

/// Twice the area by the square of the longest edge; below 0 where the corners turn to the right.
fn roundness([a, b, c]: [DVec2; 3]) -> f64 {
    let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    (b - a).perp_dot(c - a) / longest
}

fn around(left: &[usize], k: usize) -> [usize; 3] {
    [left[(k + left.len() - 1) % left.len()], left[k], left[(k + 1) % left.len()]]
}

/// How round the triangle of a corner and its neighbours is; 0 or less if it cannot be cut off.
fn ear(flat: &[DVec2], left: &[usize], k: usize) -> f64 {
    let numbers = around(left, k);
    let [a, b, c] = numbers.map(|corner| flat[corner]);
    let inside = |&&other: &&usize| {
        let p = flat[other];
        // A corner may be there twice, where a face runs back along itself.
        !numbers.contains(&other)
            && ![a, b, c].contains(&p)
            && [(a, b), (b, c), (c, a)].iter().all(|(from, to)| (*to - *from).perp_dot(p - *from) >= 0.0)
    };
    let round = roundness([a, b, c]);
    if round > FLAT && left.iter().find(inside).is_none() { round } else { 0.0 }
}

fn roundest(ears: &[f64]) -> usize {
    (0..ears.len()).max_by(|&a, &b| ears[a].total_cmp(&ears[b]).then(b.cmp(&a))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area of the triangles by the face's normal, or of the fan.
    fn area(corners: &[Vec3]) -> f64 {
        let flat = seen(corners).unwrap();
        let fan = || (1..corners.len() - 1).map(|k| [0, k, k + 1]).collect();
        let triangles: Vec<[usize; 3]> = match cut(corners) {
            Cut::Ears(triangles) => triangles,
            other => {
                assert_eq!(other, Cut::Fan);
                fan()
            }
        };
        assert_eq!(triangles.len(), corners.len() - 2);
        triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|corner| flat[corner]);
                let area = 0.5 * (b - a).perp_dot(c - a);
                assert!(area > 0.0, "{triangle:?} of {corners:?}");
                area
            })
            .sum()
    }

    /// From each corner on, and from the other side.
    fn all_ways(corners: &[[f32; 2]], expected: f64) {
        for lift in [0.0, 0.3] {
            for from in 0..corners.len() {
                let mut turned: Vec<Vec3> = corners.iter().map(|&[x, y]| [x, lift * x + 1.0, y]).collect();
                turned.rotate_left(from);
                let cosine = f64::hypot(1.0, f64::from(lift));
                assert!((area(&turned) / (expected * cosine) - 1.0).abs() < 1e-5, "{turned:?}");
                turned.reverse();
                assert!((area(&turned) / (expected * cosine) - 1.0).abs() < 1e-5, "{turned:?}");
            }
        }
    }

    #[test]
    fn faces_have_their_area_from_whatever_corner_they_begin() {
        all_ways(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 1.0);
        all_ways(&[[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]], 1.0);
        all_ways(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.5], [0.0, 2.0]], 2.5);
        // Corners on straight edges.
        all_ways(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]], 2.0);
        all_ways(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]], 3.0);
    }

    #[test]
    fn a_spiral_is_cut() {
        let arm = |radius: f32, k: usize| {
            let turn = 0.15 * k as f32;
            let radius = radius + 0.05 * turn;
            [radius * turn.cos(), radius * turn.sin()]
        };
        let spiral: Vec<[f32; 2]> =
            (0..80).map(|k| arm(0.7, k)).chain((0..80).rev().map(|k| arm(0.5, k))).collect();
        let next = spiral.iter().cycle().skip(1);
        let twice: f32 = spiral.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
        all_ways(&spiral, 0.5 * f64::from(twice.abs()));
    }

    #[test]
    fn too_many_corners_are_none_but_for_a_fan() {
        let ring = |k: usize| {
            let turn = std::f32::consts::TAU * k as f32 / 5000.0;
            [turn.cos(), turn.sin(), 0.0]
        };
        let mut corners: Vec<Vec3> = (0..5000).map(ring).collect();
        assert_eq!(cut(&corners), Cut::Fan);
        corners[1] = [0.0; 3];
        assert_eq!(cut(&corners), Cut::TooMany);
    }

    #[test]
    fn what_has_no_inside_stays_a_fan() {
        let crossed = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.5]].map(|[x, y]| [x, y, 0.0]);
        assert!(cut(&crossed) != Cut::TooMany);
        assert_eq!(cut(&[[0.0; 3]; 5]), Cut::Fan);
        assert_eq!(cut(&[[f32::NAN; 3]; 5]), Cut::Fan);
    }
}
