//! How far strands are from their rest shape, segment by segment and joint by joint, whatever solver moves them.

use glam::{Quat, Vec3};
use weft_core::state::{State, col};

use super::{Input, Reading};

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "strand_stretch",
        unit: "1",
        doc: "largest | |x|/rest - 1 | of the segments of strands, stubs left out; 0.01 is one per cent",
        of: |input| largest(input.state, |at| Some((at.edge.length() / at.rest - 1.0).abs())),
    },
    Reading {
        name: "strand_shear",
        unit: "degrees",
        doc: "largest angle between a segment of a strand and e3 of its frame; 0 under solvers without frames",
        of: |input| largest(input.state, |at| Some((at.frame * Vec3::Z).angle_between(at.edge).to_degrees())),
    },
    Reading {
        name: "strand_bend",
        unit: "degrees",
        doc: "largest angle that a joint of a strand is bent from its rest shape",
        of: |input| joints(input, |turn| 2.0 * turn.x.hypot(turn.y).atan2(turn.w.hypot(turn.z))),
    },
    Reading {
        name: "strand_twist",
        unit: "degrees",
        doc: "largest angle that a joint of a strand is twisted from its rest shape; frames of solvers that do not twist \
              keep what they had",
        of: |input| joints(input, |turn| 2.0 * turn.z.abs().atan2(turn.w)),
    },
];

/// Particles that lie inside a seat, the far ends of stubs.
pub(super) fn ends_in_seats(state: &State) -> impl Iterator<Item = usize> {
    let stretch = state.get(col::segment::stretch);
    let base = state.get(col::particle::position).len() - stretch.len();
    state.get(col::strand::span).iter().flat_map(move |&[first, stride, count]| {
        let row = |i: u32| (first + stride * i) as usize;
        let stub = |i: u32| count > 1 && stretch[row(i) - base] == 0.0;
        let root = stub(0).then(|| row(0));
        // Of two particles the one segment is the root's.
        let tip = (count > 2 && stub(count - 2)).then(|| row(count - 1));
        root.into_iter().chain(tip)
    })
}

/// A segment that no seat holds and nothing has cut.
struct At {
    edge: Vec3,
    /// [m]
    rest: f32,
    frame: Quat,
    /// What turned the joint before it from its rest, in the axes of the frame; w >= 0. `None`: there is no joint.
    turn: Option<Quat>,
}

/// The largest of what segments say; `None` without strands, or if none says anything.
fn largest(state: &State, of: impl Fn(&At) -> Option<f32>) -> Option<f64> {
    let x = state.get(col::particle::position);
    let [rest, stretch] = [col::segment::rest, col::segment::stretch].map(|key| state.get(key));
    let bend = state.get(col::segment::bend);
    let (frames, turns) = (state.get(col::segment::rotation), state.get(col::segment::rest_turn));
    let base = x.len().checked_sub(rest.len())?;
    let place = |row: usize| Vec3::new(x[row][0], x[row][1], x[row][2]);
    let mut most = None;
    for &[first, stride, count] in state.get(col::strand::span) {
        for i in 0..count.saturating_sub(1) {
            let particle = (first + stride * i) as usize;
            let row = particle - base;
            // Of a stub, or what is cut.
            if stretch[row] <= 0.0 {
                continue;
            }
            let frame = Quat::from_array(frames[row]);
            let joint = |i: u32| {
                let before = Quat::from_array(frames[(first + stride * (i - 1)) as usize - base]);
                let turn = (before * Quat::from_array(turns[row])).conjugate() * frame;
                if turn.w < 0.0 { -turn } else { turn }
            };
            let edge = place(particle + stride as usize) - place(particle);
            let turn = (i > 0 && bend[row] >= 0.0).then(|| joint(i));
            let now = of(&At { edge, rest: rest[row], frame, turn }).map(f64::from);
            most = [most, now].into_iter().flatten().reduce(f64::max);
        }
    }
    most
}

fn joints(input: &Input, angle: impl Fn(Quat) -> f32) -> Option<f64> {
    largest(input.state, |at| at.turn.map(|turn| angle(turn).to_degrees()))
}
