//! What strands may show: one number a particle, that of the segment which starts there or of the joint there. 0 for what is no
//! strand, for stubs and for what is cut.

use glam::{Quat, Vec3};
use weft_core::state::{State, col};

/// A segment that is no stub and is not cut.
struct At<'a> {
    state: &'a State,
    /// Its row, and that of the segment before it, which is there where there is a joint.
    row: usize,
    before: usize,
    /// Rows of its particles.
    ends: [usize; 2],
}

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
    each(state, |at| (at.edge().length() / at.state.get(col::segment::rest)[at.row] - 1.0).abs())
}

/// Across the rod [N m].
pub(super) fn bend_moment(state: &State) -> Vec<f32> {
    each(state, |at| at.angles().truncate().length() * at.state.get(col::segment::bend)[at.row])
}

/// Along the rod [N m].
pub(super) fn twist_moment(state: &State) -> Vec<f32> {
    each(state, |at| at.angles().z.abs() * at.state.get(col::segment::twist)[at.row])
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

fn each(state: &State, of: impl Fn(&At) -> f32) -> Vec<f32> {
    let mut values = vec![0.0; state.get(col::particle::position).len()];
    let stretch = state.get(col::segment::stretch);
    let Some(base) = values.len().checked_sub(stretch.len()) else { return values };
    for &[first, stride, count] in state.get(col::strand::span) {
        let particle = |i: u32| (first + stride * (i % count)) as usize;
        for i in (0..count).filter(|i| stretch[particle(*i) - base] > 0.0) {
            let [before, at, next] = [i + count - 1, i, i + 1].map(particle);
            values[at] = of(&At { state, row: at - base, before: before - base, ends: [at, next] });
        }
    }
    values
}

impl At<'_> {
    fn edge(&self) -> Vec3 {
        let x = self.state.get(col::particle::position);
        let [a, b] = self.ends.map(|end| Vec3::new(x[end][0], x[end][1], x[end][2]));
        b - a
    }

    /// Twice the imaginary part of what turned the joint from its rest, the shorter way, in the axes of the frame behind it:
    /// times stiffness a moment, as in `sim-dylib/kernels/strands/joint.rs`. 0 where there is none.
    fn angles(&self) -> Vec3 {
        if self.state.get(col::segment::bend)[self.row] <= 0.0 {
            return Vec3::ZERO;
        }
        let frames = self.state.get(col::segment::rotation);
        let [before, behind] = [self.before, self.row].map(|row| Quat::from_array(frames[row]));
        let rest = Quat::from_array(self.state.get(col::segment::rest_turn)[self.row]);
        let turn = (before * rest).conjugate() * behind;
        2.0 * turn.xyz() * turn.w.signum()
    }
}
