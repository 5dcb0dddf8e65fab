//! Bodies with a mass: what the device keeps for them, and what of them comes back after every frame (`returns.rs`).
//!
//! They are few, and much starts from where they are: the hand that pulls at them, the picture, the next frame, to which the
//! host hands over all colliders. So their rows come back with each frame, in the submit that computes it, and host and device
//! have the same bits.

use sim_api::Key;
use weft_core::state::{State, col};

/// Table of the columns that the device moves, and their names; all have rows of four numbers.
pub(crate) const TABLE: &str = "collider";
pub(crate) const COLUMNS: [Key<[f32; 4]>; 4] =
    [col::collider::position, col::collider::rotation, col::collider::velocity, col::collider::spin];
const ROW_BYTES: usize = size_of::<[f32; 4]>();

/// Particles whose pushes one workgroup of `contact/body_sums.wgsl` adds up.
pub(crate) const PART: usize = 1024;
/// Rows of `pose.row` for each collider: place and rotation, at the start of the substep and at its end.
pub(crate) const POSE_ROWS: usize = 4;

/// Whether a collider has a mass.
pub(crate) fn any(state: &State) -> bool {
    state.get(col::collider::inverse_mass).iter().any(|inverse| *inverse > 0.0)
}

/// Rows of the device's own tables `pose` and `reaction`; none without bodies.
pub(crate) fn rows(state: &State) -> [usize; 2] {
    let rows = |table| state.table(table).map_or(0, |table| table.rows);
    let colliders = if any(state) { rows(TABLE) } else { 0 };
    [POSE_ROWS * colliders, rows("particle").div_ceil(PART) * colliders]
}

/// Writes what came back, one column after the other, into the state.
pub(crate) fn put(state: &mut State, rows: &[u8]) {
    let rows = rows.as_chunks::<ROW_BYTES>().0;
    for (key, from) in COLUMNS.into_iter().zip(rows.chunks((rows.len() / COLUMNS.len()).max(1))) {
        for (to, from) in state.get_mut(key).iter_mut().zip(from) {
            *to = bytemuck::pod_read_unaligned(from);
        }
    }
}
