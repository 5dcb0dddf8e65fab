//! The list of pairs: every batch of nodes writes its own part, so the order of the list is that of the tree.

use std::ops::Range;

use crate::state::Batch;

/// Nodes of a batch; the host gives table `batch` one row for each (`app/scene/src/assemble/layers.rs`).
pub(super) const NODES: usize = 32;

/// Pairs that a batch may need beyond those of the last time.
const MORE: usize = 64;

/// Rows of each batch that touch.
#[inline(always)]
pub(super) fn touching(batch: &Batch, i: usize) -> Range<usize> {
    let first = batch.first[i] as usize;
    first..first + batch.touching[i] as usize
}

/// Gives each batch a part of the list by what it needed last time.
pub(super) fn share_out(batch: &mut Batch, room: usize) {
    let mut total = 0_usize;
    for &found in &*batch.found {
        total += found as usize + MORE;
    }
    let mut before = 0_usize;
    for i in 0..batch.first.len() {
        batch.first[i] = (before as u64 * room as u64 / total.max(1) as u64) as u32;
        before += batch.found[i] as usize + MORE;
    }
}

/// Where the part of each batch ends.
#[inline(always)]
pub(super) fn end(batch_first: &[u32], i: usize, room: usize) -> usize {
    batch_first.get(i + 1).map_or(room, |&next| next as usize)
}

/// Gives each batch what it needs, in order, as far as the room goes; returns how many pairs have none.
pub(super) fn fit(batch: &mut Batch, room: usize) -> usize {
    let mut first = 0;
    for i in 0..batch.first.len() {
        batch.first[i] = first.min(room) as u32;
        first += batch.found[i] as usize;
    }
    first.saturating_sub(room)
}
