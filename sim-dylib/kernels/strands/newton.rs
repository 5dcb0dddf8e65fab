//! Implicit Euler of each strand for itself, by Newton's method with a direct solve: a chain is a tree, so that a Cholesky
//! factorisation from the root to the tip has no fill.
//!
//! ```text
//! minimise  |x - inertial|²_M / (2 h²) + sum segments k/2 |C|²     + sum joints  2 K |Im E|²
//!                                        C = x1 - x0 - l d3(q)      E = conj(rest) conj(q1) q2,  E.w >= 0
//! ```
//! over places x and frames q, which have no inertia (quasi-static, as in Bergou et al.: Discrete Elastic Rods, 2008). Turns are
//! told in the axes of their own frame, q' = q (1 + turn / 2), so that twist is an unknown of its own: in world axes round-off
//! of the far stiffer segments (k l² for G J / l) falls into it, and single precision loses a strand of 30 segments. With
//! e = Im E, w = E.w, M = 2 K e, F = k C and f = R(q)ᵀ F:
//!
//! ```text
//! force      F on x0, -F on x1         torque  l e3 x f on q;   -(w M - e x M) on q2, R(rest) (w M + e x M) on q1
//! segment    k on x; k l (-d2, d1, 0) between q and x0, its opposite to x1; (k l² + l max(f.e3, 0)) diag(1, 1, 0) on q
//! joint      sum over axes of K g gᵀ, g = w e_a - e x e_a of q2, -R(rest) (w e_a + e x e_a) of q1
//! ```
//! The term of the tension f.e3 is the geometric stiffness that holds a hanging strand straight; where it is a pressure it is
//! left out, which keeps the blocks positive.
//!
//! Two iterations are enough because of where they begin: places are brought to the lengths one after another from the root
//! (Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur, 2012), and frames are carried by the turns of their
//! segments. Places are told from the root's: there, single precision knows a segment's length to 1e-9 m. A strand that meets
//! something new in the last goes on for some more, until it does not, no segment turns far or changes its length and no particle is well
//! behind its surface; what comes of it depends on no other strand.
//!
//! Eight strands at a time, one in each lane: neighbours lie side by side in memory.

pub mod among;
mod ring;
mod system;
mod touch;

use std::ops::Range;

use glam::Vec3;
use sim_api::{Mapped, SharedMut};

use super::{
    groups::{self, Group, Read, Rows, Segments, Shared, Work},
    nodes::{NUMBERS, Nodes, RING_NUMBERS, at, lane_of, put_rows},
    rotation::Rotation,
};
use crate::{
    collide::{self, Meshes},
    lanes::{Lanes, V3},
    normals::xyz,
    sim::Sim,
    state::Collider,
};

/// Jobs at a time: each has a part of `strand_system` to itself.
pub const JOBS: usize = 64;
/// Strands of a job's piece of work.
pub const PIECE: usize = 32;
/// Strands that run together.
pub const LANES: usize = 8;
/// Iterations beyond those that were asked for, as long as strands turn far, meet something new or have not come to rest behind it.
const MORE: usize = 24;
/// The same where something that is met has a mass: then all that touch it take them all.
const MORE_FOR_BODIES: usize = 4;
/// Turn of a segment in an iteration [rad] after which a strand is not there yet: what the quadratic model leaves of lengths is half of
/// its square. It is asked from the last iteration that was asked for on.
const WIDE: f32 = 0.1;
/// Change of the square of a segment's length in an iteration, by itself, that is as much.
const LONGER: f32 = 0.006;
/// So many iterations more go the whole step; what is not there then swings about the minimum, and goes this part of it.
const WHOLE: usize = 3;
const PART: f32 = 0.5;

/// What a solve is told.
#[derive(Clone, Copy)]
pub struct Plan {
    pub iterations: usize,
    /// Segments are at most this much times m/h² stiff, and contact is that stiff.
    pub stiffest: f32,
}

/// `strand.unsettled`: settled, not yet, and turned far just now.
const SETTLED: u32 = 0;
const UNSETTLED: u32 = 1;
const TURNED: u32 = 2;

/// Solves all strands for the end of the substep: `particle.position` and `segment.rotation`. Stubs have their rotation, and
/// surfaces were looked for where [`lead`] brought the particles (`collide/plane.rs`). They are looked for again after each
/// iteration, for the next.
pub fn run(sim: &mut Sim, plan: Plan) {
    if sim.state.strand.span.is_empty() {
        return;
    }
    lead(sim);
    sim.state.strand.unsettled.fill(UNSETTLED);
    if sim.state.collider.kind.is_empty() {
        return alone(sim, plan, Target::Inertial);
    }
    let more = if collide::has_bodies(&sim.state.collider) { MORE_FOR_BODIES } else { MORE };
    let most = plan.iterations + more;
    for iteration in 1..=most {
        solve(sim, plan, iteration..iteration + 1, Target::Inertial);
        // A single one is no solve where surfaces are met.
        if iteration == most || !touch::find(sim, iteration >= plan.iterations.max(2)) {
            break;
        }
    }
    touch::rubbed(sim);
}

/// Where there is nothing to meet: a strand is solved until no segment turns far.
fn alone(sim: &mut Sim, plan: Plan, target: Target) {
    solve(sim, plan, 1..plan.iterations + 1, target);
    for iteration in plan.iterations + 1..=plan.iterations + MORE {
        let mut any = false;
        for state in &mut *sim.state.strand.unsettled {
            *state = if *state == TURNED { UNSETTLED } else { SETTLED };
            any |= *state != SETTLED;
        }
        if !any {
            return;
        }
        solve(sim, plan, iteration..iteration + 1, target);
    }
}

/// What a solve takes for where inertia takes the particles.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// `particle.inertial`
    Inertial,
    /// `particle.force`, to which contact of strands with each other added what it moved them by (`among.rs`).
    Touched,
}

/// Some iterations, counted from 1.
fn solve(sim: &mut Sim, plan: Plan, iterations: Range<usize>, target: Target) {
    let (par, h) = (sim.par, sim.h);
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let meshes = Meshes::of(&sim.state);
    let room = &mut *sim.state.strand_system.value;
    let segments = Segments::of(&sim.state.segment);
    let particle = &mut sim.state.particle;
    let solver = Solver {
        stiffest: plan.stiffest,
        fresh: iterations.start == 1,
        share: if iterations.start > plan.iterations + WHOLE { PART } else { 1.0 },
        iterations: iterations.len(),
        per_h2: 1.0 / (h * h),
        fall: sim.frame.world.gravity.mapped(|g| g * h * h),
        unsettled: SharedMut::new(sim.state.strand.unsettled),
        meets: !sim.state.collider.kind.is_empty(),
        bodies: collide::has_bodies(&sim.state.collider),
        heavier: (!sim.state.mount.end.is_empty())
            .then_some([&*sim.state.strand.root_heavier, &*sim.state.strand.tip_heavier]),
        base: rows.base,
        position: SharedMut::new(particle.position),
        depth: SharedMut::new(particle.contact.plane_depth),
        previous: particle.previous,
        factor: particle.friction,
        collider: &sim.state.collider,
        meshes,
        rotation: SharedMut::new(sim.state.segment.rotation),
        traction: SharedMut::new(sim.state.segment.traction),
        segments,
        inertial: if target == Target::Touched { particle.force } else { particle.inertial },
        plane: particle.contact.plane,
        mass: particle.mass,
    };
    // SAFETY: no particle is of two strands.
    unsafe { rows.run_all(&par, room, &solver) };
}

struct Solver<'a> {
    stiffest: f32,
    iterations: usize,
    /// Frames are still those of the last substep.
    fresh: bool,
    /// Of a step that is gone.
    share: f32,
    per_h2: f32,
    /// What gravity moves a particle by in the substep [m].
    fall: [f32; 3],
    unsettled: SharedMut<'a, u32>,
    meets: bool,
    /// Of what it meets, something has a mass.
    bodies: bool,
    /// `strand.root_heavier` and `strand.tip_heavier`, if bodies with a mass hold strands.
    heavier: Option<[&'a [f32]; 2]>,
    /// Particle of the first segment.
    base: usize,
    position: SharedMut<'a, [f32; 4]>,
    depth: SharedMut<'a, [f32; 2]>,
    previous: &'a [[f32; 4]],
    /// `particle.friction`
    factor: &'a [f32],
    collider: &'a Collider<'a>,
    meshes: Meshes<'a>,
    rotation: SharedMut<'a, [f32; 4]>,
    /// `segment.traction`
    traction: SharedMut<'a, [f32; 4]>,
    segments: Segments<'a>,
    inertial: &'a [[f32; 4]],
    plane: &'a [[f32; 4]],
    mass: &'a [f32],
}

impl Work for Solver<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, scratch: &mut [f32]) {
        if (0..L::COUNT).all(|lane| self.settled(group.row + lane)) {
            return;
        }
        let mut nodes = Nodes { numbers: scratch };
        // SAFETY: vouched for by the caller.
        unsafe {
            let origin = self.begin::<L>(group, &mut nodes);
            let mut widest = L::from_f32(0.0);
            for iteration in 0..self.iterations {
                widest = self.iterate::<L>(group, &mut nodes, self.fresh && iteration == 0);
            }
            self.tell_turns(group, widest);
            self.end::<L>(group, &nodes, origin);
        }
    }
}

impl Solver<'_> {
    fn settled(&self, strand: usize) -> bool {
        // SAFETY: a strand is one job's alone.
        unsafe { self.unsettled.get(strand) == SETTLED }
    }

    /// Whether an iteration turned strands far, by what [`Solver::iterate`] returns [rad].
    #[inline(always)]
    fn tell_turns<L: Lanes>(&self, group: Group, widest: L) {
        for lane in 0..L::COUNT {
            let strand = group.row + lane;
            // SAFETY: a strand is one job's alone.
            unsafe {
                if self.unsettled.get(strand) != SETTLED {
                    self.unsettled.set(strand, if lane_of(widest, lane) > WIDE { TURNED } else { UNSETTLED });
                }
            }
        }
    }

    /// Where the iterations begin. Returns what places are told from.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn begin<L: Lanes>(&self, group: Group, nodes: &mut Nodes) -> V3<L> {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let mut origin = V3::zero();
        for i in 0..group.count {
            let particle = group.particle(i);
            let [x, y, z, inverse_mass] = L::fetch(&Read { column: self.inertial, first: particle });
            let free = one.where_positive(inverse_mass);
            if i == 0 {
                origin = V3 { x, y, z };
            }
            nodes.set_vector(i, at::INERTIAL, V3 { x, y, z } - origin);
            nodes.set(i, at::FREE, free);
            let mass = group.mass(i, L::load(&self.mass[particle..]), inverse_mass);
            nodes.set(i, at::MASS, mass * L::from_f32(self.per_h2));
            let mut plane = [zero; 5];
            if self.meets {
                // SAFETY: vouched for by the caller.
                let (carried, coefficients) = unsafe { self.carried::<L>(particle) };
                nodes.set_vector(i, at::CARRIED, carried - origin);
                nodes.set(i, at::FRICTION, coefficients[0]);
                nodes.set(i, at::FRICTION + 1, coefficients[1]);
                let traction = Shared { column: &self.traction, first: particle - self.base };
                nodes.set_all(i, at::TRACTION, L::fetch(&traction));
                // SAFETY: vouched for by the caller.
                plane = unsafe { groups::plane(self.plane, &self.depth, particle, origin) };
                if self.bodies {
                    // SAFETY: vouched for by the caller.
                    plane[4] = plane[4] * unsafe { self.softness::<L>(particle) };
                }
            }
            nodes.set_all(i, at::PLANE, plane);
        }
        let mut before = V3::zero();
        for i in 0..group.count {
            // SAFETY: vouched for by the caller.
            let [x, y, z, _] = L::fetch(&Shared { column: &self.position, first: group.particle(i) });
            let place = V3 { x, y, z } - origin;
            if i > 0 {
                let segment = group.particle(i - 1) - self.base;
                let frame = Rotation::new(L::fetch(&Shared { column: &self.rotation, first: segment }));
                let carried = self.fresh && !group.stub(i - 1);
                nodes.set_frame(i - 1, if carried { frame.onto(place - before) } else { frame });
            }
            nodes.set_vector(i, at::PLACE, place);
            before = place;
        }
        let last = group.count - 1;
        if group.closed {
            let segment = group.particle(last) - self.base;
            let frame = Rotation::new(L::fetch(&Shared { column: &self.rotation, first: segment }));
            let edge = nodes.vector::<L>(0, at::PLACE) - before;
            nodes.set_frame(last, if self.fresh { frame.onto(edge) } else { frame });
        } else {
            nodes.set_frame(last, Rotation::new([zero, zero, zero, one]));
        }
        origin
    }

    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn end<L: Lanes>(&self, group: Group, nodes: &Nodes, origin: V3<L>) {
        let mut goes = [false; LANES];
        for (lane, goes) in goes[..L::COUNT].iter_mut().enumerate() {
            *goes = !self.settled(group.row + lane);
        }
        let goes = &goes[..L::COUNT];
        for i in 0..group.count {
            let (particle, first) = (group.particle(i), group.particle(i) - self.base);
            let place = nodes.vector::<L>(i, at::PLACE);
            let V3 { x, y, z } = origin + place;
            for (lane, goes) in goes.iter().enumerate() {
                if !goes || nodes.lane::<L>(i, at::FREE, lane) == 0.0 {
                    continue;
                }
                let [x, y, z] = [lane_of(x, lane), lane_of(y, lane), lane_of(z, lane)];
                // SAFETY: vouched for by the caller.
                unsafe {
                    let w = self.position.get(particle + lane)[3];
                    self.position.set(particle + lane, [x, y, z, w]);
                }
            }
            if self.meets {
                put_rows(&Shared { column: &self.traction, first }, nodes.all::<L, 4>(i, at::TRACTION), goes);
            }
            if self.bodies {
                // SAFETY: vouched for by the caller.
                unsafe { self.push_bodies::<L>(group, nodes, i, place) };
            }
            if i < group.segments() && !group.stub(i) {
                put_rows(&Shared { column: &self.rotation, first }, nodes.frame::<L>(i).lanes(), goes);
            }
        }
    }
}

/// Brings free particles to the lengths from the root on, where [`run`] begins; before surfaces are looked for as well: what
/// meets one on the way there is more than what inertia alone takes to it.
pub fn lead(sim: &mut Sim) {
    let base = sim.state.particle.position.len() - sim.state.segment.rest.len();
    let (spans, rest) = (sim.state.strand.span, sim.state.segment.rest);
    let (stretch, borne) = (sim.state.segment.stretch, sim.state.strand.borne);
    let inertial = &*sim.state.particle.inertial;
    let position = SharedMut::new(sim.state.particle.position);
    super::each(&sim.par, spans.len(), |row| {
        let [first, stride, count] = spans[row].mapped(|number| number as usize);
        let segment = |i: usize| first + stride * i - base;
        let ring = groups::is_ring(stretch, spans[row], base);
        let end = (0..count).find(|i| groups::is_cut(stretch[segment(*i)])).map_or(count, |cut| cut + 1);
        // Around a whole ring there is no way on which all lengths are kept.
        if ring && end == count && !groups::is_cut(stretch[segment(count - 1)]) {
            return;
        }
        let held = |i: usize| inertial[first + stride * i][3] == 0.0 || groups::is_borne(borne[row], i);
        let roots = (0..count).take_while(|i| held(*i)).count();
        if roots == 0 {
            return;
        }
        let place = |i: usize| xyz(inertial[first + stride * i]);
        // Particle `i` comes to the length of segment `by` from the one before.
        let lead = |before: &mut Vec3, i: usize, by: usize| {
            let (particle, way) = (first + stride * i, place(i) - *before);
            *before += way * (rest[segment(by)] / way.length().max(1e-15));
            // SAFETY: no two strands have a particle in common.
            unsafe { position.set(particle, before.extend(inertial[particle][3]).to_array()) };
        };
        if !(roots..end).any(held) {
            let mut before = place(roots - 1);
            (roots..end).for_each(|i| lead(&mut before, i, i - 1));
        }
        // A ring that is cut goes on at its other end, too.
        let back = || (end..count).rev().take_while(|i| ring && !groups::is_cut(stretch[segment(*i)]));
        if !back().any(held) {
            let mut before = place(0);
            back().for_each(|i| lead(&mut before, i, i));
        }
    });
}

/// Numbers that a scene needs for a solve: so many strands, the longest of so many particles, and whether there are rings.
pub fn work(strands: usize, longest: usize, rings: bool) -> usize {
    let node = NUMBERS + if rings { RING_NUMBERS } else { 0 };
    strands.div_ceil(PIECE).min(JOBS) * longest * node * LANES
}
