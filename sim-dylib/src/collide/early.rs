//! Contact of an implicit step, whose solver sees the colliders.
//!
//! ```text
//! before      what the prediction would put inside starts from the surface, at the surface's speed along its normal
//! solver      a force that presses such a particle against the surface is held by it     (hold, slide)
//! friction    that force is the normal force of what slips                               (friction)
//! ```
//! Contact after the solver alone does not do for stiff springs and long steps: a stretched cloth over a ball finds its
//! shortest way into the ball, is pushed out again, and is as stretched as before, held by the friction of its own depth.
//! Whether a particle touches is asked once a substep, before the solver; the surface is its tangent plane there.
//! Baraff and Witkin: Large Steps in Cloth Simulation, 1998, section 5, for the filter.

use glam::{Vec3, Vec4};
use sim_api::{Par, SharedMut};

use super::{contact, forget};
use crate::{normals::xyz, substep::Sim};

/// Moves the prediction out of all colliders and gives it its velocity there. `particle.contact` has a negative depth.
///
/// Whether it bounces is for `collide::restitution` to say after the solver; what the solver pulls off may leave.
pub fn before(sim: &mut Sim) {
    forget(sim);
    contact(sim);
    let per_second = 1.0 / sim.h;
    let particle = &mut sim.state.particle;
    let (x, inertial) = (&*particle.position, SharedMut::new(particle.inertial));
    let (v, before, contact) = (&mut *particle.velocity, &mut *particle.predicted, &mut *particle.contact);
    sim.par.rows4(v, before, contact, particle.pressed, |start, v, before, contact, pressed| {
        // SAFETY: blocks do not overlap.
        let inertial = unsafe { inertial.rows_mut(start..start + v.len()) };
        for (i, (v, before)) in v.iter_mut().zip(before).enumerate() {
            (*before, pressed[i]) = (*v, 0.0);
            if contact[i][3] > 0.0 {
                let moved = xyz(*v) + (xyz(x[start + i]) - xyz(inertial[i])) * per_second;
                *v = [moved.x, moved.y, moved.z, 0.0];
                inertial[i] = x[start + i];
                contact[i][3] = -contact[i][3];
            }
        }
    });
}

/// Takes what presses particles against their surface out of `force` [N], and notes it in `pressed` as a depth [m]: by so
/// much the particle would go in, in a substep of `h` seconds. `x` has the inverse masses.
pub fn hold(
    par: &Par,
    contact: &[[f32; 4]],
    x: &[[f32; 4]],
    force: &mut [[f32; 4]],
    pressed: &mut [f32],
    h: f32,
) {
    par.rows2(force, pressed, |start, force, pressed| {
        for (i, (force, pressed)) in (start..).zip(force.iter_mut().zip(pressed)) {
            *pressed = 0.0;
            let along = if contact[i][3] < 0.0 { xyz(*force).dot(xyz(contact[i])) } else { 0.0 };
            if along < 0.0 {
                *pressed = -along * x[i][3] * h * h;
                *force = without(*force, contact[i]);
            }
        }
    });
}

/// Keeps rows of particles that are pressed against a surface along it.
pub fn slide(par: &Par, contact: &[[f32; 4]], pressed: &[f32], rows: &mut [[f32; 4]]) {
    par.rows(rows, |start, rows| {
        for (i, row) in (start..).zip(rows).filter(|(i, _)| pressed[*i] > 0.0) {
            *row = without(*row, contact[i]);
        }
    });
}

/// A vector without its part along the normal.
#[inline]
fn without(v: [f32; 4], normal: [f32; 4]) -> [f32; 4] {
    let n = Vec4::from_array(normal).with_w(0.0);
    (Vec4::from_array(v) - n * xyz(v).dot(xyz(normal))).to_array()
}

/// After the solver: what is pressed against a surface slips less.
pub fn friction(sim: &mut Sim) {
    let (particle, collider, h) = (&mut sim.state.particle, &sim.state.collider, sim.h);
    let (contact, surface, pressed) = (&*particle.contact, &*particle.contact_velocity, &*particle.pressed);
    let (previous, factor) = (&*particle.previous, particle.friction);
    sim.par.rows(particle.position, |start, position| {
        for (i, x) in (start..).zip(position).filter(|(i, _)| pressed[*i] > 0.0) {
            let body = surface[i][3] as usize;
            let coefficients = [collider.friction_static[body], collider.friction_dynamic[body]];
            let moved: Vec3 = xyz(*x) - xyz(previous[i]) - xyz(surface[i]) * h;
            let back = super::friction(coefficients, moved, xyz(contact[i]), factor[i] * pressed[i]);
            *x = (xyz(*x) - back).extend(x[3]).to_array();
        }
    });
}
