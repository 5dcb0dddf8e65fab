//! Velocities of particles in contact: they bounce or rest, and slide as Coulomb has it.
//!
//! Restitution: Müller et al.: Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, section 3.6.
//!
//! Friction on the positions stands for the part of an impact that lies behind the surface, which is where in the substep
//! it came by chance. The rest of the impulse of an impact, (1 + r) times the speed of approach (for a floor
//! mu ((1 + r) m |v_y| / h + m g) against the slip is the whole force), acts on the velocities here.

use glam::Vec3;
use sim_api::SharedMut;

use super::body::coulomb;
use crate::{normals::xyz, sim::Sim};

/// Turns the velocities of particles in contact. None keeps the speed of being pushed out. What their positions are too coarse for
/// they get here: in short substeps friction moves them by less than a last digit.
///
/// `particle.predicted` holds the velocity before the contact.
pub fn restitution(sim: &mut Sim) {
    let (particle, collider) = (&mut sim.state.particle, &sim.state.collider);
    let resting = 2.0 * Vec3::from(sim.frame.world.gravity).length() * sim.h;
    let per_second = 1.0 / sim.h;
    let (contact, surface, before) =
        (&*particle.contact.contact, &*particle.contact.contact_velocity, &*particle.predicted);
    let (ways, mass, factor) = (&*particle.contact.contact_ways, particle.mass, particle.friction);
    let rest = &*particle.contact.contact_rest;
    let push = SharedMut::new(particle.contact.contact_push);
    sim.par.rows(particle.velocity, |start, velocity| {
        // SAFETY: blocks do not overlap.
        let push = unsafe { push.rows_mut(start..start + velocity.len()) };
        for (i, (v, push)) in (start..).zip(velocity.iter_mut().zip(push)) {
            if contact[i][3] <= 0.0 {
                continue;
            }
            let (normal, moving, index) = (xyz(contact[i]), xyz(surface[i]), surface[i][3] as usize);
            let [off, depth] = ways[i];
            *v = (xyz(*v) + xyz(rest[i]) * per_second).extend(0.0).to_array();
            let approach = normal.dot(xyz(before[i]) - moving);
            let leaving = normal.dot(xyz(*v) - moving);
            let impact = approach < -resting;
            let bounce = if impact { -collider.surface[index][2] * approach } else { 0.0 };
            // What rows pulled off the surface goes on with that speed.
            let wanted = bounce.max(off * per_second);
            let mut turned = xyz(*v) + normal * (wanted - leaving);
            if impact {
                let rest = (wanted - approach - depth * per_second).max(0.0);
                let friction = [collider.surface[index][0], collider.surface[index][1]];
                let slip = turned - moving - normal * wanted;
                turned -= slip * coulomb(friction, slip.length(), [factor[i] * rest; 2]);
            }
            *push = ((turned - xyz(*v)) * mass[i]).extend(0.0).to_array();
            *v = turned.extend(0.0).to_array();
        }
    });
}

/// For solvers that integrate velocities themselves: what contact did to the positions, as in the driver.
pub fn velocities_of_contacts(sim: &mut Sim) {
    let per_second = 1.0 / sim.h;
    let particle = &mut sim.state.particle;
    let (contact, x, inertial) = (&*particle.contact.contact, &*particle.position, &*particle.inertial);
    sim.par.rows2(particle.velocity, particle.predicted, |start, velocity, before| {
        for (i, (v, before)) in (start..).zip(velocity.iter_mut().zip(before)) {
            *before = *v;
            if contact[i][3] > 0.0 {
                let moved = xyz(*v) + (xyz(x[i]) - xyz(inertial[i])) * per_second;
                *v = [moved.x, moved.y, moved.z, 0.0];
            }
        }
    });
    restitution(sim);
}
