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
use weft_core::state::col;

use weft_core::{csr::Csr, state::State};

/// Most rows of all stencils together; more would not stay in a cache.
const MOST_ROWS: usize = 1 << 12;
/// Bits of `particle.stencil` that count the rows.
pub(crate) const COUNT_BITS: u32 = 8;
/// Most rows of one stencil.
const MOST_LINKS: usize = (1 << COUNT_BITS) - 1;

#[derive(Debug, PartialEq)]
pub struct Stencils {
    /// One value for each particle.
    pub particles: Vec<u32>,
    pub rows: Vec<[u32; 4]>,
    /// A row of the distance table that each of them is of.
    pub from: Vec<u32>,
}

impl Stencils {
    /// `None` if the cloth does not repeat. `touching`: rows at each particle.
    pub fn of(state: &State, touching: &Csr) -> Option<Self> {
        let particles = 0..touching.len();
        if particles.clone().any(|particle| touching.row(particle).len() > MOST_LINKS) {
            return None;
        }
        let idx = state.get(col::distance::idx);
        let [rest, compliance, damping] =
            [col::distance::rest, col::distance::compliance, col::distance::damping]
                .map(|key| state.get(key));
        // Kind and cloth as well: what a slider changes it changes for all of a stencil.
        let (kind, object) = (state.get(col::distance::kind), state.get(col::distance::object));
        let mut known: HashMap<Vec<[u32; 6]>, u32> = HashMap::new();
        let particles_of = Vec::with_capacity(touching.len());
        let mut stencils = Self { particles: particles_of, rows: Vec::new(), from: Vec::new() };
        let (mut own, mut key) = (Vec::new(), Vec::new());
        for particle in particles {
            own.clear();
            for &row in touching.row(particle) {
                let row = row as usize;
                let ([a, b], particle) = (idx[row], particle as u32);
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
            stencils.particles.push(first << COUNT_BITS | own.len() as u32);
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
        let idx = run.state.get(col::distance::idx);
        let stencils = Stencils::of(&run.state, &Csr::incidence(144, (0..).zip(idx))).unwrap();
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
