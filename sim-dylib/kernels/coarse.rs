//! Coarse constraints: what stretches a cloth as a whole is taken back by few nodes, far apart, and the particles between
//! them follow.
//!
//! Gauss-Seidel takes an error to the next particle in an iteration, so that a long cloth hangs from its pins as if its
//! threads were rubber. One level of nodes brings it eight particles at a time:
//! ```text
//! sweep  nodes that are farther from each other than the threads between them are long come closer (one-sided: cloth may
//!        fold), each then into reach of up to four pins
//! follow every other particle moves with the four nodes around it, by bilinear weights
//! ```
//! Before the iterations of each substep. Müller: Hierarchical Position Based Dynamics, 2008 (coarse levels); Kim, Chentanez,
//! Müller: Long Range Attachments, 2012 (the reach). A bound on the straight distance to a pin would forbid the cloth to
//! shear: the reach lies between that and the way along the threads, see `coarse.reach` of a scene. Constraints
//! keep momentum, for a node has the mass of what follows it; the reach does not.

use glam::{Vec3A, Vec4};
use sim_api::{ParamDesc, ReadingDesc};

use crate::{
    constraints::distance,
    lanes::{self, Lanes, Pull, Pulled, Rows},
    sim::Sim,
    state::CoarseNode,
};

pub const SWEEPS: ParamDesc = ParamDesc::count(
    "coarse",
    [0, 2, 8],
    "Sweeps over the coarse constraints of cloth that has them (`coarse` in a scene), in each substep; 0: none.",
)
.only("coarse");

pub const MOVED: ReadingDesc = ReadingDesc::new(
    "coarse_moved",
    "m",
    "mean distance that the coarse constraints moved their nodes in the last substep",
);

/// Moves cloth with coarse nodes; `compliant`: as soft as its threads, else rigid.
pub fn correct(sim: &mut Sim, compliant: bool) {
    let (sweeps, per_h2) = (sim.count(&SWEEPS), if compliant { 1.0 / (sim.h * sim.h) } else { 0.0 });
    let last = sim.in_last_substep();
    let state = &mut sim.state;
    // What is torn would be held together.
    if sweeps == 0 || state.coarse_node.particle.is_empty() || state.thread.broken.contains(&1) {
        return;
    }
    let (position, nodes, rows) = (&mut *state.particle.position, &mut state.coarse_node, &state.coarse);
    for (before, &particle) in nodes.moved.iter_mut().zip(nodes.particle) {
        *before = position[particle as usize];
    }
    let inverse_mass = [rows.inverse_mass0, rows.inverse_mass1];
    let constraints = Constraints { rest: rows.rest, compliance: rows.compliance, inverse_mass, per_h2 };
    for _ in 0..sweeps {
        lanes::project(&sim.par, rows.colors, rows.idx, position, &Pulled(&constraints));
        reach(nodes, position);
    }
    for (moved, &particle) in nodes.moved.iter_mut().zip(nodes.particle) {
        *moved = (Vec4::from_array(position[particle as usize]) - Vec4::from_array(*moved)).to_array();
    }
    let (follower, moved) = (&state.follower, &*nodes.moved);
    sim.par.rows(position, |start, rows| {
        let followers = follower.nodes[start..].iter().zip(&follower.weights[start..]);
        for (x, (around, weights)) in rows.iter_mut().zip(followers).filter(|(x, _)| x[3] > 0.0) {
            let mut sum = Vec4::from_array(*x);
            for corner in 0..4 {
                sum += Vec4::from_array(moved[around[corner] as usize]) * weights[corner];
            }
            *x = sum.to_array();
        }
    });
    if last {
        let length = |moved: &[f32; 4]| Vec4::from_array(*moved).length();
        let mean = moved.iter().map(length).sum::<f32>() / moved.len() as f32;
        sim.frame.reading(MOVED, mean);
    }
    sim.frame.stage("coarse");
}

/// Rows of `coarse`. Their lambda is forgotten after each sweep: what they leave is the threads'.
#[derive(Clone, Copy)]
struct Constraints<'a> {
    rest: &'a [f32],
    compliance: &'a [f32],
    inverse_mass: [&'a [f32]; 2],
    per_h2: f32,
}

impl Pull for Constraints<'_> {
    /// Rest length, and scaled compliance.
    type Of<L: Lanes> = [L; 2];

    #[inline(always)]
    fn read<L: Lanes>(&self, rows: &Rows<2>) -> [L; 2] {
        [rows.load(self.rest), rows.load::<L>(self.compliance) * L::from_f32(self.per_h2)]
    }

    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, [rest, alpha]: [L; 2], square: L, w: [L; 2]) -> [L; 2] {
        let [m0, m1] = self.inverse_mass;
        // What follows a node, not its own particle; pinned or held, none of it gives way.
        let w = [rows.load::<L>(m0).where_positive(w[0]), rows.load::<L>(m1).where_positive(w[1])];
        let ([s0, s1], _) = distance::pull(square, w, rest, alpha, None);
        let longer = square - rest * rest;
        [s0.where_positive(longer), s1.where_positive(longer)]
    }
}

/// Each free node goes straight to where its anchors allow, one after another.
fn reach(nodes: &CoarseNode, position: &mut [[f32; 4]]) {
    for (&particle, (anchors, reach)) in nodes.particle.iter().zip(nodes.anchors.iter().zip(nodes.reach)) {
        let [x, y, z, w] = position[particle as usize];
        if w == 0.0 {
            continue;
        }
        let mut here = Vec3A::new(x, y, z);
        for (&anchor, &reach) in anchors.iter().zip(reach).filter(|(anchor, _)| **anchor != particle) {
            let from = Vec3A::from_vec4(Vec4::from_array(position[anchor as usize]));
            let way = here - from;
            let length = way.length();
            if length > reach {
                here = from + way * (reach / length);
            }
        }
        position[particle as usize] = [here.x, here.y, here.z, w];
    }
}
