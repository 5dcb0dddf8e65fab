//! What is left of the substep's equation: M (x - x~) + h² dE/dx, zero at the minimum of G.

use super::block;
use crate::{
    lanes::{
        Lanes, Point, V3,
        vertex::{self, Around, STRIP, VertexKernel},
    },
    substep::Sim,
};
use sim_api::BLOCK;

/// Its length over all free particles [kg m], from the present positions.
pub fn norm(sim: &mut Sim) -> f32 {
    let (particle, vertex, incident) = (&mut sim.state.particle, &sim.state.vertex, &sim.state.incident);
    let kernel = Residual {
        particle: vertex.particle,
        springs: vertex.springs,
        rest: incident.rest,
        stiffness: incident.stiffness,
        inertial: particle.inertial,
        h2: sim.h * sim.h,
    };
    let graph = (vertex.colors, vertex.particle, incident.other);
    vertex::visit(&sim.par, graph, particle.position, particle.force, &kernel);
    // Blocks in order: the same bits for any number of threads.
    let mut sum = 0.0;
    for (residual, mass) in particle.force.chunks(BLOCK).zip(particle.mass.chunks(BLOCK)) {
        let mut block = 0.0;
        for (r, m) in residual.iter().zip(mass) {
            block += (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) * (m * m);
        }
        sum += block;
    }
    sum.sqrt()
}

/// The residual over the mass [m].
struct Residual<'a> {
    particle: &'a [u32],
    springs: &'a [[u32; 2]],
    rest: &'a [f32],
    stiffness: &'a [f32],
    inertial: &'a [[f32; 4]],
    /// h² [s2]
    h2: f32,
}

impl VertexKernel for Residual<'_> {
    #[inline(always)]
    fn visit<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> [L; 4] {
        let inertial = vertex::fetch::<L>(self.inertial, &self.particle[row..row + L::COUNT]);
        let mut force = V3::zero();
        let [first, count] = self.springs[row];
        for place in 0..count as usize {
            let at = first as usize + STRIP * place;
            let (rest, k) = (L::load(&self.rest[at..]), L::load(&self.stiffness[at..]));
            force = force + block::spring_force(x.x, around.other::<L>(at).x, rest, k);
        }
        // A pinned particle (w = 0) has none.
        let r = x.x - inertial.x - force * (x.w * L::from_f32(self.h2));
        let zero = L::from_f32(0.0);
        [r.x, r.y, r.z, zero]
    }
}
