//! Surfaces inside of the solve, so that contact does not stretch: as springs in the blocks of the nodes.

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

/// Whether what a particle meets has a mass: its number, or -1 for nothing.
#[inline(always)]
fn is_body(collider: &Collider, met: f32) -> bool {
    met >= 0.0 && collider.inverse_mass[met as usize] > 0.0
}

/// Stiffness of a body with a mass, by m/h² of the particle: what it is pushed by is told from how deep the particle is in it, and behind a
/// stiffer one that is less than the rounding of a place.
const OF_BODIES: f32 = 100.0;
/// What lies above a surface by less than this share of the way that inertia takes it behind it feels friction.
const NEARLY: f32 = 0.05;

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
    /// dynamic; any numbers where there is no surface.
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
            let [at_rest, dynamic] = body.friction;
            let numbers = [to.x, to.y, to.z, at_rest * self.factor[row], dynamic * self.factor[row]];
            for (all, number) in all.iter_mut().zip(numbers) {
                all[lane] = number;
            }
        }
        let [x, y, z, at_rest, dynamic] = all.mapped(|lanes| L::load(&lanes));
        (V3 { x, y, z }, [at_rest, dynamic])
    }

    /// A surface, where the particle is behind it: k/2 depth², and a spring along it that holds the particle where the surface
    /// takes it, up to Coulomb's limit of the present push (a lagged limit, as in Li et al.: Incremental Potential Contact, 2020).
    #[inline(always)]
    pub(super) fn touch<L: Lanes>(&self, node: &mut Node<L>, nodes: &Nodes, i: usize, place: V3<L>, mass: L) {
        let [nx, ny, nz, level, there]: [L; 5] = nodes.all(i, at::PLANE);
        let normal = V3 { x: nx, y: ny, z: nz };
        let depth = (level - normal.dot(place)) * there;
        let hard = mass * L::from_f32(self.stiffest);
        node.push(normal * (hard * depth.max(L::from_f32(0.0))));
        let stiffest = hard * there;
        let k = stiffest.where_positive(depth);
        // What stops the particle there: the spring of an iterate that is not at rest says far more.
        let inertial: V3<L> = nodes.vector(i, at::INERTIAL);
        let behind = (level - normal.dot(inertial)).where_positive(there).max(L::from_f32(0.0));
        let push = mass * behind;
        // At rest it is as deep as its weight presses the spring, which is less than the rounding of a place.
        let touches = depth + behind * L::from_f32(NEARLY);
        let [at_rest, dynamic]: [L; 2] = nodes.all(i, at::FRICTION);
        let way = place - nodes.vector(i, at::CARRIED);
        let slip = way - normal * normal.dot(way);
        let length = slip.dot(slip).max(L::from_f32(1e-30)).sqrt();
        // First where nothing was rubbed yet: what slides ends up shorter by what friction takes.
        let (ahead, hold) = if self.fresh { (length - dynamic * behind, mass) } else { (length, stiffest) };
        let sliding = stiffest.min(dynamic * push / ahead.max(L::from_f32(1e-15)));
        let holds = at_rest * push - hold * length;
        let along = stiffest.where_positive_else(holds, sliding).where_positive(touches);
        node.push(slip * -along);
        node.stiffen(0, along);
        node.stiffen_along(0, k - along, normal);
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
