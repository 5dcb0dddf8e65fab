//! Particles against colliders, once a substep: out of the solid, with Coulomb friction, then restitution.
//!
//! Positions: a particle inside (less than `thickness` outside) goes to the surface along the normal; the depth d it
//! was moved stands for the normal impulse, so friction may take back up to mu d of its way along the surface
//! (Macklin et al.: Unified Particle Physics, 2014, section 6.1). `previous` and `inertial` move along, so that being
//! pushed out adds no speed, however many colliders push. Velocities: Müller et al.: Detailed Rigid Body
//! Simulation with Extended Position Based Dynamics, 2020, section 3.6.
//!
//! Particles are tested at the end of the substep only: what crosses a thin body within one substep is missed.

mod pose;
mod shape;

use glam::Vec3;
use sim_api::SharedMut;

use crate::{normals::xyz, state::Collider, substep::Sim};
use pose::Pose;
use shape::{Reach, Shape};

/// Moves particles out of all colliders and fills `particle.contact`, `particle.contact_velocity`.
///
/// `particle.inertial` is filled: the positions, or where they were before a solver changed them.
pub fn contact(sim: &mut Sim) {
    let particle = &mut sim.state.particle;
    particle.contact.fill([0.0; 4]);
    for collider in 0..sim.state.collider.kind.len() {
        let Some(body) = Body::of(&sim.state.collider, collider, sim.span) else {
            continue;
        };
        let per_second = 1.0 / sim.h;
        let (contact, velocity) = (&mut *particle.contact, &mut *particle.contact_velocity);
        let (x, previous, factor) = (&mut *particle.position, &mut *particle.previous, particle.friction);
        let inertial = SharedMut::new(particle.inertial);
        sim.par.rows4(x, previous, contact, velocity, |start, x, previous, contact, velocity| {
            // SAFETY: blocks do not overlap.
            let inertial = unsafe { inertial.rows_mut(start..start + x.len()) };
            for (i, x) in x.iter_mut().enumerate().filter(|(_, x)| x[3] > 0.0) {
                let from = xyz(previous[i]);
                let Some((at, normal, depth, way)) = body.push(xyz(*x), from, factor[start + i]) else {
                    continue;
                };
                *x = at.extend(x[3]).to_array();
                let along = normal * normal.dot(at - from - way);
                previous[i] = (from + along).extend(x[3]).to_array();
                inertial[i] = (xyz(inertial[i]) + along).extend(x[3]).to_array();
                if depth > contact[i][3] {
                    contact[i] = [normal.x, normal.y, normal.z, depth];
                    let v = way * per_second;
                    velocity[i] = [v.x, v.y, v.z, collider as f32];
                }
            }
        });
    }
}

/// A collider during one substep.
pub(crate) struct Body {
    shape: Shape,
    begin: Pose,
    end: Pose,
    reach: Reach,
    thickness: f32,
    /// Coefficients, static and dynamic.
    pub friction: [f32; 2],
}

impl Body {
    /// `span`: the substep's place in the frame.
    pub fn of(collider: &Collider, i: usize, span: [f32; 2]) -> Option<Self> {
        let [begin, end] = span.map(|share| Pose {
            position: xyz(collider.begin_position[i]).lerp(xyz(collider.position[i]), share),
            rotation: pose::blend(collider.begin_rotation[i], collider.rotation[i], share),
        });
        let (shape, thickness) = (Shape::of(collider.kind[i], collider.size[i])?, collider.thickness[i]);
        Some(Self {
            shape,
            begin,
            end,
            reach: shape.reach(&end, thickness),
            thickness,
            friction: [collider.friction_static[i], collider.friction_dynamic[i]],
        })
    }

    /// For a particle inside: place outside, normal, depth [m] and the way of the surface there in this substep [m].
    /// `factor` is that on the friction.
    #[inline]
    pub fn push(&self, x: Vec3, previous: Vec3, factor: f32) -> Option<(Vec3, Vec3, f32, Vec3)> {
        let (depth, normal) = self.inside(x)?;
        let at = x + normal * depth;
        let way = self.way(at);
        Some((at - self.friction(at - previous - way, normal, factor * depth), normal, depth, way))
    }

    /// Depth [m] of a particle that is inside (less than `thickness` outside), and the outward normal there.
    #[inline]
    pub fn inside(&self, x: Vec3) -> Option<(f32, Vec3)> {
        if !self.reach.holds(x) {
            return None;
        }
        let (distance, normal) = self.shape.distance(self.end.to_local(x));
        let depth = self.thickness - distance;
        (depth > 0.0).then(|| (depth, self.end.rotate(normal)))
    }

    /// How far the body takes a point of its surface in this substep [m].
    #[inline]
    pub fn way(&self, at: Vec3) -> Vec3 {
        at - self.begin.to_world(self.end.to_local(at))
    }

    /// How much of the slip along the surface friction takes back; `depth` [m] stands for the normal impulse.
    #[inline]
    fn friction(&self, moved: Vec3, normal: Vec3, depth: f32) -> Vec3 {
        let slip = moved - normal * moved.dot(normal);
        let length = slip.length();
        if length <= self.friction[0] * depth {
            return slip;
        }
        slip * (self.friction[1] * depth / length).min(1.0)
    }
}

/// Turns the velocities of particles in contact: they bounce or rest, but never keep the speed of being pushed out.
///
/// `particle.predicted` holds the velocity before the contact.
pub fn restitution(sim: &mut Sim) {
    let (particle, collider) = (&mut sim.state.particle, &sim.state.collider);
    let resting = 2.0 * Vec3::from(sim.frame.world.gravity).length() * sim.h;
    let (contact, surface, before) = (&*particle.contact, &*particle.contact_velocity, &*particle.predicted);
    sim.par.rows(particle.velocity, |start, velocity| {
        for (i, v) in (start..).zip(velocity).filter(|(i, _)| contact[*i][3] > 0.0) {
            let (normal, surface_velocity) = (xyz(contact[i]), xyz(surface[i]));
            let approach = normal.dot(xyz(before[i]) - surface_velocity);
            let leaving = normal.dot(xyz(*v) - surface_velocity);
            let restitution = collider.restitution[surface[i][3] as usize];
            let bounce = if approach < -resting { -restitution * approach } else { 0.0 };
            let turned = xyz(*v) + normal * (bounce - leaving);
            *v = [turned.x, turned.y, turned.z, 0.0];
        }
    });
}

/// For solvers that integrate velocities themselves: what contact did to the positions, as in the driver.
pub fn velocities_of_contacts(sim: &mut Sim) {
    let per_second = 1.0 / sim.h;
    let particle = &mut sim.state.particle;
    let (contact, x, inertial) = (&*particle.contact, &*particle.position, &*particle.inertial);
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
