//! Runs of supernodes that may be worked on at the same time: whole subtrees, and the trunks above them, by depth.
//!
//! A task works on a stretch of its own: its columns, then the rows that it touches in its ancestors.
//! ```text
//! stretch of a task     [ own columns | outer rows ]
//!                                        │ forward: added to the parent's stretch
//!                                        │ backward: read from it
//! ```

use std::ops::Range;

use super::symbolic::Symbolic;

/// A subtree with less than this share of all values is not cut up.
const SHARE: usize = 24;
/// Nor is one with fewer values than this.
const SMALL: usize = 20_000;

pub(super) struct Tasks {
    pub tasks: Vec<Task>,
    /// Tasks that may run at the same time, deepest first; children are in an earlier stage than their parents.
    pub stages: Vec<Vec<usize>>,
    /// Rows of the stretches of all tasks.
    pub rows: usize,
    /// For each supernode: its rows, as rows of its task's stretch.
    pub local: Vec<Vec<u32>>,
    /// For each particle: its row in all stretches.
    pub place: Vec<u32>,
}

pub(super) struct Task {
    pub supernodes: Range<usize>,
    /// Own columns.
    pub columns: Range<usize>,
    /// Where the stretch begins.
    pub base: usize,
    /// Columns of ancestors that the task touches, ascending.
    outer: Vec<u32>,
    /// Those as rows of the parent's stretch.
    pub outer_in_parent: Vec<u32>,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
}

impl Task {
    /// Rows of the stretch.
    pub(super) fn len(&self) -> usize {
        self.columns.len() + self.outer.len()
    }

    /// A column as row of this stretch.
    fn local(&self, column: u32) -> u32 {
        let inside = self.columns.contains(&(column as usize));
        let row = if inside {
            column as usize - self.columns.start
        } else {
            let outer = self.outer.binary_search(&column);
            self.columns.len() + outer.expect("rows of a supernode lie in the columns of its ancestors")
        };
        row as u32
    }
}

impl Tasks {
    pub(super) fn of(symbolic: &Symbolic) -> Self {
        let (mut tasks, depths) = cut(symbolic);
        let mut rows = 0;
        for i in 0..tasks.len() {
            tasks[i].base = rows;
            rows += tasks[i].len();
            if let Some(parent) = tasks[i].parent {
                tasks[i].outer_in_parent =
                    tasks[i].outer.iter().map(|&row| tasks[parent].local(row)).collect();
                tasks[parent].children.push(i);
            }
        }
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let at = |depth| (0..tasks.len()).filter(|&i| depths[i] == depth).collect();
        let stages = (0..=deepest).rev().map(at).collect();
        let mut local = vec![Vec::new(); symbolic.supernodes.len()];
        let mut place = vec![0; symbolic.order.len()];
        for task in &tasks {
            for i in task.supernodes.clone() {
                local[i] = symbolic.supernodes[i].rows.iter().map(|&row| task.local(row)).collect();
            }
            for column in task.columns.clone() {
                place[symbolic.order[column] as usize] = (task.base + column - task.columns.start) as u32;
            }
        }
        Self { tasks, stages, rows, local, place }
    }
}

/// The tasks and their depths.
fn cut(symbolic: &Symbolic) -> (Vec<Task>, Vec<usize>) {
    let supernodes = &symbolic.supernodes;
    let count = supernodes.len();
    // First supernode and values of each subtree; children of each, the roots last.
    let (mut first, mut work): (Vec<usize>, Vec<usize>) =
        (0..count).map(|i| (i, supernodes[i].size())).unzip();
    let mut children = vec![Vec::new(); count + 1];
    for i in 0..count {
        if let Some(parent) = supernodes[i].parent {
            first[parent] = first[parent].min(first[i]);
            work[parent] += work[i];
        }
        children[supernodes[i].parent.unwrap_or(count)].push(i);
    }
    let limit = (symbolic.size() / SHARE).max(SMALL);
    let (mut tasks, mut depths) = (Vec::new(), Vec::new());
    let mut stack = vec![(children[count].clone(), None, 0)];
    while let Some((siblings, parent, depth)) = stack.pop() {
        let mut next = 0;
        while next < siblings.len() {
            let root = siblings[next];
            let (mut last, mut sum) = (next, work[root]);
            let (range, below) = if sum > limit {
                // The trunk down to where it forks.
                let mut low = root;
                while let [only] = children[low][..] {
                    low = only;
                }
                (low..root + 1, children[low].clone())
            } else {
                // Small neighbours go together.
                while last + 1 < siblings.len() && sum + work[siblings[last + 1]] <= limit {
                    last += 1;
                    sum += work[siblings[last]];
                }
                (first[root]..siblings[last] + 1, Vec::new())
            };
            next = last + 1;
            stack.push((below, Some(tasks.len()), depth + 1));
            tasks.push(task(symbolic, range, parent));
            depths.push(depth);
        }
    }
    (tasks, depths)
}

fn task(symbolic: &Symbolic, supernodes: Range<usize>, parent: Option<usize>) -> Task {
    let inside = &symbolic.supernodes[supernodes.clone()];
    let columns = inside[0].first..inside[inside.len() - 1].end();
    let mut outer: Vec<u32> = inside
        .iter()
        .filter(|supernode| supernode.parent.is_some_and(|parent| !supernodes.contains(&parent)))
        .flat_map(|supernode| supernode.rows.iter().copied())
        .collect();
    outer.sort_unstable();
    outer.dedup();
    Task { supernodes, columns, base: 0, outer, outer_in_parent: Vec::new(), parent, children: Vec::new() }
}
