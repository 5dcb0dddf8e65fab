//! Where an implicit step starts to look: where inertia leads, less the part of gravity that the last substep did not feel.
//!
//! Anka He Chen et al.: Vertex Block Descent, 2024, section 3.7. What rests or hangs starts where it is, what falls starts
//! where it will be; so what few iterations leave neither brakes a fall nor lets a resting cloth sag.
//!
//! What touched a collider starts where inertia leads: the collider did not feel gravity for it, it will again. With the
//! paper's rule a cloth on a slope of angle a would start with sin² a of what it slid by before, and so come to rest.

use glam::{Vec3, Vec4};
use sim_api::Par;

use super::Step;
use crate::state::Particle;

/// Moves all free particles that touched nothing in the last substep; they are where inertia leads.
///
/// `first`: this substep is the first of a frame, where w of `particle.predicted` says what touched ([`keep_touched`]); else
/// `particle.contact.contact` has it, where there are colliders (`collides`).
pub fn all(par: &Par, particle: &mut Particle, gravity: [f32; 3], h: f32, [first, collides]: [bool; 2]) {
    if let Some(guess) = Guess::new(gravity, h) {
        let (predicted, velocity, contact) =
            (&*particle.predicted, &*particle.velocity, &*particle.contact.contact);
        let touched = |i: usize| if first { predicted[i][3] > 0.0 } else { collides && contact[i][3] > 0.0 };
        par.rows(particle.position, |start, position| {
            for (i, x) in (start..).zip(position).filter(|(i, x)| x[3] > 0.0 && !touched(*i)) {
                *x = guess.of(*x, velocity[i], predicted[i]);
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
    if let Some(guess) = Guess::new(step.gravity, step.h) {
        let particle = &mut step.state.particle;
        let (predicted, velocity) = (&*particle.predicted, &*particle.velocity);
        let inertial = &*particle.inertial;
        step.par.rows(particle.position, |start, position| {
            let rows = (start..).zip(position).filter(|(i, x)| x[3] > 0.0 && **x == inertial[*i]);
            for (i, x) in rows {
                *x = guess.of(*x, velocity[i], predicted[i]);
            }
        });
    }
}

struct Guess {
    /// [m/s2]; w is 0.
    gravity: Vec4,
    per_gravity: f32,
    /// Share of gravity that the rounding of a position of 1 m may hide.
    hidden: f32,
    /// [s2]
    h2: f32,
}

impl Guess {
    /// `None` without gravity.
    fn new(gravity: [f32; 3], h: f32) -> Option<Self> {
        /// Roundings of a position that the solver may add up in one substep.
        const ROUNDINGS: f32 = 2.0;
        let gravity = Vec3::from_array(gravity);
        let (square, gravity) = (gravity.length_squared(), gravity.extend(0.0));
        (square > 0.0).then(|| Self {
            gravity,
            per_gravity: 1.0 / (h * square),
            hidden: ROUNDINGS * f32::EPSILON / (h * h * square.sqrt()),
            h2: h * h,
        })
    }

    /// `x` less what it did not fall in the last substep: the same gravity is in its predicted velocity then and now.
    ///
    /// What a constraint did is known to the rounding of positions only: what may be in free fall within that, is.
    /// Otherwise half of the rounding would hold a falling cloth up, and few iterations do not bring it back (at 1 m, 40
    /// substeps: 59 % of the fall). The largest of x, y and z counts, wherever gravity leads: what stretches a row by its
    /// rounding pulls along the row.
    #[inline]
    fn of(&self, x: [f32; 4], velocity: [f32; 4], predicted: [f32; 4]) -> [f32; 4] {
        let x = Vec4::from_array(x);
        let along = (Vec4::from_array(velocity) - Vec4::from_array(predicted)) * self.gravity;
        let felt = (along.x + along.y + along.z) * self.per_gravity;
        let far = x.abs().with_w(0.0).max_element();
        let falls = felt + far * self.hidden >= 1.0;
        let felt = if falls { 1.0 } else { felt.max(0.0) };
        (x - self.gravity * (self.h2 * (1.0 - felt))).to_array()
    }
}
