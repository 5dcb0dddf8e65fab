//! Particles leave the colliders that they are in after a solve.
//!
//! A **look** holds all particles against one collider. Only a body with a mass feels what others did before it: up to there each
//! block of particles goes through all looks by itself, while its rows are in the cache.

use std::ops::Range;

use glam::Vec3;
use sim_api::{BLOCK, SharedMut};

use super::{
    Meshes,
    body::Body,
    near::{Nears, nears},
    reach::{Bounds, CHUNK},
    rigid,
};
use crate::{normals::xyz, sim::Sim};

/// `plane_depth` of a particle that its solver held on the plane with friction: that is not taken a second time, and the depth is
/// not known.
pub(crate) const RUBBED: f32 = -1.0;

/// Where the last digit of its height is more than this share of how deep a particle is, its friction looks at what was rounded.
const ROUGH: f32 = 0.1;

/// Times that a particle which touches something is held against all colliders.
const ROUNDS: usize = 3;

/// Moves particles out of all colliders and fills the columns `particle.contact.contact*`.
///
/// `particle.inertial` is filled: the positions, or where they were before a solver changed them; `particle.contact.plane_depth`
/// says what held them meanwhile.
pub fn contact(sim: &mut Sim) {
    let colliders = sim.state.collider.kind.len();
    let looks = colliders * if colliders > 1 { ROUNDS } else { 1 };
    let mut first = 0;
    loop {
        let feels = |look: &usize| sim.state.collider.inverse_mass[look % colliders] > 0.0;
        let last = (first..looks).find(feels);
        leave(sim, first..last.map_or(looks, |last| last + 1));
        let Some(last) = last else { return };
        rigid::feel(sim, last % colliders, last as f32);
        first = last + 1;
    }
}

/// Some looks, in order.
fn leave(sim: &mut Sim, looks: Range<usize>) {
    let meshes = Meshes::of(&sim.state);
    let (particle, collider) = (&mut sim.state.particle, &sim.state.collider);
    let colliders = collider.kind.len();
    let (factor, per_second) = (particle.friction, 1.0 / sim.h);
    let (plane, plane_depth) = (&*particle.contact.plane, &*particle.contact.plane_depth);
    let nears = nears!(particle.contact);
    let led = &*particle.velocity;
    let (inertial, swept) = (SharedMut::new(particle.inertial), SharedMut::new(particle.contact.swept));
    let ways = SharedMut::new(particle.contact.contact_ways);
    let push = SharedMut::new(particle.contact.contact_push);
    let rest = SharedMut::new(particle.contact.contact_rest);
    let (contact, velocity) = (&mut *particle.contact.contact, &mut *particle.contact.contact_velocity);
    let (x, previous) = (&mut *particle.position, &mut *particle.previous);
    sim.par.rows4(x, previous, contact, velocity, |start, x, previous, contact, velocity| {
        let rows = start..start + x.len();
        // SAFETY: blocks do not overlap.
        let (inertial, swept) = unsafe { (inertial.rows_mut(rows.clone()), swept.rows_mut(rows.clone())) };
        // SAFETY: as above.
        let (ways, push) = unsafe { (ways.rows_mut(rows.clone()), push.rows_mut(rows.clone())) };
        // SAFETY: as above.
        let rest = unsafe { rest.rows_mut(rows.clone()) };
        if looks.start == 0 {
            contact.fill([0.0; 4]);
            swept.copy_from_slice(previous);
        }
        let (plane, plane_depth) = (&plane[rows.clone()], &plane_depth[rows.clone()]);
        let (factor, led) = (&factor[rows.clone()], &led[rows]);
        let bounds = Bounds::all(x, swept);
        let nears = &nears;
        let mut block = Block {
            start,
            per_second,
            x,
            previous,
            swept,
            led,
            inertial,
            contact,
            velocity,
            ways,
            push,
            rest,
            plane,
            plane_depth,
            factor,
            nears,
            bounds,
        };
        for look in looks.clone() {
            if let Some(body) = Body::of(collider, &meshes, look % colliders) {
                block.leave(&body, Look { round: look / colliders, collider: look % colliders, colliders });
            }
        }
    });
}

/// Which collider is looked at, and which time.
#[derive(Clone, Copy)]
struct Look {
    round: usize,
    collider: usize,
    colliders: usize,
}

impl Look {
    /// Looks that came before.
    fn number(self) -> f32 {
        (self.round * self.colliders + self.collider) as f32
    }
}

/// Rows of particles, and what a look changes of them.
struct Block<'a> {
    /// The first row.
    start: usize,
    /// [1/s]
    per_second: f32,
    x: &'a mut [[f32; 4]],
    previous: &'a mut [[f32; 4]],
    /// Where the substep began.
    swept: &'a [[f32; 4]],
    /// Velocity that led it from there, before anything was met [m/s].
    led: &'a [[f32; 4]],
    inertial: &'a mut [[f32; 4]],
    contact: &'a mut [[f32; 4]],
    velocity: &'a mut [[f32; 4]],
    ways: &'a mut [[f32; 2]],
    push: &'a mut [[f32; 4]],
    rest: &'a mut [[f32; 4]],
    plane: &'a [[f32; 4]],
    plane_depth: &'a [[f32; 2]],
    factor: &'a [f32],
    nears: &'a Nears<'a>,
    bounds: [Bounds; BLOCK / CHUNK],
}

impl Block<'_> {
    /// After the first round only particles that touch anything are looked at, and those that nothing has moved since this
    /// collider was looked at last are left out: it would say the same again.
    fn leave(&mut self, body: &Body, look: Look) {
        for (chunk, first) in (0..self.x.len()).step_by(CHUNK).enumerate() {
            let rows = first..self.x.len().min(first + CHUNK);
            let held = |[held, holder]: &[f32; 2]| *held > 0.0 && *holder == look.collider as f32;
            let first_round = look.round == 0;
            if body.is_away(&self.bounds[chunk])
                && !(first_round && self.plane_depth[rows.clone()].iter().any(held))
            {
                continue;
            }
            let before = look.number() - look.colliders as f32;
            for i in rows {
                let touches = first_round || (self.contact[i][3] != 0.0 && self.push[i][3] >= before);
                if !touches || self.x[i][3] <= 0.0 {
                    continue;
                }
                if let Some(at) = self.leave_one(body, look, i) {
                    self.bounds[chunk].add(at, xyz(self.swept[i]));
                }
            }
        }
    }

    /// Returns where a particle that touches the body is then.
    #[inline(always)]
    fn leave_one(&mut self, body: &Body, look: Look, i: usize) -> Option<Vec3> {
        let (here, index) = (xyz(self.x[i]), look.collider as f32);
        let [taken, holder] = self.plane_depth[i];
        // What the plane took back already counts once.
        let held = if look.round == 0 && holder == index { taken.max(0.0) } else { 0.0 };
        let factor = if taken == RUBBED && holder == index { 0.0 } else { self.factor[i] };
        let met = body.reaches(here, xyz(self.swept[i])).then(|| {
            // SAFETY: each block has its own particles.
            let near = unsafe { self.nears.of(self.start + i, look.collider) };
            body.follow(here, xyz(self.swept[i]), Some(near))
        });
        let (push, normal, depth, way, gap) = match met.flatten() {
            Some(met) => (met.out, met.normal, met.depth + held, met.way, 0.0),
            None if held > 0.0 => {
                let normal = xyz(self.plane[i]);
                let gap = (normal.dot(here) - self.plane[i][3]).max(0.0);
                (Vec3::ZERO, normal, held, body.way(here), gap)
            }
            None => return None,
        };
        let from = xyz(self.previous[i]);
        let digit = normal.abs().dot(here.abs()) * f32::EPSILON;
        let slides = if digit > ROUGH * depth {
            let began = depth - held - gap + normal.dot(here - from - way);
            self.unrounded(i, normal, depth, began, digit)
        } else {
            depth
        };
        let out = here + push;
        let slip = body.slip(out - from - way, normal, [factor * depth.max(slides), factor * slides]);
        let at = out - slip;
        let rest = (push - slip) - (at - here);
        let along = normal * normal.dot(at - from - way);
        let behind = (normal.dot(at - xyz(self.inertial[i])) - gap).max(0.0);
        let same = self.contact[i][3] > 0.0 && at == here && along == Vec3::ZERO && held == 0.0;
        if !same {
            self.push[i] = ((push - slip) + normal * held - along).extend(look.number()).to_array();
        }
        let rests = if self.contact[i][3] > 0.0 { xyz(self.rest[i]) + rest } else { rest };
        self.rest[i] = rests.extend(0.0).to_array();
        self.x[i] = at.extend(self.x[i][3]).to_array();
        self.previous[i] = (from + along).extend(self.x[i][3]).to_array();
        self.inertial[i] = (xyz(self.inertial[i]) + along).extend(self.x[i][3]).to_array();
        if depth > self.contact[i][3] {
            self.contact[i] = [normal.x, normal.y, normal.z, depth];
            let v = way * self.per_second;
            self.velocity[i] = [v.x, v.y, v.z, index];
            let off = if gap > 0.0 { normal.dot(along).max(0.0) } else { 0.0 };
            self.ways[i] = [off, behind];
        }
        Some(at)
    }

    /// How deep its velocity alone led a particle behind a surface: in short substeps gravity leads it by a few last digits, which its
    /// place is rounded to, and the surface lies between two of them. `depth` [m] is as it was found, `began` how deep the particle
    /// began, `digit` the last digit of its height.
    #[inline(always)]
    fn unrounded(&self, i: usize, normal: Vec3, depth: f32, began: f32, digit: f32) -> f32 {
        let way = xyz(self.inertial[i]) - xyz(self.swept[i]);
        let off = normal.dot(way - xyz(self.led[i]) / self.per_second);
        // Anything else has led it there as well.
        let rounded = if self.contact[i][3] == 0.0 && off.abs() <= digit { off } else { 0.0 };
        let near = if began.abs() <= digit { began } else { 0.0 };
        (depth - near + rounded).max(0.0)
    }
}
