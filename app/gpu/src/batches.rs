//! Strands in batches: a solve keeps so much of each node (`strand/way.wgsl`) that the nodes of all strands need not fit into one
//! binding. They take turns in a room that does: a pass that uses it runs once for each batch, one after the other.
//!
//! ```text
//! strands    strip of 32 | strip | strip of 7 | strip of 32 | …      as the scene lists them
//! batches    ------- first ------- | -------- second ------ | …      no strip is cut: its nodes lie between each other
//! ```
//! Each strand is solved for itself, so the bits are those of one batch.
//!
//! Rejected: a buffer for each batch. It takes the memory of all nodes at once, which is ten times that of the state.

use weft_core::state::{State, col};

/// Table of what a solve keeps of nodes.
pub(crate) const NODES: &str = "strand_node";
/// Table whose rows run in batches.
pub(crate) const STRANDS: &str = "strand";
/// Rows of that for each node; see `strand/way.wgsl`.
pub(crate) const NODE_ROWS: usize = 11;
/// The same where strands are closed; see `strand/ring.wgsl`.
pub(crate) const RING_NODE_ROWS: usize = 23;
/// Bytes of a row.
const ROW_BYTES: u64 = 16;
/// Room that a batch takes at most [bytes]: 190,000 strands of 32 particles, more than a large device has threads for.
const MOST_BYTES: u64 = 1 << 30;

/// Which strands take turns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batches {
    /// End row in the table of strands of each batch.
    pub ends: Vec<u32>,
    /// Nodes of the largest batch.
    room: usize,
    /// Rows for each node.
    rows: usize,
}

impl Batches {
    /// As few as fit into `most` bytes each. A strip that does not is a batch of its own: it is refused where memory is made for it.
    pub(crate) fn of(state: &State, most: u64) -> Self {
        let rows = if any_rings(state) { RING_NODE_ROWS } else { NODE_ROWS };
        let nodes = most.min(MOST_BYTES) / (ROW_BYTES * rows as u64);
        let mut batches = Self { ends: Vec::new(), room: 0, rows };
        let base = state.first_of_strands() as u32;
        // First nodes of this batch and of this strip, and the end of the strip's.
        let (mut start, mut strip, mut end) = (base, base, base);
        let mut first_of_strip = 0;
        for (strand, &[first, stride, count]) in (0..).zip(state.get(col::strand::span)) {
            if first >= end {
                (strip, first_of_strip) = (end, strand);
            }
            end = end.max(first + stride * (count - 1) + 1);
            if u64::from(end - start) > nodes && strip > start {
                batches.close(first_of_strip, strip - start);
                start = strip;
            }
        }
        batches.close(state.get(col::strand::span).len() as u32, end - start);
        batches
    }

    fn close(&mut self, end: u32, nodes: u32) {
        self.ends.push(end);
        self.room = self.room.max(nodes as usize);
    }

    /// Rows of [`NODES`].
    pub(crate) fn rows(&self) -> usize {
        self.rows * self.room
    }
}

/// Particles that strands of a strip may have together where a binding has so many bytes, in words.
pub(crate) fn words(most: u64) -> String {
    format!(
        "strands that lie side by side, 32 or fewer, may have {} particles together, half as many of rings",
        most / (ROW_BYTES * NODE_ROWS as u64)
    )
}

/// Whether a strand is closed: the row behind its segments is one of them.
pub(crate) fn any_rings(state: &State) -> bool {
    let (spans, stretch) = (state.get(col::strand::span), state.get(col::segment::stretch));
    let base = state.first_of_strands();
    let last = |[first, stride, count]: [u32; 3]| (first + stride * (count - 1)) as usize - base;
    spans.iter().any(|span| stretch[last(*span)] != 0.0)
}
