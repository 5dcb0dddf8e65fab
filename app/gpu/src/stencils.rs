//! Cloth that repeats: on a grid nearly all particles have the same neighbours, at the same places and rest lengths.
//!
//! Written once instead of for every particle, they stay in the nearest cache, and a pass moves a third of the bytes that
//! links cost it. Nothing is rounded: two particles share a stencil only if rest lengths, compliances and dampings are equal
//! to the last bit. The rows of a stencil are sorted by the neighbour's distance in memory, so that an inner particle has the
//! same one whatever the colours of its rows are.
//!
//! ```text
//! particle.stencil   first row << 8 | rows
//! stencil.row        neighbour's number less the particle's own, rest [m], compliance [m/N], damping [N s/m] as bits
//! ```

use std::collections::HashMap;

use weft_core::state::State;

/// Most rows of all stencils together; more would not stay in a cache.
const MOST_ROWS: usize = 1 << 12;
/// Most rows of one stencil: what 8 bits count.
const MOST_LINKS: u32 = 255;

#[derive(Debug, PartialEq)]
pub struct Stencils {
    /// One value for each particle.
    pub particles: Vec<u32>,
    pub rows: Vec<[u32; 4]>,
    /// A row of the distance table that each of them is of.
    pub from: Vec<u32>,
}

impl Stencils {
    /// `None` if the cloth does not repeat. `degree`: rows at each particle.
    pub fn of(state: &State, degree: &[u32]) -> Option<Self> {
        if degree.iter().any(|degree| *degree > MOST_LINKS) {
            return None;
        }
        let idx = state.column::<[u32; 2]>("distance", "idx");
        let column = |name| state.column::<f32>("distance", name);
        let (rest, compliance, damping) = (column("rest"), column("compliance"), column("damping"));
        // Rows at each particle, one after the other.
        let mut ends: Vec<usize> = degree
            .iter()
            .scan(0, |sum, degree| {
                let start = *sum;
                *sum += *degree as usize;
                Some(start)
            })
            .collect();
        let mut touching = vec![0_u32; degree.iter().map(|degree| *degree as usize).sum()];
        for (row, ends_of_row) in (0_u32..).zip(idx).filter(|(_, [a, b])| a != b) {
            for &particle in ends_of_row {
                touching[ends[particle as usize]] = row;
                ends[particle as usize] += 1;
            }
        }
        // Kind and cloth as well: what a slider changes it changes for all of a stencil.
        let (kind, object) = (state.column::<u32>("distance", "kind"), state.column("distance", "object"));
        let mut known: HashMap<Vec<[u32; 6]>, u32> = HashMap::new();
        let particles = Vec::with_capacity(degree.len());
        let mut stencils = Self { particles, rows: Vec::new(), from: Vec::new() };
        let (mut own, mut key) = (Vec::new(), Vec::new());
        for (particle, (&end, &degree)) in (0_u32..).zip(ends.iter().zip(degree)) {
            own.clear();
            for &row in &touching[end - degree as usize..end] {
                let row = row as usize;
                let [a, b] = idx[row];
                let away = (a ^ b ^ particle).wrapping_sub(particle);
                let bits = |values: &[f32]| values.get(row).copied().unwrap_or(0.0).to_bits();
                let whose = [kind, object].map(|of: &[u32]| of.get(row).copied().unwrap_or(0));
                let values = [away, bits(rest), bits(compliance), bits(damping), whose[0], whose[1]];
                own.push((values, row as u32));
            }
            own.sort_unstable_by_key(|([away, values @ ..], _)| (*away as i32, *values));
            key.clear();
            key.extend(own.iter().map(|(values, _)| *values));
            let first = if let Some(first) = known.get(&key) {
                *first
            } else {
                let first = stencils.rows.len() as u32;
                stencils
                    .rows
                    .extend(key.iter().map(|&[away, rest, soft, damp, ..]| [away, rest, soft, damp]));
                stencils.from.extend(own.iter().map(|(_, row)| *row));
                known.insert(key.clone(), first);
                first
            };
            if stencils.rows.len() > MOST_ROWS {
                return None;
            }
            stencils.particles.push(first << 8 | degree);
        }
        Some(stencils)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_engine::{generation::Generation, run::Run};
    use weft_scene::workload;

    #[test]
    fn a_grid_has_a_stencil_for_each_distance_from_its_edges() {
        let scene = workload::workload(12).unwrap();
        let run = Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap();
        let idx = run.state.column::<[u32; 2]>("distance", "idx");
        let degree: Vec<u32> =
            (0..144).map(|i| idx.iter().flatten().filter(|end| **end == i).count() as u32).collect();
        let stencils = Stencils::of(&run.state, &degree).unwrap();
        // 0, 1, at least 2 from each of two edges: 5 x 5.
        let mut seen = stencils.particles.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 25);
        let inner = stencils.particles[5 * 12 + 5];
        assert_eq!(inner & 0xff, 12);
        let row = stencils.rows[(inner >> 8) as usize];
        assert_eq!(row[0] as i32, -24, "the row two above comes first");
    }
}
