//! Vertex block descent on rods: implicit Euler strand by strand, one particle or one frame at a time.
//!
//! Hsu, Wang, Wu, Yuksel: Stable Cosserat Rods, SIGGRAPH 2025. Frames have no inertia: each goes to its energy's minimum
//! over unit quaternions, which has a closed form where stretch and shear are alike and bending and twist are one K.
//!
//! ```text
//! particle   (m / h² + k0 + k1) dx = m / h² (inertial - x) - k0 C0 + k1 C1        C = x1 - x0 - l d3(q)
//! frame      least of  -V . d3(q) - b . q:   q = (mu b + v b e3) / |...|,  v = -2 V,  V = k l (x1 - x0)
//! joint      E = sum over axes of 2 K_a (c_a . q)²,   c_a = t e_a,   t = (q before) rest or (q behind) conj(rest)
//!            b += t (s_a (sum of D - D_a), (K + sum of D) c) 4,   (s, c) = conj(t) q,  K = least of K_a,  D_a = K_a - K
//! ```
//! The paper knows one K, and takes mu = |v| + |b|, a bound that pulls harder toward b than is right. On unit q the energy of a
//! joint is 2 K less 2 K (t . q)² and, of each stiffer axis, 2 D less 2 D (|q|² - (c_a . q)²): both concave, so that what is
//! linear in q at the present q lies above them, and b is its slope. A frame's energy never rises; it converges the slower the
//! more bending and twist differ.
//!
//! Where a particle starts: inertia takes it there, but for the part of gravity that its rods bore in the last substep (Anka He
//! Chen et al.: Vertex Block Descent, 2024, section 3.7); so what rests or hangs starts where it is, and what falls falls.
//!
//! Even particles, odd ones, even frames, odd ones. The part of a particle's block that is the springs' is the same in all
//! directions, so that what is stiff along the strand slows it down across: few iterations leave hair limp.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

mod loose;

use sim_api::{Mapped, SharedMut};

use super::{
    groups::{self, Group, Numbers, Read, Rows, Segments, Shared, Work},
    nodes::{Nodes, at},
    roots,
    rotation::Rotation,
    seat,
};
use crate::{
    lanes::{Lanes, Real, V3},
    sim::Sim,
};

/// Steps of Newton's method on mu.
const ROUNDS: usize = 3;

/// Where a node keeps what only this solver has.
mod own {
    /// Stiffness in use of the segment [N/m], and its rest length [m].
    pub(super) const STRETCH: usize = 0;
    pub(super) const REST: usize = 1;
    /// 1 where it hangs together with the root, 0 behind a cut.
    pub(super) const ROOTED: usize = 2;
    /// Three sums over what hangs together (`loose.rs`): a vector, a weight, and whether it is loose.
    pub(super) const BACK: usize = 3;
    pub(super) const WEIGHT: usize = 6;
    pub(super) const LOOSE: usize = 7;
}

/// What a descent is told.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Visits of all particles and frames in a substep.
    pub iterations: usize,
    /// Segments are at most this stiff for a kg of the lighter end [1/s2].
    pub stiffest: f32,
}

/// What is done with the strands.
#[derive(Clone, Copy, PartialEq)]
enum Task {
    /// Positions and frames descend.
    Descend,
    /// `particle.force` gets what is left of x~ - x + h²/m f = 0 [m].
    Residual,
}

/// Descends to `particle.position` and `segment.rotation`, frames from those of the substep's start, carried along their segments.
pub fn run(sim: &mut Sim, plan: Plan) {
    if sim.state.strand.span.is_empty() {
        return;
    }
    seat(sim);
    roots::hold(sim);
    go(sim, plan, Task::Descend);
}

/// Fills `particle.force` of strands with the residual of the substep's equation over the mass [m].
pub fn residual(sim: &mut Sim, plan: Plan) {
    if !sim.state.strand.span.is_empty() {
        go(sim, plan, Task::Residual);
    }
}

fn go(sim: &mut Sim, plan: Plan, task: Task) {
    let (par, h) = (sim.par, sim.h);
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let room = &mut *sim.state.strand_system.value;
    let segments = Segments::of(&sim.state.segment);
    let (collides, first) = (!sim.state.collider.kind.is_empty(), sim.span[0] == 0.0);
    let particle = &mut sim.state.particle;
    let touched = if first { &*particle.predicted } else { &*particle.contact.contact };
    let gravity = sim.frame.world.gravity;
    let descent = Descent {
        plan,
        task,
        fall: gravity.mapped(|g| g * h * h),
        per_square: 1.0 / gravity.iter().map(|g| (g * h * h) * (g * h * h)).sum::<f32>().max(1e-30),
        borne: SharedMut::new(sim.state.segment.borne),
        per_h2: 1.0 / (h * h),
        base: rows.base,
        position: SharedMut::new(particle.position),
        force: SharedMut::new(particle.force),
        rotation: SharedMut::new(sim.state.segment.rotation),
        inertial: particle.inertial,
        touched: collides.then_some(touched),
        mass: particle.mass,
        segments,
    };
    // SAFETY: no particle is of two strands.
    unsafe { rows.run_all(&par, room, &descent) };
}

struct Descent<'a> {
    plan: Plan,
    task: Task,
    /// Gravity times h² [m], and 1 over its square [1/m2].
    fall: [f32; 3],
    per_square: f32,
    borne: SharedMut<'a, f32>,
    per_h2: f32,
    /// Particle of the first segment.
    base: usize,
    position: SharedMut<'a, [f32; 4]>,
    force: SharedMut<'a, [f32; 4]>,
    rotation: SharedMut<'a, [f32; 4]>,
    inertial: &'a [[f32; 4]],
    /// w is above 0 for what touched a collider in the last substep; `None` where there is none.
    touched: Option<&'a [[f32; 4]]>,
    mass: &'a [f32],
    segments: Segments<'a>,
}

impl Work for Descent<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, scratch: &mut [f32]) {
        let mut nodes = Nodes { numbers: scratch };
        let origin = self.begin::<L>(group, &mut nodes);
        if self.task == Task::Residual {
            for i in 0..group.count {
                let (left, block) = Self::pulled::<L>(group, &nodes, i);
                let V3 { x, y, z } = (left * (L::from_f32(1.0) / block.0)).where_positive(block.1);
                let force = Shared { column: &self.force, first: group.particle(i) };
                L::scatter([x, y, z, L::from_f32(0.0)], &force);
            }
            return;
        }
        for _ in 0..self.plan.iterations {
            for colour in 0..2 {
                for i in (colour..group.count).step_by(2) {
                    let (pull, (mass, free)) = Self::pulled::<L>(group, &nodes, i);
                    let block = mass + Self::springs(group, &nodes, i);
                    let moved = (pull * (L::from_f32(1.0) / block)).where_positive(free);
                    nodes.set_vector(i, at::PLACE, nodes.vector(i, at::PLACE) + moved);
                }
            }
            for colour in 0..2 {
                for i in group.free_segments().filter(|i| i % 2 == colour) {
                    let frame = self.settled::<L>(group, &nodes, i);
                    nodes.set_frame(i, frame);
                }
            }
        }
        self.translate_loose::<L>(group, &mut nodes);
        self.end::<L>(group, &nodes, origin);
    }
}

impl Descent<'_> {
    /// Returns what places are told from.
    #[inline(always)]
    fn begin<L: Lanes>(&self, group: Group, nodes: &mut Nodes) -> V3<L> {
        let zero = L::from_f32(0.0);
        let inertial = |i| L::fetch(&Read { column: self.inertial, first: group.particle(i) });
        let [x, y, z, _] = inertial(0);
        let origin = V3 { x, y, z };
        self.find_rooted::<L>(group, nodes, [0, group.count - 1].mapped(|i| inertial(i)[3]));
        let mut before = V3::zero();
        for i in 0..group.count {
            let particle = group.particle(i);
            let [x, y, z, w] = inertial(i);
            nodes.set_vector(i, at::INERTIAL, V3 { x, y, z } - origin);
            nodes.set(i, at::FREE, L::from_f32(1.0).where_positive(w));
            let mass = group.mass(i, L::load(&self.mass[particle..]), w);
            nodes.set(i, at::MASS, mass * L::from_f32(self.per_h2));
            let place = if self.task == Task::Descend {
                V3 { x, y, z } - origin - self.not_fallen(group, nodes, i)
            } else {
                V3::from_row(L::fetch(&Shared { column: &self.position, first: particle })) - origin
            };
            nodes.set_vector(i, at::PLACE, place);
            nodes.set(i, own::STRETCH, zero);
            nodes.set(i, own::REST, zero);
            // Of a ring the last segment waits for the first particle.
            if i > 0 {
                let row = particle - group.stride - self.base;
                let frame = Rotation::new(L::fetch(&Shared { column: &self.rotation, first: row }));
                let carried = self.task == Task::Descend && !group.stub(i - 1);
                nodes.set_frame(i - 1, if carried { frame.onto(place - before) } else { frame });
                let lighter = mass.min(L::load(&self.mass[particle - group.stride..]));
                let most = lighter * L::from_f32(self.plan.stiffest);
                nodes.set(i - 1, own::STRETCH, self.segments.stretch::<L>(row).min(most));
                nodes.set(i - 1, own::REST, L::load(&self.segments.rest[row..]));
            }
            before = place;
        }
        if group.closed {
            let last = group.count - 1;
            let row = group.particle(last) - self.base;
            let frame = Rotation::new(L::fetch(&Shared { column: &self.rotation, first: row }));
            let edge = nodes.vector::<L>(0, at::PLACE) - before;
            nodes.set_frame(last, if self.task == Task::Descend { frame.onto(edge) } else { frame });
            let lighter = L::load(&self.mass[group.first..]).min(L::load(&self.mass[row + self.base..]));
            let most = lighter * L::from_f32(self.plan.stiffest);
            nodes.set(last, own::STRETCH, self.segments.stretch::<L>(row).min(most));
            nodes.set(last, own::REST, L::load(&self.segments.rest[row..]));
        }
        origin
    }

    /// Which particles hang together with the root, of a ring also around its other end, or with a tip that is held. An end is held
    /// whose inverse mass is 0; a free root is as a held one until its strand is cut, for that may lie on something.
    #[inline(always)]
    fn find_rooted<L: Lanes>(&self, group: Group, nodes: &mut Nodes, [root, tip]: [L; 2]) {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let cut = |i: usize| self.segments.cut(group.particle(i) - self.base);
        let mut whole = one;
        for i in 0..group.segments() {
            whole = zero.where_positive_else(cut(i), whole);
        }
        let [root_borne, tip_borne] = group.borne.mapped(|number| number != u32::MAX);
        let bears = if root_borne { one } else { whole.where_positive_else(root, one) };
        let mut rooted = bears;
        for i in 0..group.count {
            nodes.set(i, own::ROOTED, rooted);
            rooted = zero.where_positive_else(cut(i), rooted);
        }
        let held = if tip_borne { one } else { zero.where_positive_else(tip, one) };
        let mut rooted = if group.closed { bears } else { held };
        for i in (1..group.count).rev() {
            rooted = zero.where_positive_else(cut(i), rooted);
            nodes.set(i, own::ROOTED, rooted.max(nodes.get(i, own::ROOTED)));
        }
    }

    /// From where a particle starts to where inertia takes it: what is borne does not begin with its fall. What cloth or a body holds does not
    /// fall, and what is cut off does.
    #[inline(always)]
    fn not_fallen<L: Lanes>(&self, group: Group, nodes: &Nodes, i: usize) -> V3<L> {
        if group.is_borne(i) {
            return V3::zero();
        }
        let share = Numbers { column: &self.borne, first: group.particle(i) - self.base }.load::<L>();
        let share = share.where_positive(nodes.get(i, at::FREE));
        self.fall() * share.where_positive(nodes.get(i, own::ROOTED))
    }

    #[inline(always)]
    fn fall<L: Lanes>(&self) -> V3<L> {
        let [x, y, z] = self.fall.mapped(L::from_f32);
        V3 { x, y, z }
    }

    /// Force on a particle and that of its inertia [N], m / h² [N/m] and whether it is free.
    #[inline(always)]
    fn pulled<L: Lanes>(group: Group, nodes: &Nodes, i: usize) -> (V3<L>, (L, L)) {
        let place = nodes.vector::<L>(i, at::PLACE);
        let mass = nodes.get::<L>(i, at::MASS);
        let mut pull = (nodes.vector::<L>(i, at::INERTIAL) - place) * mass;
        if i > 0 || group.closed {
            pull = pull - stretch::<L>(group, nodes, group.before(i));
        }
        if i < group.segments() {
            pull = pull + stretch::<L>(group, nodes, i);
        }
        (pull, (mass, nodes.get(i, at::FREE)))
    }

    /// What its segments add to the block of a particle [N/m].
    #[inline(always)]
    fn springs<L: Lanes>(group: Group, nodes: &Nodes, i: usize) -> L {
        let own = if i < group.segments() { nodes.get(i, own::STRETCH) } else { L::from_f32(0.0) };
        if i > 0 || group.closed { own + nodes.get(group.before(i), own::STRETCH) } else { own }
    }

    /// Where the energy of a frame, with all else held, is least, or nearer to it.
    #[inline(always)]
    fn settled<L: Lanes>(&self, group: Group, nodes: &Nodes, i: usize) -> Rotation<L> {
        let q = nodes.frame::<L>(i);
        let lever = nodes.get::<L>(i, own::STRETCH) * nodes.get(i, own::REST);
        let force = (nodes.vector::<L>(group.next(i), at::PLACE) - nodes.vector(i, at::PLACE)) * lever;
        let row = |i: usize| group.particle(i) - self.base;
        let mut b = Rotation { v: V3::zero(), w: L::from_f32(0.0) };
        if group.joints().contains(&i) {
            let (rest, stiffness) = self.segments.joint::<L>(row(i));
            b = toward(b, q, nodes.frame::<L>(group.before(i)).after(rest), stiffness);
        }
        let next = group.next(i);
        if group.joints().contains(&next) {
            let (rest, stiffness) = self.segments.joint::<L>(row(next));
            b = toward(b, q, nodes.frame::<L>(next).after(rest.inverse()), stiffness);
        }
        least(force, b, q)
    }

    #[inline(always)]
    fn end<L: Lanes>(&self, group: Group, nodes: &Nodes, origin: V3<L>) {
        for i in 0..group.count {
            let particle = group.particle(i);
            let place = origin + nodes.vector::<L>(i, at::PLACE);
            groups::put(&self.position, self.inertial, particle, place);
            let back = nodes.vector::<L>(i, at::INERTIAL) - nodes.vector(i, at::PLACE);
            let share = back.dot(self.fall()) * L::from_f32(self.per_square);
            let share =
                share.max(L::from_f32(0.0)).min(L::from_f32(1.0)).where_positive(nodes.get(i, at::FREE));
            Numbers { column: &self.borne, first: particle - self.base }.store::<L>(share);
            if i < group.segments() {
                let first = particle - self.base;
                L::scatter(nodes.frame::<L>(i).lanes(), &Shared { column: &self.rotation, first });
            }
        }
    }
}

/// k C of a segment [N]; 0 of a stub.
#[inline(always)]
fn stretch<L: Lanes>(group: Group, nodes: &Nodes, i: usize) -> V3<L> {
    let way = nodes.vector::<L>(group.next(i), at::PLACE) - nodes.vector(i, at::PLACE);
    (way - nodes.frame::<L>(i).along() * nodes.get(i, own::REST)) * nodes.get(i, own::STRETCH)
}

/// Adds to b what a joint adds that wants the frame q at `target`.
#[inline(always)]
pub(super) fn toward<R: Real>(
    b: Rotation<R>,
    q: Rotation<R>,
    target: Rotation<R>,
    [bend, twist]: [R; 2],
) -> Rotation<R> {
    let (two, four) = (R::from_f32(2.0), R::from_f32(4.0));
    let error = target.inverse().after(q);
    let least = bend.min(twist);
    let (bend, twist) = (bend - least, twist - least);
    let all = bend * two + twist;
    let (x, y) = (error.v.x * (all - bend), error.v.y * (all - bend));
    let v = V3 { x, y, z: error.v.z * (all - twist) } * four;
    let slope = target.after(Rotation { v, w: error.w * (least + all) * four });
    Rotation { v: b.v + slope.v, w: b.w + slope.w }
}

/// The unit quaternion with the least -V . d3(q) - b . q; q where nothing pulls.
///
/// mu is the largest root of (mu² - |v|²)² = mu² |b|² + 2 mu b . (v b e3) + |v|² |b|², found from above by Newton's method; told
/// from |v|, of which it is often but a small part more.
#[inline(always)]
pub(super) fn least<R: Real>(force: V3<R>, b: Rotation<R>, q: Rotation<R>) -> Rotation<R> {
    let (zero, one, two) = (R::from_f32(0.0), R::from_f32(1.0), R::from_f32(2.0));
    let tiny = R::from_f32(1e-30);
    let v = force * R::from_f32(-2.0);
    let sizes = [v.dot(v).sqrt(), (b.v.dot(b.v) + b.w * b.w).sqrt()];
    // All by the sum of both.
    let scale = one / (sizes[0] + sizes[1]).max(tiny);
    let [pull, bend] = sizes.mapped(|size| size * scale);
    let (v, b) = (v * scale, Rotation { v: b.v * scale, w: b.w * scale });
    let axis = Rotation { v: V3 { x: zero, y: zero, z: one }, w: zero };
    let turned = Rotation { v, w: zero }.after(b).after(axis);
    let along = b.v.dot(turned.v) + b.w * turned.w;
    let mut more = bend;
    for _ in 0..ROUNDS {
        let (mu, root) = (pull + more, more * (pull * two + more));
        let left = root * root - (bend * bend * (mu * mu + pull * pull) + mu * along * two);
        let slope = (root * mu * two - (bend * bend * mu + along)) * two;
        more = (more - left / slope.max(tiny)).max(zero);
    }
    let mu = pull + more;
    let sum = Rotation { v: b.v * mu + turned.v, w: b.w * mu + turned.w };
    let there = sum.v.dot(sum.v) + sum.w * sum.w - tiny;
    let unit = sum.unit();
    Rotation { v: unit.v.where_positive_else(there, q.v), w: unit.w.where_positive_else(there, q.w) }
}
