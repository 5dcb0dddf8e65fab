//! One substep's parts: stiffness of the rows, where to start, the sweep, its acceleration, and the forces at the end.

use glam::{Vec3, Vec4};

use super::block::{self, Block};
use crate::{
    lanes::{
        Lanes, Point, V3,
        vertex::{self, Around, STRIP, VertexKernel},
    },
    substep::Sim,
};

/// 1/compliance [N/m], at most `stiffest` (per kg) for the lighter end; 0 between two pins.
#[inline(always)]
fn limited(compliance: f32, wa: f32, wb: f32, stiffest: f32) -> f32 {
    let w = wa.max(wb);
    if w > 0.0 { (1.0 / compliance.max(f32::MIN_POSITIVE)).min(stiffest / w) } else { 0.0 }
}

/// Fills `incident.stiffness`; `stiffest` [1/s2].
pub fn stiffness(sim: &mut Sim, stiffest: f32) {
    let (position, vertex) = (&*sim.state.particle.position, &sim.state.vertex);
    let incident = &mut sim.state.incident;
    incident.stiffness.fill(0.0);
    for (&particle, &[first, count]) in vertex.particle.iter().zip(vertex.springs) {
        let w = position[particle as usize][3];
        for place in 0..count as usize {
            let at = first as usize + STRIP * place;
            if incident.table[at] == 0 {
                let other = position[incident.other[at] as usize][3];
                incident.stiffness[at] = limited(incident.compliance[at], w, other, stiffest);
            }
        }
    }
}

/// Keeps x~, where the driver's prediction left the particles.
pub fn take_inertial(sim: &mut Sim) {
    sim.state.particle.inertial.copy_from_slice(sim.state.particle.position);
}

/// The adaptive start (section 3.7, eq. 15 to 17): x~ less the part of gravity that the last substep did not feel.
///
/// Its acceleration is the change of the predicted velocities: the same gravity is in both.
pub fn guess(sim: &mut Sim) {
    let gravity = Vec3::from_array(sim.frame.world.gravity).extend(0.0);
    let (h, particle) = (sim.h, &mut sim.state.particle);
    let square = Vec3::from_array(sim.frame.world.gravity).length_squared();
    if square == 0.0 {
        return;
    }
    let (predicted, velocity) = (&*particle.predicted, &*particle.velocity);
    sim.par.rows(particle.position, |start, position| {
        for (i, x) in (start..).zip(position).filter(|(_, x)| x[3] > 0.0) {
            let along = (Vec4::from_array(velocity[i]) - Vec4::from_array(predicted[i])) * gravity;
            let felt = ((along.x + along.y + along.z) / (h * square)).clamp(0.0, 1.0);
            *x = (Vec4::from_array(*x) - gravity * (h * h * (1.0 - felt))).to_array();
        }
    });
}

/// One Newton step of every particle, colour by colour.
pub fn sweep(sim: &mut Sim) {
    let (particle, vertex, incident) = (&mut sim.state.particle, &sim.state.vertex, &sim.state.incident);
    let kernel = Descent {
        particle: vertex.particle,
        springs: vertex.springs,
        rest: incident.rest,
        stiffness: incident.stiffness,
        inertial: particle.inertial,
        h2: sim.h * sim.h,
    };
    let graph = (vertex.colors, vertex.particle, incident.other);
    vertex::descend(&sim.par, graph, particle.position, &kernel);
}

struct Descent<'a> {
    particle: &'a [u32],
    springs: &'a [[u32; 2]],
    rest: &'a [f32],
    stiffness: &'a [f32],
    inertial: &'a [[f32; 4]],
    /// h² [s2]
    h2: f32,
}

impl VertexKernel for Descent<'_> {
    #[inline(always)]
    fn visit<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> [L; 4] {
        let inertial = vertex::fetch::<L>(self.inertial, &self.particle[row..row + L::COUNT]);
        let mut force = V3::zero();
        let mut stiffness = Block::diagonal(L::from_f32(0.0));
        let [first, count] = self.springs[row];
        for place in 0..count as usize {
            let at = first as usize + STRIP * place;
            let (rest, k) = (L::load(&self.rest[at..]), L::load(&self.stiffness[at..]));
            force = force + block::spring(x.x, around.other::<L>(at).x, rest, k, &mut stiffness);
        }
        // Eq. 8 times h²/m: no division by the mass, and a pinned particle (w = 0) goes to its x~.
        let h2w = x.w * L::from_f32(self.h2);
        let moved = x.x + stiffness.plus_identity(h2w).solve(inertial.x - x.x + force * h2w);
        [moved.x, moved.y, moved.z, x.w]
    }
}

/// Chebyshev's semi-iterative method over whole sweeps (section 3.8): x = omega (x - x'') + x''.
pub fn accelerate(sim: &mut Sim, iteration: usize, omega: f32) {
    let particle = &mut sim.state.particle;
    let columns = (&mut *particle.position, &mut *particle.iterate, &mut *particle.iterate_before);
    sim.par.rows3(columns.0, columns.1, columns.2, |_, x, last, before| {
        for ((x, last), before) in x.iter_mut().zip(last).zip(before) {
            if iteration > 1 {
                let old = Vec4::from_array(*before);
                let new = (Vec4::from_array(*x) - old) * omega + old;
                *x = [new.x, new.y, new.z, x[3]];
            }
            if iteration > 0 {
                *before = *last;
            }
            *last = *x;
        }
    });
}

/// Tension of each row [N], positive in tension.
pub fn write_forces(sim: &mut Sim, stiffest: f32) {
    let (x, distance) = (&*sim.state.particle.position, &mut sim.state.distance);
    let (idx, rest, compliance) = (distance.idx, distance.rest, distance.compliance);
    sim.par.rows(distance.force, |start, force| {
        for (row, force) in (start..).zip(force) {
            let [a, b] = idx[row].map(|end| Vec4::from_array(x[end as usize]));
            let length = (b - a).truncate().length();
            *force = limited(compliance[row], a.w, b.w, stiffest) * (length - rest[row]);
        }
    });
}
