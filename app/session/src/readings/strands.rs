//! How far strands are from their rest shape, segment by segment and joint by joint, whatever solver moves them.

use glam::{Quat, Vec3};
use weft_core::state::{State, col};

use super::{Input, Reading, places};

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "strand_stretch",
        unit: "1",
        doc: "largest | |x|/rest - 1 | of the segments of strands, stubs left out; 0.01 is one per cent",
        of: |input| value(input, STRETCH),
    },
    Reading {
        name: "worst_strand",
        unit: "1",
        doc: "number of the strand that has it, from 0 on over all lists, as the view `strand` has them",
        of: |input| largest(input.state, STRETCH).map(|worst| worst.strand as f64),
    },
    Reading {
        name: "strand_shear",
        unit: "degrees",
        doc: "largest angle between a segment of a strand and e3 of its frame; 0 under solvers without frames",
        of: |input| value(input, SHEAR),
    },
    Reading {
        name: "strand_bend",
        unit: "degrees",
        doc: "largest angle that a joint of a strand is bent from its rest shape",
        of: |input| value(input, BEND),
    },
    Reading {
        name: "strand_twist",
        unit: "degrees",
        doc: "largest angle that a joint of a strand is twisted from its rest shape; frames of solvers that do not twist \
              keep what they had",
        of: |input| value(input, TWIST),
    },
];

/// Where each largest one is.
pub(super) const PLACES: &[(&str, places::Place)] = &[
    ("strand_stretch", |input| place(input, STRETCH)),
    ("strand_shear", |input| place(input, SHEAR)),
    ("strand_bend", |input| place(input, BEND)),
    ("strand_twist", |input| place(input, TWIST)),
];

/// What stubs have of the particles at their ends: all of the one inside the seat, and half of the one where the strand leaves it,
/// which has half of each segment beside it. The mass of what is left of a strand is that of its length.
pub(super) fn parts_in_seats(state: &State) -> impl Iterator<Item = (usize, f64)> {
    let stretch = state.get(col::segment::stretch);
    let base = state.first_of_strands();
    state.get(col::strand::span).iter().flat_map(move |&[first, stride, count]| {
        let row = |i: u32| (first + stride * i) as usize;
        let stub = |i: u32| count > 1 && stretch[row(i) - base] == 0.0;
        let root = stub(0).then(|| [(row(0), 1.0), (row(1), 0.5)]);
        // Of two particles the one segment is the root's.
        let tip = (count > 2 && stub(count - 2)).then(|| [(row(count - 1), 1.0), (row(count - 2), 0.5)]);
        root.into_iter().chain(tip).flatten()
    })
}

/// A segment that no seat holds and nothing has cut.
pub struct StrandSegment {
    /// Row of `strand`, and the number of the segment from the root on.
    pub strand: usize,
    pub number: u32,
    /// Row of the particle where it starts, and its own of `segment`.
    pub particle: usize,
    pub row: usize,
    /// From its start to its end [m], and as long at rest [m].
    pub edge: Vec3,
    pub rest: f32,
    pub frame: Quat,
    /// What turned the joint before it from its rest, in the axes of the frame; w >= 0. `None`: there is no joint.
    pub turn: Option<Quat>,
}

/// The largest of what segments say, and which one says it.
struct Largest {
    value: f64,
    /// Row of `strand`.
    strand: usize,
    /// From the root on.
    segment: u32,
}

/// What a segment says; `None`: it says nothing.
type Says = fn(&StrandSegment) -> Option<f32>;

const STRETCH: Says = |at| Some((at.edge.length() / at.rest - 1.0).abs());
const SHEAR: Says = |at| Some((at.frame * Vec3::Z).angle_between(at.edge).to_degrees());
const BEND: Says =
    |at| at.turn.map(|turn| (2.0 * turn.x.hypot(turn.y).atan2(turn.w.hypot(turn.z))).to_degrees());
const TWIST: Says = |at| at.turn.map(|turn| (2.0 * turn.z.abs().atan2(turn.w)).to_degrees());

fn value(input: &Input, of: Says) -> Option<f64> {
    largest(input.state, of).map(|largest| largest.value)
}

/// `strand 12 of hair, segment 3`; nowhere in particular where all are 0.
fn place(input: &Input, of: Says) -> Option<String> {
    let worst = largest(input.state, of).filter(|worst| worst.value > 0.0)?;
    Some(format!("{}, segment {}", places::strand(input, worst.strand)?, worst.segment))
}

/// Of the joints of rods [J], with the moments that solvers of rods give them (`sim-dylib/kernels/strands/joint.rs`): bending and twist from
/// whatever shape they rest in. Those of clamps count.
pub(super) fn joint_energy(state: &State) -> f64 {
    let [frames, turns] = [col::segment::rotation, col::segment::rest_turn].map(|key| state.get(key));
    let [bend, twist] = [col::segment::bend, col::segment::twist].map(|key| state.get(key));
    let base = state.first_of_strands();
    let of = |&[first, stride, count]: &[u32; 3]| -> f64 {
        let row = |i: u32| (first + stride * (i % count)) as usize - base;
        // Of what has no joint before it, or one that is cut, it is not above 0.
        let joints = (0..count).map(|i| [row(i + count - 1), row(i)]).filter(|[_, own]| bend[*own] > 0.0);
        let energy = |[before, own]: [usize; 2]| {
            let [x, y, z, _] = turned(frames[before], turns[own], frames[own]).as_dquat().to_array();
            2.0 * (f64::from(bend[own]) * (x * x + y * y) + f64::from(twist[own]) * z * z)
        };
        joints.map(energy).sum()
    };
    state.get(col::strand::span).iter().map(of).sum()
}

/// What turned a joint from its rest, in the axes of the frame behind it; w >= 0.
fn turned(before: [f32; 4], rest: [f32; 4], behind: [f32; 4]) -> Quat {
    let turn = (Quat::from_array(before) * Quat::from_array(rest)).conjugate() * Quat::from_array(behind);
    if turn.w < 0.0 { -turn } else { turn }
}

/// All of them, strand by strand from the root on.
pub fn strand_segments(state: &State) -> impl Iterator<Item = StrandSegment> + '_ {
    let x = state.get(col::particle::position);
    let [rest, stretch] = [col::segment::rest, col::segment::stretch].map(|key| state.get(key));
    let bend = state.get(col::segment::bend);
    let (frames, turns) = (state.get(col::segment::rotation), state.get(col::segment::rest_turn));
    let base = state.first_of_strands();
    let place = |row: usize| Vec3::new(x[row][0], x[row][1], x[row][2]);
    state.get(col::strand::span).iter().enumerate().flat_map(move |(strand, &[first, stride, count])| {
        let at = move |i: u32| (first + stride * (i % count)) as usize;
        // Not of a stub, what is cut, or the last particle of what is not closed.
        let whole = (0..count).filter(move |number| stretch[at(*number) - base] > 0.0);
        whole.map(move |number| {
            let (particle, before) = (at(number), at(number + count - 1) - base);
            let row = particle - base;
            let frame = Quat::from_array(frames[row]);
            let is_joint = bend[row] >= 0.0 && (number > 0 || stretch[before] > 0.0);
            let turn = is_joint.then(|| turned(frames[before], turns[row], frames[row]));
            let edge = place(at(number + 1)) - place(particle);
            StrandSegment { strand, number, particle, row, edge, rest: rest[row], frame, turn }
        })
    })
}

/// The first of the largest; `None` without strands, or if none says anything.
fn largest(state: &State, of: Says) -> Option<Largest> {
    let mut most: Option<Largest> = None;
    for segment in strand_segments(state) {
        let Some(value) = of(&segment).map(f64::from) else { continue };
        if most.as_ref().is_none_or(|most| value > most.value || most.value.is_nan()) {
            most = Some(Largest { value, strand: segment.strand, segment: segment.number });
        }
    }
    most
}
