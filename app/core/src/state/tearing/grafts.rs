//! Roots of strands on cloth, once triangles are torn.
//!
//! A root whose triangle is torn hangs on to the corner that it is nearest to, whatever that does: still part of the cloth, or on
//! its way down. It comes back with the triangle.

use std::collections::BTreeMap;

use super::{Blueprint, Table, layers::write};
use crate::state::col;

/// Of each root and corner, the sum of what all roots take of that particle.
pub fn crowds(corners: &[[u32; 3]], weights: &[[f32; 4]]) -> Vec<[f32; 4]> {
    let mut sums: BTreeMap<u32, f32> = BTreeMap::new();
    for (corners, weights) in corners.iter().zip(weights) {
        for (corner, weight) in corners.iter().zip(weights) {
            *sums.entry(*corner).or_default() += weight.abs();
        }
    }
    let sum = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| sums[&corner]);
        [a, b, c, 0.0]
    };
    corners.iter().map(sum).collect()
}

/// What roots take of the corners of whole triangles, and which triangles those are.
pub(super) struct Grafts {
    /// In scene order.
    triangles: Vec<u32>,
    corners: Vec<[u32; 3]>,
    weights: Vec<[f32; 4]>,
}

impl Grafts {
    pub(super) fn of(blueprint: &Blueprint) -> Self {
        let (corners, weights) = (blueprint.get(col::root::corners), blueprint.get(col::root::weights));
        let sorted = |mut corners: [u32; 3]| {
            corners.sort_unstable();
            corners
        };
        let rows: BTreeMap<[u32; 3], u32> = if corners.is_empty() {
            BTreeMap::new()
        } else {
            blueprint.get(col::triangle::idx).iter().map(|idx| sorted(*idx)).zip(0..).collect()
        };
        let row = |corners: &[u32; 3]| rows.get(&sorted(*corners)).copied().unwrap_or(u32::MAX);
        Self {
            triangles: corners.iter().map(row).collect(),
            corners: corners.to_vec(),
            weights: weights.to_vec(),
        }
    }

    /// Writes `root.weights` and `root.crowd` for the triangles that hold.
    pub(super) fn fill(&self, tables: &mut [Table], live: &[bool]) {
        if self.corners.is_empty() {
            return;
        }
        let weights: Vec<[f32; 4]> = self
            .triangles
            .iter()
            .zip(&self.weights)
            .map(|(triangle, weights)| {
                if live.get(*triangle as usize).copied().unwrap_or(true) {
                    *weights
                } else {
                    nearest(*weights)
                }
            })
            .collect();
        write(tables, "root", "crowd", &crowds(&self.corners, &weights));
        write(tables, "root", "weights", &weights);
    }
}

/// All of the corner of which most is taken.
fn nearest(weights: [f32; 4]) -> [f32; 4] {
    let most = (0..3).fold(0, |most, corner| if weights[corner] > weights[most] { corner } else { most });
    std::array::from_fn(|corner| if corner == most { 1.0 } else { 0.0 })
}
