//! Cloth and strands against themselves and each other, kept `thickness` apart: once a substep, after everything else that
//! moves positions. Off where nobody in the scene asks for it (table `layer` is empty). What stands here of cloth holds for
//! strands, whose segments are edges without triangles.
//!
//! ```text
//! begin        layer.last_valid = positions: where no two sheets cross                  once a frame
//! contact      broad phase, if somebody left the room that it allowed              pairs.rs, search.rs, part.rs,
//!                                                                                  tree.rs
//!              what crosses already is taken apart                                 untangle.rs
//!              detect: pairs within their distance, or on the way through          detect.rs, narrow.rs, touch.rs, row.rs,
//!                                                                                  advance.rs
//!              project: damped springs apart, with Coulomb friction                project.rs, slabs.rs
//!              verify: who still passes through another goes with it               zones.rs
//!              layer.last_valid = positions
//! ```
//! **Pairs** are vertex and triangle, or edge and edge, that share no particle. A pair is kept at
//! min(mean of both thicknesses, its distance at the start of the scene): layers that start close stay as close.
//!
//! **Broad phase.** The host gives a tree over the triangles of the mesh (`app/scene/src/assemble/layers.rs`), which never
//! changes; its boxes follow the cloth. A triangle's edges and particles belong to one leaf each, so no pair is found
//! twice (Curtis, Tamstorf, Manocha: Fast Collision Detection for Deformable Models using Representative-Triangles, 2008).
//! Every particle has a margin from its speed against the mean of all; as long as each stays within its margin, no pair
//! is missed, and the list stands. Whether one has left is looked at in every substep. Where the list has no room for wide
//! margins they are narrower, and none is wider than a few edges: what cloth costs that flies to pieces stays bounded, and
//! `self_overflow` and `self_too_fast` tell of it.
//!
//! **Continuous detection.** A pair whose relative way in the substep is not shorter than its distance may pass through.
//! Its way is followed by conservative advancement (Li, Kaufman, Jiang: Codimensional Incremental Potential Contact, 2021,
//! section 6), which needs distances alone and never steps over a contact; roots of the cubic of coplanarity lose
//! some in single precision (Wang et al.: A Large-Scale Benchmark and an Inclusion-Based Algorithm for Continuous Collision
//! Detection, 2021). What would pass through is held on the side where it came from.
//!
//! **Rest.** Contact that is rigid comes and goes with every round-off, and in a pile each sweep starts from nothing.
//! Here a pair gives way: a sheet that lies on another presses it by a hundredth of its distance, and what is pressed
//! bears what lies above from one substep to the next. Forces are continuous in the positions (edges fade out towards their
//! ends), and the springs are damped critically, so a pile comes to rest.
//!
//! **Same bits on any number of threads.** Nodes of the tree are worked off in fixed batches, each with its own part of
//! the list; rows that touch are projected slab by slab of the cloth, in the order of the list.
//!
//! Rejected: a hash of cells, whose size must fit the largest triangle of an irregular mesh; averaged (Jacobi) projections,
//! which a pile of n layers makes take n² iterations; limiting each particle's way by its nearest distance, which
//! keeps cloth from crossing but holds falling cloth up.

mod advance;
mod batches;
mod detect;
mod distance;
mod narrow;
mod pairs;
mod part;
mod project;
mod readings;
mod row;
mod search;
mod slabs;
mod touch;
mod tree;
mod untangle;
mod zones;

use glam::Vec3;

use crate::{normals::xyz, sim::Sim, state::State};
pub use advance::{Form, Hit, advance};
pub use distance::Nearest;
pub use readings::READINGS;

/// Sweeps over all rows that touch, in each substep.
const SWEEPS: usize = 4;

/// Times that the broad phase may be done again in one substep because somebody left the room it allowed.
const ATTEMPTS: usize = 4;

/// No cloth of the scene collides with cloth.
pub fn off(sim: &Sim) -> bool {
    sim.state.layer.thickness.is_empty()
}

/// Before the first substep.
pub fn begin(sim: &mut Sim) {
    if off(sim) {
        return;
    }
    let State { particle, layer, batch, .. } = &mut sim.state;
    layer.last_valid.copy_from_slice(particle.position);
    // Where the last frame left it nothing crosses, and a crossing that it does not see cannot begin.
    sim.self_stats.looked = batch.sound.first() == Some(&checksum(particle.position));
}

/// Tells positions from others; never 0.
fn checksum(position: &[[f32; 4]]) -> u32 {
    let mut sum = 1_u32;
    for [x, y, z, _] in position {
        for value in [x, y, z] {
            sum = (sum ^ value.to_bits()).wrapping_mul(0x0100_0193);
        }
    }
    sum.max(1)
}

/// After the last substep.
pub fn finish(sim: &mut Sim) {
    if off(sim) {
        return;
    }
    let self_stats = sim.self_stats;
    let complete = self_stats.missed == 0 && self_stats.overflow == 0 && self_stats.too_fast == 0;
    let sound = self_stats.looked && self_stats.crossings == 0 && complete;
    if let Some(row) = sim.state.batch.sound.first_mut() {
        *row = if sound { checksum(sim.state.particle.position) } else { 0 };
    }
    readings::give(sim.frame, &self_stats);
}

/// Moves cloth out of cloth.
pub fn contact(sim: &mut Sim) {
    if off(sim) {
        return;
    }
    for attempt in 0..ATTEMPTS {
        let anew = !sim.self_stats.listed || pairs::outside(sim) != [0, 0];
        if anew {
            pairs::list(sim);
            if !sim.self_stats.looked {
                sim.self_stats.looked = true;
                untangle::look(sim);
            }
            sim.frame.stage("broad phase");
        }
        if attempt == 0 && sim.self_stats.crossings > 0 {
            untangle::pull(sim);
        }
        detect::detect(sim);
        sim.frame.stage("self detect");
        project::project(sim, SWEEPS);
        sim.frame.stage("self project");
        zones::verify(sim);
        sim.frame.stage("self verify");
        let [left, too_fast] = pairs::outside(sim);
        let done = left == 0 && (too_fast == 0 || anew);
        if done || attempt + 1 == ATTEMPTS {
            sim.self_stats.too_fast = sim.self_stats.too_fast.max(too_fast as u32);
        }
        if done {
            break;
        }
        sim.self_stats.listed = false;
    }
    sim.state.layer.last_valid.copy_from_slice(sim.state.particle.position);
}

/// For solvers that integrate velocities themselves: contact, and what it did to the positions.
pub fn contact_and_velocities(sim: &mut Sim) {
    if off(sim) {
        return;
    }
    let particle = &mut sim.state.particle;
    particle.inertial.copy_from_slice(particle.position);
    contact(sim);
    let (per_second, particle) = (1.0 / sim.h, &mut sim.state.particle);
    let (x, inertial) = (&*particle.position, &*particle.inertial);
    sim.par.rows2(particle.velocity, particle.predicted, |start, velocity, before| {
        for (i, (v, before)) in (start..).zip(velocity.iter_mut().zip(before)) {
            *before = *v;
            let moved = xyz(*v) + (xyz(x[i]) - xyz(inertial[i])) * per_second;
            *v = [moved.x, moved.y, moved.z, 0.0];
        }
    });
}

/// The four corners of a pair in a column of particles.
#[inline(always)]
fn corners(column: &[[f32; 4]], idx: [u32; 4]) -> [Vec3; 4] {
    [
        xyz(column[idx[0] as usize]),
        xyz(column[idx[1] as usize]),
        xyz(column[idx[2] as usize]),
        xyz(column[idx[3] as usize]),
    ]
}
