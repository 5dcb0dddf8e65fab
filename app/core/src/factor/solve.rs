//! A x = b for three right-hand sides at once, x, y and z of a row: each value of L is read twice and multiplies three
//! numbers, so the time is that of reading L.

use glam::Vec4;
use sim_api::{Par, SharedMut};

use super::{
    numeric::{PANEL, Values},
    symbolic::Symbolic,
    tasks::{Task, Tasks},
};

/// `stretches` has a row for each of `tasks.rows`; what is no unknown (`diagonal` 0) comes back as 0.
pub(super) fn solve(
    par: &Par,
    (symbolic, tasks, values): (&Symbolic, &Tasks, &Values),
    diagonal: &[f32],
    stretches: &mut [[f32; 4]],
    rows: &mut [[f32; 4]],
) {
    let stretches = SharedMut::new(stretches);
    let place = &tasks.place;
    par.rows(rows, |start, rows| {
        for (i, row) in (start..).zip(rows) {
            let row = if diagonal[i] > 0.0 { [row[0], row[1], row[2], 0.0] } else { [0.0; 4] };
            // SAFETY: each particle has a place of its own.
            unsafe { stretches.set(place[i] as usize, row) };
        }
    });
    // SAFETY (both loops): tasks of one stage have stretches of their own, and those of children and parents are in
    // other stages.
    for stage in &tasks.stages {
        par.each(stage.len(), |i| unsafe {
            let task = &tasks.tasks[stage[i]];
            forward(task, tasks, symbolic, values, &stretches);
        });
    }
    for stage in tasks.stages.iter().rev() {
        par.each(stage.len(), |i| unsafe {
            let task = &tasks.tasks[stage[i]];
            backward(task, tasks, symbolic, values, &stretches);
        });
    }
    par.rows(rows, |start, rows| {
        for (i, row) in (start..).zip(rows) {
            // SAFETY: nothing writes now.
            *row = unsafe { stretches.get(place[i] as usize) };
        }
    });
}

/// L y = b for the task's columns.
///
/// # Safety
/// Nothing else uses the stretches of this task and its children.
unsafe fn forward(
    task: &Task,
    tasks: &Tasks,
    symbolic: &Symbolic,
    values: &Values,
    stretches: &SharedMut<[f32; 4]>,
) {
    // SAFETY (both blocks): vouched for by the caller.
    let stretch = unsafe { stretches.rows_mut(task.base..task.base + task.len()) };
    stretch[task.columns.len()..].fill([0.0; 4]);
    for &child in &task.children {
        let child = &tasks.tasks[child];
        for (i, &row) in (child.base + child.columns.len()..).zip(&child.outer_in_parent) {
            add(&mut stretch[row as usize], Vec4::from_array(unsafe { stretches.get(i) }));
        }
    }
    for i in task.supernodes.clone() {
        let block = Block::of(task, tasks, symbolic, values, i);
        let (inside, below) = stretch.split_at_mut(block.first + block.width);
        block.forward(&mut inside[block.first..], block.first + block.width, below);
    }
}

/// Lᵀ x = y for the task's columns.
///
/// # Safety
/// Nothing else uses the stretch of this task, and nothing writes its parent's.
unsafe fn backward(
    task: &Task,
    tasks: &Tasks,
    symbolic: &Symbolic,
    values: &Values,
    stretches: &SharedMut<[f32; 4]>,
) {
    // SAFETY (both blocks): vouched for by the caller.
    let stretch = unsafe { stretches.rows_mut(task.base..task.base + task.len()) };
    if let Some(parent) = task.parent {
        let base = tasks.tasks[parent].base;
        for (to, &row) in stretch[task.columns.len()..].iter_mut().zip(&task.outer_in_parent) {
            *to = unsafe { stretches.get(base + row as usize) };
        }
    }
    for i in task.supernodes.clone().rev() {
        let block = Block::of(task, tasks, symbolic, values, i);
        let (inside, below) = stretch.split_at_mut(block.first + block.width);
        block.backward(&mut inside[block.first..], block.first + block.width, below);
    }
}

fn add(row: &mut [f32; 4], d: Vec4) {
    *row = (Vec4::from_array(*row) + d).to_array();
}

/// One supernode of L, and where its rows lie in the stretch of its task.
struct Block<'a> {
    first: usize,
    width: usize,
    rows: &'a [u32],
    inverse: &'a [f32],
    inside: &'a [f32],
    panels: &'a [f32],
}

impl<'a> Block<'a> {
    fn of(task: &Task, tasks: &'a Tasks, symbolic: &Symbolic, values: &'a Values, i: usize) -> Self {
        let supernode = &symbolic.supernodes[i];
        let width = supernode.width;
        let all = &values.values[values.starts[i]..values.starts[i + 1]];
        let (inverse, rest) = all.split_at(width);
        let (inside, panels) = rest.split_at(width * (width - 1) / 2);
        Self {
            first: supernode.first - task.columns.start,
            width,
            rows: &tasks.local[i],
            inverse,
            inside,
            panels,
        }
    }

    /// Rows of a panel and its values, four for each column.
    fn panels(&self) -> impl Iterator<Item = (&'a [u32], &'a [[f32; 4]])> {
        let values = self.panels.as_chunks::<PANEL>().0.chunks_exact(self.width);
        self.rows.chunks(PANEL).zip(values)
    }

    /// `below` begins at row `offset` of the stretch.
    fn forward(&self, own: &mut [[f32; 4]], offset: usize, below: &mut [[f32; 4]]) {
        let mut inside = self.inside;
        for at in 0..self.width {
            let y = Vec4::from_array(own[at]) * self.inverse[at];
            own[at] = y.to_array();
            let (column, rest) = inside.split_at(self.width - at - 1);
            inside = rest;
            for (row, &l) in own[at + 1..].iter_mut().zip(column) {
                *row = (Vec4::from_array(*row) - y * l).to_array();
            }
        }
        for (rows, values) in self.panels() {
            let (mut a, mut b, mut c, mut d) = (Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ZERO);
            for (y, l) in own.iter().zip(values) {
                let y = Vec4::from_array(*y);
                (a, b, c, d) = (a + y * l[0], b + y * l[1], c + y * l[2], d + y * l[3]);
            }
            for (&row, sum) in rows.iter().zip([a, b, c, d]) {
                add(&mut below[row as usize - offset], -sum);
            }
        }
    }

    fn backward(&self, own: &mut [[f32; 4]], offset: usize, below: &[[f32; 4]]) {
        for (rows, values) in self.panels() {
            let mut x = [Vec4::ZERO; PANEL];
            for (x, &row) in x.iter_mut().zip(rows) {
                *x = Vec4::from_array(below[row as usize - offset]);
            }
            let [a, b, c, d] = x;
            for (y, l) in own.iter_mut().zip(values) {
                let sum = (a * l[0] + b * l[1]) + (c * l[2] + d * l[3]);
                *y = (Vec4::from_array(*y) - sum).to_array();
            }
        }
        let mut inside = self.inside;
        for at in (0..self.width).rev() {
            let (rest, column) = inside.split_at(inside.len() - (self.width - at - 1));
            inside = rest;
            let (this, later) = own[at..].split_at_mut(1);
            // Four sums at once: one alone would wait for itself.
            let mut sums = [Vec4::ZERO; PANEL];
            let (fours, last) = column.as_chunks::<PANEL>();
            let (rows, rest) = later.as_chunks::<PANEL>();
            for (l, row) in fours.iter().zip(rows) {
                for (sum, (l, row)) in sums.iter_mut().zip(l.iter().zip(row)) {
                    *sum += Vec4::from_array(*row) * *l;
                }
            }
            for (l, row) in last.iter().zip(rest) {
                sums[0] += Vec4::from_array(*row) * *l;
            }
            let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            this[0] = ((Vec4::from_array(this[0]) - sum) * self.inverse[at]).to_array();
        }
    }
}
