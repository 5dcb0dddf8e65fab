//! XPBD on rods: segments and joints as constraints between particles and frames that have inertia, strand by strand.
//!
//! ```text
//! segment   C = x1 - x0 - l d3(q)                   x0 += w0 g,  x1 -= w1 g,  q turns by (l / i) d3 x g
//!           g = C∥ / (w0 + w1 + a~) + C⊥ / (w0 + w1 + l² / i + a~)            a = l / E A, of shear as of stretch
//! joint     C = 2 Im(conj(rest) conj(q1) q2)        q2 turns by R λ / i,  q1 by -R λ / i,  R that of q1 rest
//!           λ = -C / (1 / i1 + 1 / i2 + a~), by axis                           a = l / E I, l / E I, l / G J
//! ```
//! with C + a~ λ for C, λ added up over iterations, and gamma (C - C before) beside it where rows are damped (Macklin, Müller,
//! Chentanez: XPBD, 2016, eq. 18 and 26). i = m l² / 12 about every axis. Frames turn by rotation vectors, which leaves their
//! length 1: where the four numbers of a quaternion are free (Kugelstadt, Schömer: Position and Orientation Based Cosserat Rods,
//! 2016) its length takes up stretch, and a projection leaves 14 % of one that this one removes.
//!
//! Even segments, odd ones, even joints, odd ones: what a colour does not share, it does at once, and a strand is no other's
//! business, so bits depend on no thread. What bends slowly stays limp: a sweep brings what the tip weighs one segment further.
//!
//! Where a sweep leaves a segment several times as long as it should be, all is lost: 5 cm of real hair in 32 segments want 20
//! substeps under their own weight, and 40 for ten times that.
//!
//! No `Constraint` of `constraints.rs`: those are between particles, whose rows lanes gather by index; frames are unknowns here,
//! and lanes hold strands side by side. Joints are Newton's (`joint.rs`).

use sim_api::{Mapped, SharedMut};

use super::{
    groups::{self, Group, Numbers, Read, Rows, Segments, Shared, Work},
    joint,
    nodes::{Nodes, at, lane_of},
    roots,
    rotation::Rotation,
    seat,
};
use crate::{
    lanes::{Lanes, V3},
    sim::Sim,
};

/// Where a node keeps what only this solver has.
mod own {
    /// Inverse mass of the particle [1/kg] and inverse moment of inertia of the frame [1/(kg m2)].
    pub(super) const WEIGHT: usize = 0;
    pub(super) const INVERSE_INERTIA: usize = 1;
    /// Multipliers of the segment [N s2] and of the joint before it [N m s2].
    pub(super) const PULL: usize = 2;
    pub(super) const TURN: usize = 5;
    /// At the start of the substep: place [m] and frame.
    pub(super) const PREVIOUS: usize = 8;
    pub(super) const BEFORE: usize = 11;
    /// Rest length [m] and its compliance by h² of the segment.
    pub(super) const REST: usize = 15;
    pub(super) const SOFTNESS: usize = 16;
    /// What its plane took back [m].
    pub(super) const BACK: usize = 17;
}

/// What the sweeps are told.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Sweeps in a substep.
    pub iterations: usize,
    /// Time of the internal damping [s].
    pub damping: f32,
}

/// Sweeps over all strands: `particle.position` from where inertia took them, `segment.rotation` and `segment.spin` of the
/// substep's start to those of its end. Planes were found (`collide/plane.rs`).
pub fn run(sim: &mut Sim, plan: Plan) {
    if sim.state.strand.span.is_empty() {
        return;
    }
    seat(sim);
    roots::hold(sim);
    let (par, h) = (sim.par, sim.h);
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let room = &mut *sim.state.strand_system.value;
    let segments = Segments::of(&sim.state.segment);
    let particle = &mut sim.state.particle;
    let sweeps = Sweeps {
        iterations: plan.iterations,
        gamma: plan.damping / h,
        h,
        keep: 1.0 / (1.0 + h * sim.frame.world.air_damping),
        meets: !sim.state.collider.kind.is_empty(),
        base: rows.base,
        position: SharedMut::new(particle.position),
        depth: SharedMut::new(particle.contact.plane_depth),
        rotation: SharedMut::new(sim.state.segment.rotation),
        spin: SharedMut::new(sim.state.segment.spin),
        pull: SharedMut::new(sim.state.segment.pull),
        inertial: particle.inertial,
        previous: particle.previous,
        plane: particle.contact.plane,
        mass: particle.mass,
        segments,
    };
    // SAFETY: no particle is of two strands.
    unsafe { rows.run_all(&par, room, &sweeps) };
}

struct Sweeps<'a> {
    iterations: usize,
    /// Time of the damping over h.
    gamma: f32,
    h: f32,
    /// Share of a spin that air damping leaves.
    keep: f32,
    meets: bool,
    /// Particle of the first segment.
    base: usize,
    position: SharedMut<'a, [f32; 4]>,
    depth: SharedMut<'a, [f32; 2]>,
    rotation: SharedMut<'a, [f32; 4]>,
    spin: SharedMut<'a, [f32; 4]>,
    pull: SharedMut<'a, f32>,
    inertial: &'a [[f32; 4]],
    previous: &'a [[f32; 4]],
    plane: &'a [[f32; 4]],
    mass: &'a [f32],
    segments: Segments<'a>,
}

impl Work for Sweeps<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, scratch: &mut [f32]) {
        let mut nodes = Nodes { numbers: scratch };
        // SAFETY: vouched for by the caller.
        let origin = unsafe { self.begin::<L>(group, &mut nodes) };
        let segments = group.free_segments();
        for i in segments.clone() {
            catch_up::<L>(&mut nodes, i, group.next(i));
        }
        for _ in 0..self.iterations {
            if self.meets {
                for i in 0..group.count {
                    hold::<L>(&mut nodes, i);
                }
            }
            for colour in 0..2 {
                for i in segments.clone().filter(|i| i % 2 == colour) {
                    self.segment::<L>(&mut nodes, i, group.next(i));
                }
            }
            for colour in 0..2 {
                for i in group.joints().filter(|i| i % 2 == colour) {
                    self.joint::<L>(&mut nodes, group.particle(i) - self.base, [group.before(i), i]);
                }
            }
        }
        // SAFETY: vouched for by the caller.
        unsafe { self.end::<L>(group, &nodes, origin) };
    }
}

impl Sweeps<'_> {
    /// Where inertia takes particles and frames. Returns what places are told from.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn begin<L: Lanes>(&self, group: Group, nodes: &mut Nodes) -> V3<L> {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let column = |column, first| L::fetch(&Read { column, first });
        let [x, y, z, _] = column(self.inertial, group.first);
        let origin = V3 { x, y, z };
        for i in 0..group.count {
            let particle = group.particle(i);
            let [x, y, z, weight] = column(self.inertial, particle);
            nodes.set_vector(i, at::PLACE, V3 { x, y, z } - origin);
            nodes.set(i, own::WEIGHT, weight);
            nodes.set_vector(i, own::PREVIOUS, V3::from_row(column(self.previous, particle)) - origin);
            nodes.set_vector(i, own::PULL, V3::<L>::zero());
            nodes.set_vector(i, own::TURN, V3::<L>::zero());
            if self.meets {
                // SAFETY: vouched for by the caller.
                let plane = unsafe { groups::plane(self.plane, &self.depth, particle, origin) };
                nodes.set_all(i, at::PLANE, plane);
                nodes.set(i, own::BACK, zero);
            }
            if i == group.segments() {
                break;
            }
            let segment = particle - self.base;
            let frame = Rotation::new(L::fetch(&Shared { column: &self.rotation, first: segment }));
            let spin = V3::from_row(L::fetch(&Shared { column: &self.spin, first: segment }));
            nodes.set_rotation(i, own::BEFORE, frame);
            let rest = L::load(&self.segments.rest[segment..]);
            nodes.set(i, own::REST, rest);
            if group.stub(i) {
                nodes.set_frame(i, frame);
                nodes.set(i, own::INVERSE_INERTIA, zero);
                continue;
            }
            nodes.set_frame(i, frame.turned(spin * L::from_f32(self.h * self.keep)));
            // The particle at the root has half a segment's mass, that at the tip what hangs on it besides.
            let own = L::load(&self.mass[particle..]);
            let next = L::load(&self.mass[group.particle(group.next(i))..]);
            let mass = if i + 2 == group.count && !group.closed { own } else { own.max(next) };
            nodes.set(i, own::INVERSE_INERTIA, L::from_f32(12.0) / (mass * rest * rest));
            // What is cut is as soft as a number can say.
            let stretch = self.segments.stretch::<L>(segment) * L::from_f32(self.h * self.h);
            nodes.set(i, own::SOFTNESS, one / stretch.max(L::from_f32(1e-30)));
        }
        origin
    }

    #[inline(always)]
    fn segment<L: Lanes>(&self, nodes: &mut Nodes, i: usize, next: usize) {
        let gamma = L::from_f32(self.gamma);
        let ends = [nodes.vector::<L>(i, at::PLACE), nodes.vector::<L>(next, at::PLACE)];
        let weights = [nodes.get::<L>(i, own::WEIGHT), nodes.get::<L>(next, own::WEIGHT)];
        let (frame, inverse) = (nodes.frame::<L>(i), nodes.get::<L>(i, own::INVERSE_INERTIA));
        let [rest, softness] = nodes.all::<L, 2>(i, own::REST);
        let pull = nodes.vector::<L>(i, own::PULL);
        let along = frame.along();
        let off = ends[1] - ends[0] - along * rest;
        let mut error = off + pull * softness;
        if self.gamma > 0.0 {
            let way = nodes.vector::<L>(next, own::PREVIOUS) - nodes.vector(i, own::PREVIOUS);
            let before = way - nodes.rotation::<L>(i, own::BEFORE).along() * rest;
            error = error + (off - before) * gamma;
        }
        let both = (weights[0] + weights[1]) * (L::from_f32(1.0) + gamma) + softness;
        let across = both + rest * rest * inverse * (L::from_f32(1.0) + gamma);
        let stretch = along * error.dot(along);
        let g = stretch * (L::from_f32(1.0) / both) + (error - stretch) * (L::from_f32(1.0) / across);
        nodes.set_vector(i, own::PULL, pull - g);
        nodes.set_vector(i, at::PLACE, ends[0] + g * weights[0]);
        nodes.set_vector(next, at::PLACE, ends[1] - g * weights[1]);
        nodes.set_frame(i, frame.turned(along.cross(g) * (rest * inverse)));
    }

    /// The joint between two segments; `row` is that of the second.
    #[inline(always)]
    fn joint<L: Lanes>(&self, nodes: &mut Nodes, row: usize, [first, i]: [usize; 2]) {
        let (one, two, gamma) = (L::from_f32(1.0), L::from_f32(2.0), L::from_f32(self.gamma));
        let (rest, stiffness) = self.segments.joint::<L>(row);
        let frames = [nodes.frame::<L>(first), nodes.frame::<L>(i)];
        let inverse = [nodes.get::<L>(first, own::INVERSE_INERTIA), nodes.get::<L>(i, own::INVERSE_INERTIA)];
        let lambda = nodes.vector::<L>(i, own::TURN);
        let angles = joint::error(frames, rest).0 * two;
        let mut error = angles;
        if self.gamma > 0.0 {
            let before = [nodes.rotation::<L>(first, own::BEFORE), nodes.rotation::<L>(i, own::BEFORE)];
            error = error + (angles - joint::error(before, rest).0 * two) * gamma;
        }
        let per_h2 = L::from_f32(1.0 / (self.h * self.h));
        // What is cut is as soft as a number can say.
        let [bend, twist] = stiffness.mapped(|k| (per_h2 / k.max(L::from_f32(1e-30))).min(L::from_f32(1e30)));
        let both = (inverse[0] + inverse[1]) * (one + gamma);
        let of = |error: L, lambda: L, softness: L| -(error + softness * lambda) / (both + softness);
        let change = V3 {
            x: of(error.x, lambda.x, bend),
            y: of(error.y, lambda.y, bend),
            z: of(error.z, lambda.z, twist),
        };
        nodes.set_vector(i, own::TURN, lambda + change);
        let turn = frames[0].after(rest).rotate(change);
        nodes.set_frame(first, frames[0].turned(turn * -inverse[0]));
        nodes.set_frame(i, frames[1].turned(turn * inverse[1]));
    }

    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn end<L: Lanes>(&self, group: Group, nodes: &Nodes, origin: V3<L>) {
        for i in 0..group.count {
            let particle = group.particle(i);
            let place = origin + nodes.vector::<L>(i, at::PLACE);
            groups::put(&self.position, self.inertial, particle, place);
            if self.meets {
                let back = nodes.get::<L>(i, own::BACK);
                for lane in 0..L::COUNT {
                    // SAFETY: vouched for by the caller.
                    unsafe {
                        let depth = self.depth.get(particle + lane);
                        self.depth.set(particle + lane, [lane_of(back, lane), depth[1]]);
                    }
                }
            }
            if i == group.segments() {
                break;
            }
            let segment = particle - self.base;
            let (frame, before) = (nodes.frame::<L>(i), nodes.rotation::<L>(i, own::BEFORE));
            let turn = frame.after(before.inverse());
            let scale = L::from_f32(-2.0 / self.h).where_positive_else(-turn.w, L::from_f32(2.0 / self.h));
            let free = nodes.get::<L>(i, own::INVERSE_INERTIA);
            let spin = (turn.v * scale).where_positive(free);
            L::scatter(frame.lanes(), &Shared { column: &self.rotation, first: segment });
            let zero = L::from_f32(0.0);
            L::scatter([spin.x, spin.y, spin.z, zero], &Shared { column: &self.spin, first: segment });
            let pull = nodes.vector::<L>(i, own::PULL).dot(frame.along());
            Numbers { column: &self.pull, first: segment }.store(pull);
        }
    }
}

/// A frame that its segment leaves behind by more than 60 degrees goes along with it by the least turn: from there its torques
/// throw particles about, where a weight is more than the iterations bear.
#[inline(always)]
fn catch_up<L: Lanes>(nodes: &mut Nodes, i: usize, next: usize) {
    let edge = nodes.vector::<L>(next, at::PLACE) - nodes.vector(i, at::PLACE);
    let frame = nodes.frame::<L>(i);
    let near = frame.along().dot(edge) - edge.dot(edge).sqrt() * L::from_f32(0.5);
    let turned = frame.onto(edge);
    let v = frame.v.where_positive_else(near, turned.v);
    nodes.set_frame(i, Rotation { v, w: frame.w.where_positive_else(near, turned.w) });
}

/// Brings a particle back in front of its plane.
#[inline(always)]
fn hold<L: Lanes>(nodes: &mut Nodes, i: usize) {
    let [nx, ny, nz, level, there]: [L; 5] = nodes.all(i, at::PLANE);
    let (normal, place) = (V3 { x: nx, y: ny, z: nz }, nodes.vector::<L>(i, at::PLACE));
    let behind = ((level - normal.dot(place)) * there).max(L::from_f32(0.0));
    nodes.set_vector(i, at::PLACE, place + normal * behind);
    nodes.set(i, own::BACK, nodes.get::<L>(i, own::BACK) + behind);
}
