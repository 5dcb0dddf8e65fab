//! Where an implicit step starts to look: where inertia leads, less the part of gravity that the last substep did not feel.
//!
//! Anka He Chen et al.: Vertex Block Descent, 2024, section 3.7. What rests or hangs starts where it is, what falls starts
//! where it will be; so what few iterations leave neither brakes a fall nor lets a resting cloth sag.
//!
//! What air took of the velocity, as drag or wind, between the two is put back before they are compared: it is no force that
//! the solver has to find again. Else a cloth that falls in air starts the higher the faster it is, and few iterations leave
//! it there: with a drag of 2/s it sank at 0.6 m/s for 4.9.
//!
//! What touched a collider starts where inertia leads: the collider did not feel gravity for it, it will again. With the
//! paper's rule a cloth on a slope of angle a would start with sin² a of what it slid by before, and so come to rest.

use glam::{Vec3, Vec4};
use sim_api::{Mapped, Par, World};

use super::Step;
use crate::{forces::Push, state::Particle};

/// Moves all free particles that touched nothing in the last substep; they are where inertia leads.
///
/// `first`: this substep is the first of a frame, where w of `particle.predicted` says what touched ([`keep_touched`]); else
/// `particle.contact.contact` has it, where there are colliders (`collides`).
pub fn all(par: &Par, particle: &mut Particle, world: &World, h: f32, [first, collides]: [bool; 2]) {
    if let Some(guess) = Guess::new(world, h) {
        let (predicted, velocity, contact) =
            (&*particle.predicted, &*particle.velocity, &*particle.contact.contact);
        let (normal, air) = (&*particle.normal, &*particle.air);
        let touched = |i: usize| if first { predicted[i][3] > 0.0 } else { collides && contact[i][3] > 0.0 };
        par.rows(particle.position, |start, position| {
            for (i, x) in (start..).zip(position).filter(|(i, x)| x[3] > 0.0 && !touched(*i)) {
                *x = guess.of(*x, velocity[i], predicted[i], [normal[i], air[i]]);
            }
        });
    }
}

/// After the last substep of a frame: w of `particle.predicted` is 1 for what touched a collider, for the next frame.
pub fn keep_touched(par: &Par, particle: &mut Particle, collides: bool) {
    let contact = &*particle.contact.contact;
    par.rows(particle.predicted, |start, predicted| {
        for (i, v) in (start..).zip(predicted) {
            v[3] = if collides && contact[i][3] > 0.0 { 1.0 } else { 0.0 };
        }
    });
}

/// Moves those free particles that are where inertia leads, others have met a collider.
pub fn rest(step: &mut Step) {
    if let Some(guess) = Guess::new(&step.world, step.h) {
        let particle = &mut step.state.particle;
        let (predicted, velocity) = (&*particle.predicted, &*particle.velocity);
        let (normal, air) = (&*particle.normal, &*particle.air);
        let inertial = &*particle.inertial;
        step.par.rows(particle.position, |start, position| {
            let rows = (start..).zip(position).filter(|(i, x)| x[3] > 0.0 && **x == inertial[*i]);
            for (i, x) in rows {
                *x = guess.of(*x, velocity[i], predicted[i], [normal[i], air[i]]);
            }
        });
    }
}

struct Guess {
    push: Push,
    /// [m/s2]; w is 0.
    gravity: Vec4,
    per_gravity: f32,
    /// Share of gravity that the rounding of a position of 1 m may hide.
    hidden: f32,
    /// [s]
    h: f32,
}

impl Guess {
    /// `None` without gravity.
    fn new(world: &World, h: f32) -> Option<Self> {
        /// Roundings of a position that the solver may add up in one substep.
        const ROUNDINGS: f32 = 2.0;
        let gravity = Vec3::from_array(world.gravity);
        let (square, gravity) = (gravity.length_squared(), gravity.extend(0.0));
        (square > 0.0).then(|| Self {
            push: Push::new(world, h),
            gravity,
            per_gravity: 1.0 / (h * square),
            hidden: ROUNDINGS * f32::EPSILON / (h * h * square.sqrt()),
            h,
        })
    }

    /// `x` less what it did not fall in the last substep: the same gravity is in its predicted velocity then and now.
    ///
    /// What a constraint did is known to the rounding of positions and velocities only: what may be in free fall within that, is.
    /// Otherwise half of the rounding would hold a falling cloth up, and few iterations do not bring it back (at 1 m, 40
    /// substeps: 59 % of the fall). The largest of x, y and z counts, wherever gravity leads: what stretches a row by its
    /// rounding pulls along the row.
    #[inline]
    fn of(&self, x: [f32; 4], velocity: [f32; 4], predicted: [f32; 4], around: [[f32; 4]; 2]) -> [f32; 4] {
        let w = x[3];
        let (x, velocity) = (Vec4::from_array(x), Vec4::from_array(velocity));
        let taken = self.push.taken(w, velocity, around.mapped(Vec4::from_array));
        let along = (velocity + taken - Vec4::from_array(predicted)) * self.gravity;
        let felt = (along.x + along.y + along.z) * self.per_gravity;
        let far = x.abs().max(velocity.abs() * self.h).with_w(0.0).max_element();
        let falls = felt + far * self.hidden >= 1.0;
        let felt = if falls { 1.0 } else { felt.max(0.0) };
        (x - self.gravity * (self.h * self.h * (1.0 - felt))).to_array()
    }
}
