//! The values of L, multifrontal: each supernode gathers the matrix and what its children left, eliminates its own
//! columns and leaves the rest to its parent.
//!
//! Liu: The Multifrontal Method for Sparse Matrix Solution, 1992. Worked out in f64, kept in f32: the solver that asks
//! corrects itself by its residual, and half the memory is twice the speed.

use std::sync::{Mutex, PoisonError};

use sim_api::{Par, SharedMut, Squares};

use super::{symbolic::Symbolic, tasks::Tasks};
use crate::csr::Csr;

/// Rows of a panel below a block: the solver takes so many at once.
pub(super) const PANEL: usize = 4;

/// L, by supernode: 1 / diagonal; the columns below the diagonal one after another, inside the block; then the rows
/// below the block in panels of four, each column of a panel as four values (missing rows are 0).
pub(super) struct Values {
    pub values: Vec<f32>,
    /// Where each supernode begins, and the end.
    pub starts: Vec<usize>,
}

/// The matrix: diagonal and, for each column, the values below it, in the order of elimination.
struct Matrix {
    diagonal: Vec<f64>,
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Matrix {
    fn of(graph: &Csr, symbolic: &Symbolic, diagonal: &[f32], squares: &[Squares]) -> Self {
        let column = &symbolic.column;
        let mut matrix = Self { diagonal: Vec::new(), starts: vec![0], rows: Vec::new(), values: Vec::new() };
        for (at, &vertex) in (0..).zip(&symbolic.order) {
            let free = diagonal[vertex as usize] > 0.0;
            matrix.diagonal.push(if free { f64::from(diagonal[vertex as usize]) } else { 1.0 });
            let start = matrix.rows.len();
            let below = graph.row(vertex as usize).iter().map(|&other| column[other as usize]);
            matrix.rows.extend(below.filter(|&row| row > at));
            matrix.rows[start..].sort_unstable();
            matrix.starts.push(matrix.rows.len());
        }
        matrix.values.resize(matrix.rows.len(), 0.0);
        for table in squares {
            matrix.add(column, diagonal, table);
        }
        matrix
    }

    fn add(&mut self, column: &[u32], diagonal: &[f32], table: &Squares) {
        let rows = table.idx().chunks_exact(table.corners());
        let rows = rows.zip(table.stiffness()).enumerate();
        for (row, k, weights) in rows.flat_map(|(i, (row, k))| table.sums(i).map(move |sum| (row, k, sum))) {
            let k = f64::from(*k);
            for (corner, (&a, &wa)) in row.iter().zip(&weights).enumerate() {
                // What is no unknown takes no part.
                if diagonal[a as usize] <= 0.0 {
                    continue;
                }
                let (at, wa) = (column[a as usize], f64::from(wa));
                self.diagonal[at as usize] += k * wa * wa;
                for (&b, &wb) in row[corner + 1..].iter().zip(&weights[corner + 1..]) {
                    let value = k * wa * f64::from(wb);
                    if a == b {
                        self.diagonal[at as usize] += 2.0 * value;
                    } else if diagonal[b as usize] > 0.0 {
                        *self.below(at, column[b as usize]) += value;
                    }
                }
            }
        }
    }

    /// The value at two columns that share a row.
    fn below(&mut self, a: u32, b: u32) -> &mut f64 {
        let (column, row) = (a.min(b) as usize, a.max(b));
        let (start, end) = (self.starts[column], self.starts[column + 1]);
        let at = self.rows[start..end].binary_search(&row);
        &mut self.values[start + at.expect("the graph has all pairs of all rows")]
    }
}

/// Factors the matrix; an error is the particle whose pivot is not positive.
pub(super) fn factor(
    par: &Par,
    graph: &Csr,
    (symbolic, tasks): (&Symbolic, &Tasks),
    diagonal: &[f32],
    squares: &[Squares],
    values: &mut Values,
) -> Result<(), u32> {
    let matrix = Matrix::of(graph, symbolic, diagonal, squares);
    let children = children(symbolic);
    // What a supernode leaves to its parent: its rows by its rows, by columns, lower half.
    let left: Vec<Mutex<Vec<f64>>> = symbolic.supernodes.iter().map(|_| Mutex::default()).collect();
    let bad = Mutex::new(None::<usize>);
    let starts = &values.starts;
    let shared = SharedMut::new(&mut values.values);
    for stage in &tasks.stages {
        par.each(stage.len(), |i| {
            for supernode in tasks.tasks[stage[i]].supernodes.clone() {
                let take = |child: usize| {
                    std::mem::take(&mut *left[child].lock().unwrap_or_else(PoisonError::into_inner))
                };
                let fronts = children[supernode].iter().map(|&child| (child, take(child)));
                let mut front = Front::gather(symbolic, supernode, &matrix, fronts);
                if let Err(column) = front.eliminate() {
                    let mut bad = bad.lock().unwrap_or_else(PoisonError::into_inner);
                    let column = symbolic.supernodes[supernode].first + column;
                    *bad = Some(bad.map_or(column, |first| first.min(column)));
                }
                // SAFETY: each supernode has values of its own.
                front.keep(unsafe { shared.rows_mut(starts[supernode]..starts[supernode + 1]) });
                *left[supernode].lock().unwrap_or_else(PoisonError::into_inner) = front.rest();
            }
        });
    }
    let bad = bad.into_inner().unwrap_or_else(PoisonError::into_inner);
    bad.map_or(Ok(()), |column| Err(symbolic.order[column]))
}

fn children(symbolic: &Symbolic) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); symbolic.supernodes.len()];
    for (i, supernode) in symbolic.supernodes.iter().enumerate() {
        if let Some(parent) = supernode.parent {
            children[parent].push(i);
        }
    }
    children
}

impl Values {
    /// Room for the values of a pattern, or `None` if there is no memory for it.
    pub(super) fn of(symbolic: &Symbolic) -> Option<Self> {
        let mut starts = vec![0];
        for supernode in &symbolic.supernodes {
            let width = supernode.width;
            let panels = supernode.rows.len().div_ceil(PANEL) * PANEL;
            starts.push(starts[starts.len() - 1] + width * (width + 1) / 2 + panels * width);
        }
        let (mut values, count) = (Vec::new(), starts[starts.len() - 1]);
        values.try_reserve_exact(count).ok()?;
        values.resize(count, 0.0);
        Some(Self { values, starts })
    }
}

/// A dense symmetric matrix over the columns and rows of one supernode, by columns, lower half.
struct Front {
    size: usize,
    width: usize,
    values: Vec<f64>,
}

impl Front {
    fn gather(
        symbolic: &Symbolic,
        supernode: usize,
        matrix: &Matrix,
        children: impl Iterator<Item = (usize, Vec<f64>)>,
    ) -> Self {
        let block = &symbolic.supernodes[supernode];
        let (width, size) = (block.width, block.width + block.rows.len());
        let mut values = vec![0.0; size * size];
        let place = |row: u32| match (row as usize).checked_sub(block.first) {
            Some(at) if at < width => at,
            _ => width + block.rows.partition_point(|&other| other < row),
        };
        for at in 0..width {
            let column = block.first + at;
            values[at * size + at] = matrix.diagonal[column];
            for i in matrix.starts[column]..matrix.starts[column + 1] {
                values[at * size + place(matrix.rows[i])] = matrix.values[i];
            }
        }
        for (child, rest) in children {
            let places: Vec<usize> = symbolic.supernodes[child].rows.iter().map(|&row| place(row)).collect();
            for (column, &to_column) in places.iter().enumerate() {
                let from = &rest[column * places.len()..(column + 1) * places.len()];
                let to = &mut values[to_column * size..(to_column + 1) * size];
                for (&row, &value) in places[column..].iter().zip(&from[column..]) {
                    to[row] += value;
                }
            }
        }
        Self { size, width, values }
    }

    /// Cholesky of the own columns, taken off the rest. An error is the column whose pivot is not positive.
    fn eliminate(&mut self) -> Result<(), usize> {
        let size = self.size;
        for start in (0..self.width).step_by(PANEL) {
            let end = (start + PANEL).min(self.width);
            for column in start..end {
                let (done, rest) = self.values.split_at_mut(column * size);
                let own = &mut rest[column..size];
                for earlier in start..column {
                    let other = &done[earlier * size + column..(earlier + 1) * size];
                    let share = other[0];
                    own.iter_mut().zip(other).for_each(|(value, other)| *value -= share * other);
                }
                // Also finds NaN.
                if !(own[0] > 0.0 && own[0].is_finite()) {
                    return Err(column);
                }
                let root = own[0].sqrt();
                let inverse = 1.0 / root;
                own.iter_mut().for_each(|value| *value *= inverse);
                own[0] = root;
            }
            for column in end..size {
                let (done, rest) = self.values.split_at_mut(column * size);
                let own = &mut rest[column..size];
                let panel = |i: usize| &done[(start + i) * size + column..(start + i + 1) * size];
                if end - start == PANEL {
                    take_four(own, [panel(0), panel(1), panel(2), panel(3)]);
                } else {
                    for i in 0..end - start {
                        let (other, share) = (panel(i), panel(i)[0]);
                        own.iter_mut().zip(other).for_each(|(value, other)| *value -= share * other);
                    }
                }
            }
        }
        Ok(())
    }

    /// The own columns in the layout of [`Values`].
    fn keep(&self, to: &mut [f32]) {
        let (size, width) = (self.size, self.width);
        let value = |row: usize, column: usize| {
            if row < size { self.values[column * size + row] as f32 } else { 0.0 }
        };
        let (diagonal, to) = to.split_at_mut(width);
        for (at, inverse) in diagonal.iter_mut().enumerate() {
            *inverse = (1.0 / self.values[at * size + at]) as f32;
        }
        let (inside, panels) = to.split_at_mut(width * (width - 1) / 2);
        let entries = (0..width).flat_map(|column| (column + 1..width).map(move |row| (row, column)));
        inside.iter_mut().zip(entries).for_each(|(to, (row, column))| *to = value(row, column));
        for (i, four) in panels.chunks_exact_mut(PANEL).enumerate() {
            let (panel, column) = (i / width, i % width);
            for (lane, to) in four.iter_mut().enumerate() {
                *to = value(width + panel * PANEL + lane, column);
            }
        }
    }

    /// What is left for the parent.
    fn rest(self) -> Vec<f64> {
        let (size, width) = (self.size, self.width);
        (width..size)
            .flat_map(|column| self.values[column * size + width..(column + 1) * size].iter().copied())
            .collect()
    }
}

/// own -= sum of panel[i][0] panel[i].
fn take_four(own: &mut [f64], [a, b, c, d]: [&[f64]; 4]) {
    let (sa, sb, sc, sd) = (a[0], b[0], c[0], d[0]);
    for ((((value, a), b), c), d) in own.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *value -= sa * a + sb * b + sc * c + sd * d;
    }
}
