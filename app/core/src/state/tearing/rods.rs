//! Segments of strands that are cut, and the joints on both sides of them.
//!
//! Both stay where they are in their table, whose rows lie in strips: their stiffness turns below 0, and the hot code takes what
//! is below 0 for none (`sim-dylib/kernels/strands/groups.rs`). What is behind a cut has no root; its tip may be held.

use super::{
    Blueprint, Table,
    supports::{NONE, Threads},
};
use crate::state::col;

/// Which segments threads are.
#[derive(Default)]
pub(super) struct Rods(Vec<Rod>);

struct Rod {
    thread: u32,
    /// Row in the table `segment`.
    segment: usize,
    /// The row behind it, whose joint is between both; `None`: nothing follows.
    behind: Option<usize>,
}

impl Rods {
    pub(super) fn of(blueprint: &Blueprint, threads: &Threads) -> Self {
        let stretch = blueprint.get(col::segment::stretch);
        let particles = blueprint.table("particle").map_or(0, |table| table.rows);
        let base = particles - stretch.len().min(particles);
        let mut rods = Vec::new();
        for &[first, stride, count] in blueprint.get(col::strand::span) {
            let row = |i: u32| (first + stride * (i % count)) as usize - base;
            let ring = stretch[row(count - 1)] != 0.0;
            let segments = count - u32::from(!ring);
            for i in 0..segments {
                let thread = threads.find([i, i + 1].map(|i| first + stride * (i % count)));
                if thread != NONE {
                    let behind = (ring || i + 1 < segments).then(|| row(i + 1));
                    rods.push(Rod { thread, segment: row(i), behind });
                }
            }
        }
        Self(rods)
    }

    /// Rows of `thread` that are segments.
    pub(super) fn threads(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|rod| rod.thread as usize)
    }

    /// Of each row of `segment`, whether it is cut.
    pub(super) fn cut(&self, broken: &[u32], segments: usize) -> Vec<bool> {
        let mut cut = vec![false; segments];
        for rod in self.0.iter().filter(|rod| broken[rod.thread as usize] != 0) {
            cut[rod.segment] = true;
        }
        cut
    }

    /// Gives the stiffness of segments and joints its sign.
    pub(super) fn fill(&self, tables: &mut [Table], live: &[bool]) {
        let Some(table) = tables.iter_mut().find(|table| table.name == "segment") else { return };
        let cut = || self.0.iter().filter(|rod| !live[rod.thread as usize]);
        let joint = |rod: &Rod| [Some(rod.segment), rod.behind].into_iter().flatten();
        for name in ["stretch", "bend", "twist"] {
            let Some(column) = table.column_mut(name) else { continue };
            let rows = column.rows_mut::<f32>();
            for rod in &self.0 {
                joint(rod).for_each(|row| rows[row] = rows[row].abs());
            }
            for rod in cut() {
                match name {
                    "stretch" => rows[rod.segment] *= -1.0,
                    _ => joint(rod).for_each(|row| rows[row] = -rows[row].abs()),
                }
            }
        }
    }
}
