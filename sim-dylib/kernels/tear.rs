//! Threads that are pulled too far break, and segments of strands.
//!
//! At the end of a step, whatever the solver was: a thread (an edge of the surface, or a segment) breaks when its strain is above its
//! limit and it is the most strained, by its limit, of those that meet at its ends. Its neighbours then have one step to
//! go slack; without that a blow would turn all cloth around it to dust, for a whole frame passes between two looks.
//!
//! Only the mark is set here; positions and velocities stay, so mass and momentum do. The host then takes the
//! rows that lie over a broken thread out of all tables (`app/core/src/state/tearing.rs`), so no other code here knows of it.
//! Particles are not split: what tears loses a strip of triangles, or a segment, and its particles keep their mass.

use glam::Vec3;
use sim_api::Mapped;

use crate::{normals::xyz, sim::Sim, state::Thread};

/// Marks the threads that the step has broken.
pub fn finish(sim: &mut Sim) {
    let (particle, thread) = (&mut sim.state.particle, &mut sim.state.thread);
    if thread.ends.is_empty() {
        return;
    }
    let x = &*particle.position;
    let Thread { ends, rest, limit, broken, load, .. } = thread;
    let (ends, rest, limit) = (*ends, *rest, *limit);
    let whole = &**broken;
    sim.par.rows(load, |start, rows| {
        for (i, load) in (start..).zip(rows) {
            let [a, b]: [Vec3; 2] = ends[i].mapped(|end| xyz(x[end as usize]));
            // An infinite limit is never reached: only a cut breaks such a thread.
            let strain = (b - a).length() / rest[i] - 1.0;
            *load = if whole[i] == 0 { strain / limit[i] } else { 0.0 };
        }
    });
    let (load, most) = (&**load, &mut *particle.tear.load);
    most.fill(0.0);
    for (ends, load) in ends.iter().zip(load).filter(|(_, load)| **load > 1.0) {
        for &end in ends {
            most[end as usize] = most[end as usize].max(*load);
        }
    }
    let most = &*most;
    sim.par.rows(broken, |start, rows| {
        for (i, broken) in (start..).zip(rows) {
            let [a, b] = ends[i].mapped(|end| most[end as usize]);
            if load[i] > 1.0 && load[i] >= a.max(b) {
                *broken = 1;
            }
        }
    });
    sim.frame.stage("tear");
}
