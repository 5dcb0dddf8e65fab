//! Coarser triangles over the same particles, for pictures and shadow maps that could not show finer ones.
//!
//! ```text
//! o . o . o      Corners of the cloth first, then its border, then all others in their order: who has no one to stand for
//! . . . . .      it yet stands for itself and for all neighbours that have none either. A triangle stays if three different
//! o . o . o      ones stand for its corners. A grid, numbered row by row, keeps every second row and column.
//! ```
//! Of n triangles about n / 4 stay. Positions, normals and texture coordinates are those of the particles that stay.
//!
//! Rejected: clusters by place (layers that touch would grow together); collapses of edges in the order of their error, which
//! takes seconds for a million particles and gains nothing where triangles are smaller than a pixel.

use glam::Vec3;
use weft_core::csr::Csr;

use super::normals::{LARGE, triangles_around};

/// A level has at least twice so many triangles as a large mesh has particles, or no coarser one is made of it.
const FEWEST: usize = 2 * LARGE;

/// A border that opens by less is a corner [rad].
const CORNER: f32 = 0.75 * std::f32::consts::PI;

/// Triangles over some of a mesh's particles.
pub(crate) struct Level {
    pub triangles: Vec<[u32; 3]>,
    /// Distance of its particles [m]: the edge of a square of two triangles, where the mesh was when this was made. Infinite
    /// where nothing is known of it.
    pub spacing: f32,
}

/// The levels of a large mesh without the finest, each coarser than the one before; and the spacing of the finest.
pub(crate) fn of(positions: &[[f32; 4]], triangles: &[[u32; 3]], fans: Option<&Csr>) -> (f32, Vec<Level>) {
    let finest = spacing(positions, triangles);
    let mut levels: Vec<Level> = Vec::new();
    let Some(fans) = fans.filter(|_| finest.is_finite()) else {
        return (finest, levels);
    };
    let mut next = coarser(positions, triangles, fans);
    while let Some(coarse) = next {
        let of_level = triangles_around(positions.len(), &coarse);
        next = coarser(positions, &coarse, &of_level);
        levels.push(Level { spacing: spacing(positions, &coarse), triangles: coarse });
    }
    (finest, levels)
}

/// Triangles among about a quarter of the particles; `None` if there are few enough, or if one of them would show its other
/// side.
fn coarser(positions: &[[f32; 4]], triangles: &[[u32; 3]], fans: &Csr) -> Option<Vec<[u32; 3]>> {
    const NOBODY: u32 = u32::MAX;
    if triangles.len() < FEWEST {
        return None;
    }
    let mut stands_for = vec![NOBODY; positions.len()];
    let rank: Vec<Rank> = (0..positions.len()).map(|i| Rank::of(i, positions, triangles, fans)).collect();
    for turn in [Rank::Corner, Rank::Border, Rank::Inside] {
        for i in (0..positions.len()).filter(|&i| rank[i] == turn) {
            if stands_for[i] != NOBODY {
                continue;
            }
            for corner in around(i, triangles, fans) {
                let own = &mut stands_for[corner as usize];
                *own = if *own == NOBODY { i as u32 } else { *own };
            }
        }
    }
    let mut coarse = Vec::with_capacity(triangles.len() / 4);
    for idx in triangles.iter().filter(|idx| idx.iter().all(|&i| (i as usize) < positions.len())) {
        let [a, b, c] = idx.map(|i| stands_for[i as usize]);
        if a != b && b != c && c != a {
            let turned = area(positions, [a, b, c]).dot(area(positions, *idx)) < 0.0;
            if turned {
                return None;
            }
            coarse.push([a, b, c]);
        }
    }
    (!coarse.is_empty()).then_some(coarse)
}

/// Corners of the triangles around a particle.
fn around(i: usize, triangles: &[[u32; 3]], fans: &Csr) -> impl Iterator<Item = u32> {
    fans.row(i).iter().flat_map(|&triangle| triangles[triangle as usize])
}

/// Where a particle lies in its cloth.
#[derive(Clone, Copy, PartialEq)]
enum Rank {
    Corner,
    Border,
    Inside,
}

impl Rank {
    fn of(i: usize, positions: &[[f32; 4]], triangles: &[[u32; 3]], fans: &Csr) -> Self {
        // Two triangles share each edge inside, so that each neighbour comes twice.
        let others = around(i, triangles, fans).filter(|&j| j as usize != i);
        if others.fold(0, |odd, j| odd ^ j) == 0 {
            return Self::Inside;
        }
        let place = |j: u32| Vec3::from_slice(&positions[j as usize]);
        let angles = fans.row(i).iter().map(|&triangle| {
            let [a, b, c] = triangles[triangle as usize].map(|j| place(j) - place(i as u32));
            // One of them is the particle's own.
            [(a, b), (b, c), (c, a)]
                .map(|(a, b)| if a.cross(b) == Vec3::ZERO { 0.0 } else { a.angle_between(b) })
        });
        let opening: f32 = angles.flatten().sum();
        if opening < CORNER { Self::Corner } else { Self::Border }
    }
}

/// Normal of a triangle times twice its area [m²].
fn area(positions: &[[f32; 4]], idx: [u32; 3]) -> Vec3 {
    let [a, b, c] = idx.map(|i| Vec3::from_slice(&positions[i as usize]));
    (b - a).cross(c - a)
}

fn spacing(positions: &[[f32; 4]], triangles: &[[u32; 3]]) -> f32 {
    let whole = triangles.iter().filter(|idx| idx.iter().all(|&i| (i as usize) < positions.len()));
    let (sum, count) = whole
        .fold((0.0, 0_u32), |(sum, count), &idx| (sum + f64::from(area(positions, idx).length()), count + 1));
    let spacing = (sum / f64::from(count)).sqrt() as f32;
    if spacing > 0.0 { spacing } else { f32::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(n: u32, turned: impl Fn(u32, u32) -> bool) -> (Vec<[f32; 4]>, Vec<[u32; 3]>) {
        let place = |i: u32| [(i % n) as f32 * 0.02, 1.0, (i / n) as f32 * 0.02, 0.0];
        let cell = |i: u32| {
            let (a, b, c, d) = (i, i + 1, i + n, i + n + 1);
            if turned(i % n, i / n) { [[a, c, d], [a, d, b]] } else { [[a, c, b], [b, c, d]] }
        };
        let corners = (0..n * (n - 1)).filter(|i| i % n != n - 1);
        ((0..n * n).map(place).collect(), corners.flat_map(cell).collect())
    }

    #[test]
    fn every_second_row_and_column_of_a_grid_stays_and_its_outline() {
        for n in [300, 301] {
            for turned in [|_, _| false, |_, _| true, |x: u32, y: u32| (x + y).is_multiple_of(2)] {
                let (positions, triangles) = grid(n, turned);
                let fans = triangles_around(positions.len(), &triangles);
                let (spacing, levels) = of(&positions, &triangles, Some(&fans));
                assert!((spacing - 0.02).abs() < 1e-5, "{spacing}");
                let [level] = &levels[..] else { panic!("{} levels", levels.len()) };
                let fewer = triangles.len() as f64 / level.triangles.len() as f64;
                assert!((fewer - 4.0).abs() < 0.1, "{fewer}");
                assert!((level.spacing / spacing - 2.0).abs() < 0.03, "{}", level.spacing);
                for corner in [0, n - 1, n * (n - 1), n * n - 1] {
                    assert!(level.triangles.iter().flatten().any(|i| *i == corner), "{corner}");
                }
                // No triangle is turned, and together they are as large as the cloth: each place is covered once.
                let up = |idx: &[u32; 3]| f64::from(area(&positions, *idx).y);
                assert!(level.triangles.iter().all(|idx| up(idx) >= 0.0));
                let whole: f64 = level.triangles.iter().map(up).sum::<f64>() * 0.5;
                assert!((whole - (f64::from(n - 1) * 0.02).powi(2)).abs() < 1e-3, "{whole}");
            }
        }
    }

    #[test]
    fn small_meshes_and_unknown_places_have_none() {
        let (positions, triangles) = grid(40, |_, _| false);
        assert!(of(&positions, &triangles, None).1.is_empty());
        let fans = triangles_around(positions.len(), &triangles);
        assert!(of(&positions, &triangles, Some(&fans)).1.is_empty());
        let (mut positions, mut triangles) = grid(300, |_, _| false);
        triangles.push([0, 1, 300 * 300]);
        let fans = triangles_around(positions.len(), &triangles);
        assert_eq!(of(&positions, &triangles, Some(&fans)).1.len(), 1);
        positions.fill([0.0; 4]);
        let (spacing, levels) = of(&positions, &triangles, Some(&fans));
        assert!(spacing.is_infinite() && levels.is_empty());
    }
}
