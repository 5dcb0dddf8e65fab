//! Cloth whose particles lie in rows and whose springs reach no farther than two particles along and across: a workgroup
//! loads a square of it with a border, and knows from a particle's place where its neighbours are.
//!
//! ```text
//! grid_tile.span   number of the particle at the border's corner, if there were one there; particles of a row;
//!                  columns of the tile with its border that there are, first | end << 16; rows likewise
//! stencil.step     the neighbour's place in the tile less the particle's own
//! ```
//! Every particle is in the core of one tile.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::stencils::{COUNT_BITS, Stencils};
use weft_core::state::{State, col};

/// Particles along a side of a tile's core.
pub(crate) const SIDE: u32 = 32;
/// How far a spring reaches, along and across: the width of the border.
pub(crate) const REACH: u32 = 2;
/// Particles along a side of a tile with its border, and all of them.
pub(crate) const PITCH: u32 = SIDE + 2 * REACH;
pub(crate) const CELLS: u32 = PITCH * PITCH;

#[derive(Debug, PartialEq)]
pub(crate) struct Grids {
    pub spans: Vec<[u32; 4]>,
    /// One value for each row of the stencils.
    pub steps: Vec<u32>,
}

/// Particles in rows.
#[derive(Clone, Copy)]
struct Grid {
    first: u32,
    count: u32,
    width: u32,
}

impl Grids {
    /// `None` where a spring reaches farther, or numbers do not run along the rows.
    pub(crate) fn of(state: &State, stencils: &Stencils) -> Option<Self> {
        let objects = state.get(col::distance::object);
        // First and last particle of each cloth.
        let mut cloths: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
        for (&[a, b], object) in state.get(col::distance::idx).iter().zip(objects) {
            let [first, last] = cloths.entry(*object).or_insert([u32::MAX, 0]);
            (*first, *last) = (a.min(b).min(*first), a.max(b).max(*last));
        }
        let mut made = Self { spans: Vec::new(), steps: vec![0; stencils.rows.len()] };
        let (mut next, particles) = (0, stencils.particles.len() as u32);
        let mut ranges: Vec<[u32; 2]> = cloths.into_values().collect();
        ranges.sort_unstable();
        for [first, last] in ranges {
            let count = (last + 1).checked_sub(first)?;
            let between = first.checked_sub(next)?;
            made.cut(Grid { first: next, count: between, width: between });
            let width = made.width(stencils, first, count)?;
            made.cut(Grid { first, count, width });
            next = last + 1;
        }
        let rest = particles.checked_sub(next)?;
        made.cut(Grid { first: next, count: rest, width: rest });
        Some(made)
    }

    fn cut(&mut self, Grid { first, count, width }: Grid) {
        let rows = count.checked_div(width).unwrap_or(0);
        // What of a tile that begins at `start` lies within `all`.
        let there = |start: u32, all: u32| {
            let (low, high) = (REACH.saturating_sub(start), (all + REACH - start).min(PITCH));
            low | high << 16
        };
        for row in (0..rows).step_by(SIDE as usize) {
            for column in (0..width).step_by(SIDE as usize) {
                let corner = first.wrapping_add(row * width + column).wrapping_sub(REACH * width + REACH);
                self.spans.push([corner, width, there(column, width), there(row, rows)]);
            }
        }
    }

    /// Particles of a row, with the steps of their stencils filled in.
    fn width(&mut self, stencils: &Stencils, first: u32, count: u32) -> Option<u32> {
        let particles = &stencils.particles[first as usize..][..count as usize];
        let rows = |stencil: u32| {
            let start = (stencil >> COUNT_BITS) as usize;
            start..start + (stencil & ((1 << COUNT_BITS) - 1)) as usize
        };
        let kinds: BTreeSet<u32> = particles.iter().copied().collect();
        let away = |row: usize| stencils.rows[row][0] as i32;
        let all: BTreeSet<u32> =
            kinds.iter().flat_map(|kind| rows(*kind)).map(|row| away(row).unsigned_abs()).collect();
        // A neighbour is a row down, a diagonal, or two rows.
        let widths: BTreeSet<u32> =
            all.iter().flat_map(|&away| [away.saturating_sub(1), away, away + 1, away / 2]).collect();
        let fits = |&width: &u32| {
            if width <= 2 * REACH || !count.is_multiple_of(width) {
                return false;
            }
            // Of each kind how far its neighbours are to the left and to the right.
            let sides: Option<HashMap<u32, [i32; 2]>> = (kinds.iter())
                .map(|kind| {
                    rows(*kind).try_fold((*kind, [0, 0]), |(kind, [left, right]), row| {
                        place(away(row), width).map(|[x, _]| (kind, [x.min(left), x.max(right)]))
                    })
                })
                .collect();
            sides.is_some_and(|sides| {
                (0..).zip(particles).all(|(at, kind): (u32, _)| {
                    let column = (at % width) as i32;
                    sides[kind].iter().all(|x| (0..width as i32).contains(&(column + x)))
                })
            })
        };
        let width = widths.into_iter().find(fits)?;
        for row in kinds.into_iter().flat_map(rows) {
            let [x, y] = place(away(row), width)?;
            self.steps[row] = (y * PITCH as i32 + x) as u32;
        }
        Some(width)
    }
}

/// Columns and rows to a neighbour that is so many particles on; `None`: more than [`REACH`].
fn place(away: i32, width: u32) -> Option<[i32; 2]> {
    let width = width as i32;
    let y = (away + width / 2).div_euclid(width);
    let place = [away - y * width, y];
    place.iter().all(|steps| steps.unsigned_abs() <= REACH).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Adjacency;
    use weft_engine::{generation::Generation, run::Run};
    use weft_scene::workload;

    #[test]
    fn neighbours_are_where_the_steps_lead() {
        let scene = workload::workload(71).unwrap();
        let run = Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap();
        let neighbours = Adjacency::of(&run.state).unwrap();
        let (grids, stencils) = (neighbours.grids.unwrap(), neighbours.stencils.unwrap());
        assert_eq!(grids.spans.len(), 9);
        let mut seen = vec![0; 71 * 71];
        for [corner, width, columns, rows] in grids.spans {
            assert_eq!(width, 71);
            let there = |at: u32, span: u32| (span & 0xffff..span >> 16).contains(&at);
            let is_there = |at: u32| there(at % PITCH, columns) && there(at / PITCH, rows);
            let particle = |at: u32| corner.wrapping_add(at / PITCH * width + at % PITCH);
            let core = |at: &u32| [at / PITCH, at % PITCH].iter().all(|x| (REACH..SIDE + REACH).contains(x));
            for at in (0..CELLS).filter(|at| core(at) && is_there(*at)) {
                let own = particle(at);
                seen[own as usize] += 1;
                let stencil = stencils.particles[own as usize];
                let first = (stencil >> COUNT_BITS) as usize;
                for row in first..first + (stencil & 0xff) as usize {
                    let to = at.wrapping_add(grids.steps[row]);
                    assert!(is_there(to));
                    assert_eq!(particle(to), own.wrapping_add(stencils.rows[row][0]));
                }
            }
        }
        assert!(seen.iter().all(|&times| times == 1));
    }
}
