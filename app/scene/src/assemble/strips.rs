//! How much cloth each row and each particle stands for, so that forces can be told as stresses.
//!
//! Structural rows cover the cloth twice, once for each direction: every triangle spreads twice its rest area evenly
//! over those of its edges that are structural. On a grid (two of three edges) a row's strip is then as wide as the
//! spacing across it, half that at the border; on a mesh whose edges are all structural it is 2 (A0 + A1) / (3 length).
//! A particle has a quarter of the strips that meet at it, so the particles add up to the cloth. Other rows, such as
//! diagonals and rows that skip one, have the mean area of their two ends.

use weft_core::csr::Csr;

use crate::{ClothMesh, Kind};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Strips {
    /// Of each distance row, in the order of the mesh [m].
    pub widths: Vec<f32>,
    /// Of each particle [m2].
    pub areas: Vec<f32>,
}

pub(super) fn strips(mesh: &ClothMesh) -> Strips {
    // At the lower end of each row its upper end.
    let ends = (0..).zip(&mesh.distances).map(|(i, row)| (row.a.min(row.b), (row.a.max(row.b), i)));
    let edges = Csr::<(u32, u32)>::new(mesh.positions.len(), ends);
    let between = |a: u32, b: u32| {
        let found = edges.row(a.min(b) as usize).iter().rfind(|(upper, _)| *upper == a.max(b));
        found.map(|(_, row)| *row as usize)
    };
    let mut strip = vec![0.0_f64; mesh.distances.len()];
    let mut areas = vec![0.0_f64; mesh.positions.len()];
    let structural = |row: usize| mesh.distances[row].kind == Kind::Structural;
    for &[a, b, c] in &mesh.triangles {
        let sides = [(a, b), (b, c), (c, a)];
        let rows = sides.map(|(a, b)| between(a, b));
        let lengths: [f64; 3] = std::array::from_fn(|i| match rows[i] {
            Some(row) => f64::from(mesh.distances[row].rest),
            None => distance(mesh, sides[i]),
        });
        let area = heron(lengths);
        let carrying = || rows.into_iter().flatten().filter(|&row| structural(row));
        match carrying().count() {
            // No row carries it: its corners share it.
            0 => [a, b, c].iter().for_each(|&corner| areas[corner as usize] += area / 3.0),
            count => carrying().for_each(|row| strip[row] += 2.0 * area / count as f64),
        }
    }
    for (row, strip) in mesh.distances.iter().zip(&strip) {
        [row.a, row.b].iter().for_each(|&end| areas[end as usize] += 0.25 * strip);
    }
    let widths = mesh.distances.iter().zip(&strip).map(|(row, strip)| {
        let area = match row.kind {
            Kind::Structural => *strip,
            Kind::Shear | Kind::Bend => 0.5 * (areas[row.a as usize] + areas[row.b as usize]),
        };
        (area / f64::from(row.rest)) as f32
    });
    Strips { widths: widths.collect(), areas: areas.iter().map(|area| *area as f32).collect() }
}

fn distance(mesh: &ClothMesh, (a, b): (u32, u32)) -> f64 {
    let (a, b) = (mesh.positions[a as usize], mesh.positions[b as usize]);
    (0..3).map(|i| f64::from(b[i] - a[i]).powi(2)).sum::<f64>().sqrt()
}

/// Area of a triangle from its sides.
fn heron([a, b, c]: [f64; 3]) -> f64 {
    let s = 0.5 * (a + b + c);
    (s * (s - a) * (s - b) * (s - c)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Distance;

    fn row(a: u32, b: u32, rest: f32, kind: Kind) -> Distance {
        Distance { a, b, rest, kind, compliance: 0.0, damping: 0.0 }
    }

    #[test]
    fn strips_of_a_grid_are_as_wide_as_its_spacing_and_half_at_the_border() {
        // Two cells side by side, 2 m by 1 m each.
        let positions = (0..6).map(|i| [2.0 * (i % 3) as f32, -((i / 3) as f32), 0.0]).collect();
        let mut distances = vec![row(0, 1, 2.0, Kind::Structural), row(3, 4, 2.0, Kind::Structural)];
        distances.extend([(1, 2), (4, 5)].map(|(a, b)| row(a, b, 2.0, Kind::Structural)));
        distances.extend([0, 1, 2].map(|a| row(a, a + 3, 1.0, Kind::Structural)));
        distances.push(row(0, 4, 5.0_f32.sqrt(), Kind::Shear));
        let triangles = vec![[0, 3, 4], [0, 4, 1], [1, 4, 2], [2, 4, 5]];
        let mesh = ClothMesh { positions, triangles, distances, ..ClothMesh::default() };
        let strips = strips(&mesh);
        let close = |have: &[f32], want: &[f32]| have.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(close(&strips.widths[..7], &[0.5, 0.5, 0.5, 0.5, 1.0, 2.0, 1.0]), "{:?}", strips.widths);
        assert!(close(&strips.areas, &[0.5, 1.0, 0.5, 0.5, 1.0, 0.5]), "{:?}", strips.areas);
        assert!(close(&strips.widths[7..], &[0.75 / 5.0_f32.sqrt()]), "{:?}", strips.widths);
    }

    #[test]
    fn strips_of_a_mesh_cover_it_twice_and_a_cloth_without_rows_goes_to_its_corners() {
        let positions = vec![[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let distances = [(0, 1, 3.0), (1, 2, 5.0), (2, 0, 4.0)];
        let distances = distances.map(|(a, b, rest)| row(a, b, rest, Kind::Structural)).to_vec();
        let mut mesh = ClothMesh { positions, triangles: vec![[0, 1, 2]], distances, ..ClothMesh::default() };
        let made = strips(&mesh);
        for (width, rest) in made.widths.iter().zip([3.0, 5.0, 4.0]) {
            assert!((width * rest - 4.0).abs() < 1e-5, "a third of twice 6 m2");
        }
        assert!((made.areas.iter().sum::<f32>() - 6.0).abs() < 1e-5);
        mesh.distances.clear();
        assert_eq!(strips(&mesh).areas, [2.0; 3]);
    }
}
