//! What strands may show: one number a particle, that of the segment which starts there or of the joint there. 0 for what is no
//! strand, for stubs and for what is cut.

use glam::Vec3;
use weft_core::state::{State, col};
use weft_session::readings::{StrandSegment, strand_segments};

/// Number of its strand, over all lists.
pub(super) fn number(state: &State) -> Vec<f32> {
    let mut values = vec![0.0; state.get(col::particle::position).len()];
    for (strand, &[first, stride, count]) in state.get(col::strand::span).iter().enumerate() {
        (0..count).for_each(|i| values[(first + stride * i) as usize] = strand as f32);
    }
    values
}

/// | |x| / rest - 1 |
pub(super) fn stretch(state: &State) -> Vec<f32> {
    each(state, |at| (at.edge.length() / at.rest - 1.0).abs())
}

/// E A (|x| / rest - 1) [N]: the column is E A by the length at rest.
pub(super) fn tension(state: &State) -> Vec<f32> {
    let stiffness = state.get(col::segment::stretch);
    each(state, |at| stiffness[at.row] * (at.edge.length() - at.rest))
}

/// Across the rod [N m].
pub(super) fn bend_moment(state: &State) -> Vec<f32> {
    let stiffness = state.get(col::segment::bend);
    each(state, |at| angles(at).truncate().length() * stiffness[at.row])
}

/// Along the rod [N m].
pub(super) fn twist_moment(state: &State) -> Vec<f32> {
    let stiffness = state.get(col::segment::twist);
    each(state, |at| angles(at).z.abs() * stiffness[at.row])
}

/// Mass per volume of the strands around [kg/m3], as the last step found it; 0 for those that feel no others.
pub(super) fn density(state: &State) -> Vec<f32> {
    let mut values = vec![0.0; state.get(col::particle::position).len()];
    let density = state.get(col::segment::density);
    let base = values.len().saturating_sub(density.len());
    let grids = state.get(col::segment::grid);
    let rows = values[base..].iter_mut().zip(density.iter().zip(grids));
    rows.filter(|(_, (_, grid))| **grid != u32::MAX).for_each(|(value, (density, _))| *value = *density);
    values
}

fn each(state: &State, of: impl Fn(&StrandSegment) -> f32) -> Vec<f32> {
    let mut values = vec![0.0; state.get(col::particle::position).len()];
    strand_segments(state).for_each(|at| values[at.particle] = of(&at));
    values
}

/// Twice the imaginary part of what turned the joint from its rest, in the axes of the frame behind it: times stiffness a moment,
/// as in `sim-dylib/kernels/strands/joint.rs`. 0 where there is none.
fn angles(at: &StrandSegment) -> Vec3 {
    at.turn.map_or(Vec3::ZERO, |turn| 2.0 * turn.xyz())
}
