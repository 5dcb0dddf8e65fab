//! Roots of strands on cloth: rows of `root`, and which particles of cloth bear which of them.

use std::collections::BTreeMap;

use glam::Quat;
use sim_kernels::{lanes::V3, strands::roots::of_triangle};
use weft_core::state::{TableRows, crowds, rows};

use crate::strands::on_cloth::Graft;

/// Adds the root of a strand on the cloth whose first particle is `first`; returns how its triangle is turned at the start.
pub(super) fn add(rows: &mut rows::Root, strand: u32, first: u32, graft: Graft, x: &[[f32; 4]]) -> Quat {
    let corners = graft.corners.map(|corner| corner + first);
    rows.strand.push(strand);
    rows.corners.push(corners);
    let [a, b, c] = graft.weights;
    rows.weights.push([a, b, c, 0.0]);
    let turned = of_triangle(corners.map(|corner| V3::from_row(x[corner as usize])));
    turned.map_or(Quat::IDENTITY, |turned| Quat::from_array(turned.lanes()))
}

/// Fills the column `crowd`.
pub(super) fn crowd(rows: &mut rows::Root) {
    rows.crowd = crowds(&rows.corners, &rows.weights);
}

/// The tables `bearer` and `borne`.
pub(super) fn bearers(rows: &rows::Root) -> [TableRows; 2] {
    let mut by_particle: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for (row, corners) in (0..).zip(&rows.corners) {
        for (corner, particle) in (0..).zip(corners) {
            by_particle.entry(*particle).or_default().push((row, corner));
        }
    }
    let (mut bearer, mut borne) = (rows::Bearer::default(), rows::Borne::default());
    for (particle, roots) in by_particle {
        bearer.particle.push(particle);
        bearer.borne.push([borne.root.len() as u32, roots.len() as u32]);
        borne.root.extend(roots.iter().map(|(root, _)| root));
        borne.corner.extend(roots.iter().map(|(_, corner)| corner));
    }
    [bearer.table(), borne.table()]
}
