//! The grid through which strands feel each other: how much of it is in use, and what it cannot count.

use sim_kernels::strands::grid::FASTEST;
use weft_core::state::{State, col};

use super::{Input, Reading};

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "strand_grid_fill",
        unit: "1",
        doc: "share of the cells of `between` with a particle of a strand in them, in the grid where it is largest; the grid begins \
              anew beyond its cells: towards 1 strands that are far apart feel each other, which a larger `cell` ends",
        of: fill,
    },
    Reading {
        name: "strand_grid_clamped",
        unit: "1",
        doc: "particles of strands that are faster along an axis than the grid counts, 60 m/s: others feel them as that fast",
        of: |input| felt(input.state).map(|felt| felt.filter(|(row, _)| is_fast(input, *row)).count() as f64),
    },
];

/// Particles that the grids feel, with the row of theirs; `None` without grids.
fn felt(state: &State) -> Option<impl Iterator<Item = (usize, u32)> + '_> {
    let (grids, position) = (state.get(col::segment::grid), state.get(col::particle::position));
    let base = position.len().checked_sub(grids.len())?;
    let rows = grids.iter().zip(&position[base..]).enumerate();
    let free = rows.filter(|(_, (grid, x))| **grid != u32::MAX && x[3] > 0.0);
    let any = !state.get(col::strand_grid::side).is_empty();
    any.then(|| free.map(move |(row, (grid, _))| (base + row, *grid)))
}

fn is_fast(input: &Input, row: usize) -> bool {
    let velocity = input.state.get(col::particle::velocity).get(row);
    velocity.is_some_and(|v| v[..3].iter().any(|along| along.abs() > FASTEST))
}

/// Cells with a free particle of a strand in them: rows of particles, with their grid and their cell of it. `None` without grids.
fn cells_of(state: &State) -> Option<impl Iterator<Item = (usize, usize, usize)> + '_> {
    let position = state.get(col::particle::position);
    let (sides, cells) = (state.get(col::strand_grid::side), state.get(col::strand_grid::cells));
    let rows = felt(state)?.filter(|(_, grid)| (*grid as usize) < cells.len());
    Some(rows.map(|(row, grid)| {
        let grid = grid as usize;
        let ([_, count], x) = (cells[grid], position[row]);
        let along = |axis: usize| (x[axis] / sides[grid]).floor() as i32 as u32 & (count - 1);
        (row, grid, ((along(2) * count + along(1)) * count + along(0)) as usize)
    }))
}

/// Of each particle, how many free ones of strands are in its cell of the grid of `between`; 0 for those that feel no others.
pub fn in_cell(state: &State) -> Vec<f32> {
    let mut values = vec![0.0; state.get(col::particle::position).len()];
    let mut all: Vec<_> =
        cells_of(state).into_iter().flatten().map(|(row, grid, cell)| (grid, cell, row)).collect();
    all.sort_unstable();
    for together in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        together.iter().for_each(|(.., row)| values[*row] = together.len() as f32);
    }
    values
}

fn fill(input: &Input) -> Option<f64> {
    let cells = input.state.get(col::strand_grid::cells);
    // One bit a cell.
    let mut used: Vec<Vec<u64>> =
        cells.iter().map(|[_, count]| vec![0; (*count as usize).pow(3).div_ceil(64)]).collect();
    for (_, grid, cell) in cells_of(input.state)? {
        used[grid][cell / 64] |= 1 << (cell % 64);
    }
    let shares = used.iter().zip(cells).map(|(used, [_, count])| {
        let in_use: u32 = used.iter().map(|cells| cells.count_ones()).sum();
        f64::from(in_use) / f64::from(*count).powi(3)
    });
    shares.reduce(f64::max)
}
