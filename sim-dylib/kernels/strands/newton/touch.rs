//! Surfaces inside of the solve, so that contact does not stretch: as springs in the blocks of the nodes, with Coulomb friction.
//!
//! ```text
//! pushes     where N > 0 or the particle is behind            N = k (depth - n . step), of the last iteration
//! sticks     |t| <= mu_s N    t - c slip                      c = mu_s N / PRESLIDING
//! slides     otherwise        mu_d N t / |t|
//! t          what friction would have to be for no slip: multiplier, kept from one substep to the next
//! ```
//! N is what the linear system says of the push: with the pull of a rope around a bar in it, and not with the rounding of a place,
//! which is as large as what a weight presses the spring. Both sets, of what pushes and of what sticks, are told from multipliers
//! (Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton Like Solution Methods, 1991; Hüeber,
//! Stadler, Wohlmuth: A Primal-Dual Active Set Algorithm for Three-Dimensional Contact Problems with Coulomb Friction, 2008).
//! Friction that is N's of the last iteration keeps the blocks symmetric.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::Vec3;
use sim_api::{Mapped, SharedMut};

use super::{Group, LANES, Nodes, PIECE, SETTLED, Solver, TURNED, at, lane_of};
use crate::{
    collide::{Body, Meshes, RUBBED, has_bodies, near::nears, plane},
    lanes::{Lanes, V3},
    normals::xyz,
    sim::Sim,
    state::Collider,
    strands::{self, block::Node},
};

/// What a particle may be behind its surface, as a share of a segment: contact behind the solve moves it out, and the segments beside
/// it are longer or shorter by that.
const SHALLOW: f32 = 0.003;

/// Of two surfaces: the square of the sine between their normals below which they have no edge.
const PARALLEL: f32 = 0.01;

/// Looks for the surfaces that the strands which are not settled are about to meet; particles that meet none keep what they
/// have. Where strands may settle, those do that met nothing new, are not well behind a surface and turned no segment far. Returns
/// whether one has not.
pub(super) fn find(sim: &mut Sim, may_settle: bool) -> bool {
    let meshes = Meshes::of(&sim.state);
    let state = &mut sim.state;
    let particle = &mut state.particle;
    let (spans, x, previous) = (state.strand.span, &*particle.position, &*particle.previous);
    let (rest, base) = (state.segment.rest, x.len() - state.segment.rest.len());
    let unsettled = SharedMut::new(state.strand.unsettled);
    let planes = SharedMut::new(particle.contact.plane);
    let depths = SharedMut::new(particle.contact.plane_depth);
    let nears = nears!(particle.contact);
    let bodies = has_bodies(&state.collider);
    let any = AtomicBool::new(false);
    strands::pieces(&sim.par, spans, |strands| {
        // SAFETY (all): no two strands have a row in common.
        let seeks = |place: &usize| unsafe { unsettled.get(strands.row + place) } != SETTLED;
        let all = || (0..strands.spans.len()).filter(seeks);
        if all().next().is_none() {
            return;
        }
        let particles = || strands.particles(0..strands.longest).filter(|(place, _)| seeks(place));
        let mut new = [false; PIECE];
        // Segments of a strand are as long as each other, but for the stub.
        let mut shallow = [0.0; PIECE];
        for (shallow, span) in shallow.iter_mut().zip(strands.spans) {
            *shallow = SHALLOW * rest[(span[0] + span[1]) as usize - base];
        }
        for collider in 0..state.collider.kind.len() {
            let Some(body) = Body::of(&state.collider, &meshes, collider) else { continue };
            for (place, i) in particles().filter(|(_, i)| previous[*i][3] != 0.0) {
                let (mut plane, mut depth) = unsafe { (planes.get(i), depths.get(i)) };
                let way = [xyz(x[i]), xyz(previous[i])];
                let near = unsafe { nears.of(i, collider) };
                new[place] |= plane::deepest(&body, collider, way, near, &mut plane, &mut depth)
                    || depth[0] > shallow[place];
                unsafe {
                    planes.set(i, plane);
                    depths.set(i, depth);
                }
            }
        }
        if state.collider.kind.len() > 1 {
            for (_, i) in particles().filter(|(_, i)| unsafe { depths.get(*i) }[0] > 0.0) {
                let way = [xyz(x[i]), xyz(previous[i])];
                let plane = unsafe { planes.get(i) };
                unsafe {
                    planes.set(i, wedged(&state.collider, &meshes, depths.get(i)[1] as usize, way, plane))
                };
            }
        }
        particles().for_each(|(_, i)| unsafe { depths.set(i, [0.0, depths.get(i)[1]]) });
        // Those that touch a body with a mass are solved to the last: it gets what the last solve says that it was pushed by.
        let mut heavy = [false; PIECE];
        for (place, i) in particles().filter(|_| bodies) {
            heavy[place] |= is_body(&state.collider, unsafe { depths.get(i) }[1]);
        }
        for place in all() {
            let row = strands.row + place;
            if may_settle && !heavy[place] && !new[place] && unsafe { unsettled.get(row) } != TURNED {
                unsafe { unsettled.set(row, SETTLED) };
            } else {
                any.store(true, Ordering::Relaxed);
            }
        }
    });
    any.into_inner()
}

/// The plane of a particle that is behind the surface of `holder`; where it would be behind another one's there, the plane across its way to
/// the edge of both: held on one of them after the other it would come to rest on none. What has a mass is left as it is, for it gets what
/// its own plane pushed.
fn wedged(
    collider: &Collider,
    meshes: &Meshes,
    holder: usize,
    [at, previous]: [Vec3; 2],
    plane: [f32; 4],
) -> [f32; 4] {
    let has_mass = |number: usize| collider.inverse_mass[number] > 0.0;
    if has_mass(holder) {
        return plane;
    }
    let (normal, level) = (xyz(plane), plane[3]);
    let deep = level - normal.dot(at);
    let out = at + normal * deep;
    let others = (0..collider.kind.len()).filter(|other| *other != holder && !has_mass(*other));
    let met = others.filter_map(|other| Body::of(collider, meshes, other)?.meet(out, previous));
    let Some(met) = met.reduce(|a, b| if b.depth > a.depth { b } else { a }) else { return plane };
    let (across, behind) = (normal.dot(met.normal), met.normal.dot(out + met.out - at));
    let squared = 1.0 - across * across;
    if squared < PARALLEL {
        return plane;
    }
    let shares = [deep - across * behind, behind - across * deep].mapped(|share| (share / squared).max(0.0));
    let way = normal * shares[0] + met.normal * shares[1];
    let length = way.length();
    if length == 0.0 {
        return plane;
    }
    let normal = way / length;
    normal.extend(normal.dot(at + way)).to_array()
}

/// Surfaces without a mass have rubbed what met them: contact behind the solve does not do that again. A body with a mass gets from that
/// contact what it was rubbed by.
pub(super) fn rubbed(sim: &mut Sim) {
    let base = sim.state.particle.position.len() - sim.state.segment.rest.len();
    let collider = &sim.state.collider;
    sim.par.rows(&mut sim.state.particle.contact.plane_depth[base..], |_, depths| {
        for depth in depths.iter_mut().filter(|depth| depth[1] >= 0.0 && !is_body(collider, depth[1])) {
            depth[0] = RUBBED;
        }
    });
}

/// Part of a vector along a surface.
#[inline(always)]
fn along<L: Lanes>(v: V3<L>, normal: V3<L>) -> V3<L> {
    v - normal * normal.dot(v)
}

/// Length of what may be divided by it.
#[inline(always)]
fn size<L: Lanes>(v: V3<L>) -> L {
    v.dot(v).max(L::from_f32(SMALLEST)).sqrt()
}

/// Whether what a particle meets has a mass: its number, or -1 for nothing.
#[inline(always)]
fn is_body(collider: &Collider, met: f32) -> bool {
    met >= 0.0 && collider.inverse_mass[met as usize] > 0.0
}

/// Stiffness of a body with a mass, by m/h² of the particle: what it is pushed by is told from how deep the particle is in it, and behind a
/// stiffer one that is less than the rounding of a place.
const OF_BODIES: f32 = 100.0;

/// Way along a surface [m] in which friction grows to its limit in an iteration: stiffer, and of a rope that begins to slide only
/// one more particle would in each.
const PRESLIDING: f32 = 1e-5;
/// Push of a surface of which it is known that it has none [N]; 0 is not known.
const NO_PUSH: f32 = 1e-20;
/// Of a square, where it is divided by.
const SMALLEST: f32 = 1e-36;

/// A surface that a particle meets, in an iteration.
struct Surface<L> {
    normal: V3<L>,
    /// How far the particle is behind it [m].
    depth: L,
    /// Its stiffness, 0 where it does not push, and that against slip where the particle sticks [N/m].
    k: L,
    stick: L,
    /// What the particle went along it from where it would stick [m].
    slip: V3<L>,
    /// What presses the particle against it [N].
    push: L,
    /// Direction of the force along it that would hold the particle there, and the part of that which friction has where the particle
    /// slides.
    way: V3<L>,
    slides: L,
    /// Friction where the particle is not moved along it [N].
    friction: V3<L>,
}

impl Solver<'_> {
    /// Stiffness of the surfaces that particles meet, as a share of the stiffest.
    ///
    /// # Safety
    /// As for `Work::group`.
    #[inline(always)]
    pub(super) unsafe fn softness<L: Lanes>(&self, particle: usize) -> L {
        let mut all = [1.0; LANES];
        for (lane, share) in all[..L::COUNT].iter_mut().enumerate() {
            // SAFETY: vouched for by the caller.
            let collider = unsafe { self.depth.get(particle + lane) }[1];
            if is_body(self.collider, collider) {
                *share = (OF_BODIES / self.stiffest).min(1.0);
            }
        }
        L::load(&all)
    }

    /// Places that the surfaces which particles meet take them to by sticking [m], and coefficients of friction, static and
    /// dynamic; any numbers where there is no surface. What has a mass rubs behind the solve, for it is to get what it rubs by.
    ///
    /// # Safety
    /// As for `Work::group`.
    #[inline(always)]
    pub(super) unsafe fn carried<L: Lanes>(&self, particle: usize) -> (V3<L>, [L; 2]) {
        let mut all = [[0.0; LANES]; 5];
        for lane in 0..L::COUNT {
            let row = particle + lane;
            // SAFETY: vouched for by the caller.
            let collider = unsafe { self.depth.get(row) }[1];
            let from = xyz(self.previous[row]);
            let body = (collider >= 0.0).then(|| Body::of(self.collider, &self.meshes, collider as usize));
            let Some(body) = body.flatten() else { continue };
            let to = body.carried(from);
            let factor = if is_body(self.collider, collider) { 0.0 } else { self.factor[row] };
            let [at_rest, dynamic] = body.friction.mapped(|coefficient| coefficient * factor);
            let numbers = [to.x, to.y, to.z, at_rest, dynamic];
            for (all, number) in all.iter_mut().zip(numbers) {
                all[lane] = number;
            }
        }
        let [x, y, z, at_rest, dynamic] = all.mapped(|lanes| L::load(&lanes));
        (V3 { x, y, z }, [at_rest, dynamic])
    }

    /// What a surface does to a particle.
    #[inline(always)]
    pub(super) fn touch<L: Lanes>(
        &self,
        node: &mut Node<L>,
        nodes: &Nodes,
        i: usize,
        place: V3<L>,
        fresh: bool,
    ) {
        let mass = nodes.get::<L>(i, at::MASS);
        let met = self.surface(nodes, i, place, fresh);
        node.push(met.normal * (met.k * met.depth) + met.friction - met.slip * met.stick);
        // What slides may turn.
        let across = mass * met.slides;
        let along = met.stick + across;
        node.stiffen(0, along);
        node.stiffen_along(0, met.k - along, met.normal);
        node.stiffen_along(0, -across, met.way);
    }

    /// The surface of a particle at `place`. `fresh`: in the first iteration of a substep.
    #[inline(always)]
    fn surface<L: Lanes>(&self, nodes: &Nodes, i: usize, place: V3<L>, fresh: bool) -> Surface<L> {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let mass = nodes.get::<L>(i, at::MASS);
        let [nx, ny, nz, level, there]: [L; 5] = nodes.all(i, at::PLANE);
        let normal = V3 { x: nx, y: ny, z: nz };
        let depth = (level - normal.dot(place)).where_positive(there);
        let (inertial, carried): (V3<L>, V3<L>) =
            (nodes.vector(i, at::INERTIAL), nodes.vector(i, at::CARRIED));
        let [at_rest, dynamic]: [L; 2] = nodes.all(i, at::FRICTION);
        let [x, y, z, known]: [L; 4] = nodes.all(i, at::TRACTION);
        let known = known.where_positive(there);
        // What is not known is told from where inertia takes the particle; what is known has had the fall of a substep.
        let inertia = mass * (level - normal.dot(inertial)).where_positive(there).max(zero);
        let fall =
            V3 { x: L::from_f32(self.fall[0]), y: L::from_f32(self.fall[1]), z: L::from_f32(self.fall[2]) };
        let led = along(inertial - carried - fall.where_positive(known), normal) * -mass;
        let mut push = known.where_positive_else(known, inertia);
        let mut trial = V3 { x, y, z }.where_positive_else(known, led);
        if fresh {
            push = inertia.max(known);
            let kept = V3 { x, y, z }.where_positive(known);
            trial = kept * (at_rest * push / size(kept)).min(one) + led;
        }
        let (pushes, long) = (known + mass * depth, size(trial));
        let sticks = at_rest * push - long;
        let slides = zero.where_positive_else(sticks, dynamic * push / long).where_positive(pushes);
        let k = (mass * L::from_f32(self.stiffest) * there).where_positive(pushes);
        Surface {
            normal,
            depth,
            k,
            stick: (at_rest * push * L::from_f32(1.0 / PRESLIDING)).min(k).where_positive(sticks),
            slip: along(place - carried, normal),
            push,
            way: trial * (one / long),
            slides,
            friction: (trial * one.where_positive_else(sticks, slides)).where_positive(pushes),
        }
    }

    /// Keeps what the surface does to a particle at `place` that an iteration moves by `step`, for the next one.
    #[inline(always)]
    pub(super) fn keep_rub<L: Lanes>(
        &self,
        nodes: &mut Nodes,
        i: usize,
        [place, step]: [V3<L>; 2],
        fresh: bool,
    ) {
        let mass = nodes.get::<L>(i, at::MASS);
        let met = self.surface(nodes, i, place, fresh);
        let push = (met.k * (met.depth - met.normal.dot(step))).max(L::from_f32(0.0));
        // Of a step that is gone in part.
        let push = met.push + (push - met.push) * L::from_f32(self.share);
        let slip = met.slip + along(step, met.normal);
        let [at_rest, dynamic]: [L; 2] = nodes.all(i, at::FRICTION);
        // What slides goes on until dynamic friction stops it.
        let ratio = at_rest / dynamic.max(at_rest * L::from_f32(1e-6)).max(L::from_f32(NO_PUSH));
        let slid = (met.friction - slip * mass) * ratio;
        let had = met.friction - slip * met.stick;
        let trial = had.where_positive_else(met.stick, slid);
        let known = push.max(L::from_f32(NO_PUSH)).where_positive(met.k);
        let kept = trial.where_positive(known);
        nodes.set_all(i, at::TRACTION, [kept.x, kept.y, kept.z, known]);
    }

    /// A body with a mass gets what it pushed, the other way: as contact takes it, F h² / m.
    ///
    /// # Safety
    /// As for `Work::group`.
    #[inline(always)]
    pub(super) unsafe fn push_bodies<L: Lanes>(&self, group: Group, nodes: &Nodes, i: usize, place: V3<L>) {
        let particle = group.particle(i);
        let [nx, ny, nz, level, there]: [L; 5] = nodes.all(i, at::PLANE);
        let depth = (level - V3 { x: nx, y: ny, z: nz }.dot(place)) * there;
        let push = depth.max(L::from_f32(0.0)) * L::from_f32(self.stiffest);
        for lane in 0..L::COUNT {
            // SAFETY: vouched for by the caller.
            unsafe {
                let collider = self.depth.get(particle + lane)[1];
                let settled = self.settled(group.row + lane);
                if !settled && is_body(self.collider, collider) {
                    self.depth.set(particle + lane, [lane_of(push, lane), collider]);
                }
            }
        }
    }
}
