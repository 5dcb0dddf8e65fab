//! Ends of strands on bodies with a mass: they go and turn with the body, and the strand pulls back at it.
//!
//! ```text
//!     ___        place  r = c + R l          c the body's centre, R its rotation, l a place in it
//!    /   \       mass   1 / w,  w = (1 / M + n . (I^-1 (a x n)) x a) / share,  a = r - c, n along the strand
//!   |  c  r───   solve  the strand moves r as one of its own particles, of that mass, and so feels how heavy the body is
//!    \___/       pull   p = -sum of m (x - x before) over the strand;   body: c += p / M, turned by a x p
//! ```
//! As roots on cloth (`roots.rs`), but for one body instead of three corners. w is what an impulse along the strand moves r by (Müller et
//! al.: Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, equation 2), or any impulse at most, as the strand
//! is light or heavy (`mount.across`): across itself a strand gives as much as it weighs. A solver of blocks takes both, so that a cord at
//! rest pulls as much as its body weighs, and no more. A body's mass is divided among its strands
//! by theirs, among those that it alone holds and among the others: together they never pull it beyond where one alone would. What
//! a strand gives to its ends the body gets, so momentum is kept.
//!
//! The couple of a clamp is part of the moment that a strand loses about the body's centre, so that the body gets it as well, a
//! substep late: a scene's check lets clamped strands be no harder to turn than half of their body. Where something else gave to
//! the strand (a collider, a hand, its other end), the end tells what the body gets by how it was moved, and no couple.

use glam::Vec3;
use sim_api::{Mapped, SharedMut};

use super::{each, frame, groups};
use crate::{collide, lanes::V3, normals::xyz, sim::Sim};

/// An end of a strand.
struct End {
    strand: usize,
    /// Number of the particle that the body holds.
    number: usize,
    particle: usize,
    /// The number and the particle beside it.
    next_number: usize,
    next: usize,
    /// First particle of the stub before it, of a clamped root. Tips are pinned.
    stub: Option<usize>,
    is_tip: bool,
}

impl End {
    fn of(end: u32, spans: &[[u32; 3]], stretch: &[f32], base: usize) -> Self {
        let (own, is_tip) = (end as usize / 2, end % 2 == 1);
        let [first, stride, count] = spans[own].mapped(|number| number as usize);
        let stub = (!is_tip && stretch[first - base] == 0.0).then_some(first);
        let number = if is_tip { count - 1 } else { usize::from(stub.is_some()) };
        let particle = |number: usize| first + stride * number;
        let next_number = if is_tip { count - 2 } else { (number + 1).min(count - 1) };
        let [particle, next] = [number, next_number].mapped(particle);
        Self { strand: own, number, particle, next_number, next, stub, is_tip }
    }
}

/// What an end has of its body's mass.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mass {
    /// It is held.
    None,
    /// As a particle has one, whichever way it goes.
    Particle,
    /// One along the strand and one across it.
    Block,
}

/// Puts ends to where their bodies are, with what mass these have for them.
pub(super) fn place(sim: &mut Sim, mass: Mass) {
    let state = &mut sim.state;
    if state.mount.end.is_empty() {
        return;
    }
    let base = state.particle.position.len() - state.segment.rest.len();
    let (position, inertial) =
        (SharedMut::new(state.particle.position), SharedMut::new(state.particle.inertial));
    let rotation = SharedMut::new(&mut *state.segment.rotation);
    let strand = &mut state.strand;
    strand.root_heavier.fill(0.0);
    strand.tip_heavier.fill(0.0);
    let heavier = [SharedMut::new(&mut *strand.root_heavier), SharedMut::new(&mut *strand.tip_heavier)];
    let (spans, borne, root_rotation) = (strand.span, strand.borne, strand.root_rotation);
    let (mount, collider) = (&state.mount, &state.collider);
    let (stretch, rest) = (state.segment.stretch, state.segment.rest);
    each(&sim.par, mount.end.len(), |row| {
        let end = End::of(mount.end[row], spans, stretch, base);
        let body = mount.body[row] as usize;
        let (pose, [.., share]) = (collide::at_end(collider, body), mount.place[row]);
        let place = pose.to_world(xyz(mount.place[row]));
        // SAFETY: no two rows have an end in common, and no two ends a particle or a segment.
        unsafe {
            // Of a strand that is all ends the next one is another row's.
            let apart = !groups::is_borne(borne[end.strand], end.next_number);
            let along = if apart { xyz(inertial.get(end.next)) - place } else { Vec3::ZERO };
            let [w_along, most] = collide::moved_by(collider, body, place, along.normalize_or_zero());
            let w = w_along + (most - w_along) * (mount.across[row] * most).min(1.0);
            let more = if mass == Mass::Block && apart { w / w_along - 1.0 } else { 0.0 };
            heavier[usize::from(end.is_tip)].set(end.strand, more.max(0.0));
            let w = if mass == Mass::None { 0.0 } else { w / share };
            let put = |particle: usize, place: V3<f32>, w: f32| {
                let row = [place.x, place.y, place.z, w];
                position.set(particle, row);
                inertial.set(particle, row);
            };
            let place = V3::from_row(place.extend(0.0).to_array());
            if let Some(first) = end.stub {
                let turned = frame(pose.rotation).after(frame(root_rotation[end.strand]));
                rotation.set(first - base, turned.lanes());
                put(first, place - turned.along() * rest[first - base], 0.0);
            }
            put(end.particle, place, w);
        }
    });
}

/// After a solve: what strands gave to their ends goes to the bodies.
pub(super) fn pull(sim: &mut Sim) {
    gather(sim);
    collide::pull(sim);
}

/// Fills `mount.pull` and `mount.turn`.
fn gather(sim: &mut Sim) {
    let state = &mut sim.state;
    let base = state.particle.position.len() - state.segment.rest.len();
    let meets = !state.collider.kind.is_empty();
    let (strand, collider, mass) = (&state.strand, &state.collider, state.particle.mass);
    let stretch = state.segment.stretch;
    let (x, before) = (&*state.particle.position, &*state.particle.inertial);
    let planes = &*state.particle.contact.plane_depth;
    let moved = |particle: usize| xyz(x[particle]) - xyz(before[particle]);
    // What a solve gave to an end, by how far that went, and by its mass along the strand and across it.
    let given = |particle: usize, beside: usize, heavier: f32| {
        let along = (xyz(before[beside]) - xyz(before[particle])).normalize_or_zero();
        let moved = moved(particle);
        (moved + along * (heavier * along.dot(moved))) / x[particle][3]
    };
    let (pull, turn) = (SharedMut::new(&mut *state.mount.pull), SharedMut::new(&mut *state.mount.turn));
    let (ends, body) = (state.mount.end, state.mount.body);
    each(&sim.par, ends.len(), |row| {
        let end = End::of(ends[row], strand.span, stretch, base);
        let center = collide::at_end(collider, body[row] as usize).position;
        let w = x[end.particle][3];
        let [first, stride, count] = strand.span[end.strand].mapped(|number| number as usize);
        let particle = |number: usize| first + stride * number;
        // The number of its other end, if a body or cloth holds that.
        let other = strand.borne[end.strand][usize::from(!end.is_tip)] as usize;
        let both = other < count;
        let mut heavier = [strand.root_heavier[end.strand], strand.tip_heavier[end.strand]];
        if end.is_tip {
            heavier.reverse();
        }
        let (mut sum, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        let mut elsewhere = !both && (end.is_tip || strand.tip[end.strand] != u32::MAX);
        let from = if both { end.number.min(other) } else { end.number };
        let mut last = from;
        for number in groups::hanging(stretch, strand.span[end.strand], base, from) {
            last = number;
            let particle = particle(number);
            if both && (number == end.number || number == other) {
                continue;
            }
            // What holds a particle gives to the strand as well.
            elsewhere |= x[particle][3] == 0.0 || meets && planes[particle][1] >= 0.0;
            if elsewhere {
                break;
            }
            let lost = moved(particle) * -mass[particle];
            sum += lost;
            moment += (xyz(x[particle]) - center).cross(lost);
        }
        // That end may be on cloth that is pinned, and the strand may be cut.
        let there = x[particle(other.min(count - 1))][3];
        elsewhere |= both && (last + 1 != count || there == 0.0);
        if elsewhere || both {
            let own = given(end.particle, end.next, heavier[0]);
            // Of two ends it is known what they get together. Each by itself is told from a way that is rounded, and so each bears
            // of what is left over as it is heavy.
            let beside = if end.is_tip { other + 1 } else { other.max(1) - 1 };
            let left = if elsewhere {
                Vec3::ZERO
            } else {
                sum - own - given(particle(other), particle(beside), heavier[1])
            };
            sum = own + left * (there / (w + there));
            moment = (xyz(x[end.particle]) - center).cross(sum);
        }
        // Of what is held nothing is told.
        let told = |sum: Vec3| if w > 0.0 { sum.extend(0.0).to_array() } else { [0.0; 4] };
        // SAFETY: a row is one job's alone.
        unsafe {
            pull.set(row, told(sum));
            turn.set(row, told(moment));
        }
    });
}
