//! -grad E at the present positions: inertia and all rows.

use glam::Vec3;

use crate::{
    constraints::{Energy, distance::Spring},
    lanes::{self, Kernel, Lanes, Point, Rows, V3},
    normals::xyz,
    state::State,
    substep::Sim,
};

/// Fills `particle.force` [N]. Particles that are not free get what their rows pull.
pub fn evaluate(sim: &mut Sim) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let State { particle, distance, hinge, tether, attachment, .. } = &mut sim.state;
    let (x, inertial) = (&*particle.position, &*particle.inertial);
    sim.par.rows(particle.force, |start, force| {
        for (i, force) in (start..).zip(force) {
            let mass = if x[i][3] > 0.0 { per_h2 / x[i][3] } else { 0.0 };
            *force = ((xyz(inertial[i]) - xyz(x[i])) * mass).extend(0.0).to_array();
        }
    });
    let springs = Springs { position: x, rest: distance.rest, stiffness: distance.used };
    lanes::project(&sim.par, distance.colors, distance.idx, particle.force, &springs);
    if !hinge.idx.is_empty() {
        let hinges = Hinges { position: x, weights: hinge.weights, stiffness: hinge.used };
        lanes::project(&sim.par, hinge.colors, hinge.idx, particle.force, &hinges);
    }
    let mut pull = |particle_at: u32, force: Vec3| {
        let row = &mut particle.force[particle_at as usize];
        *row = (xyz(*row) + force).extend(row[3]).to_array();
    };
    for (i, &at) in tether.idx.iter().enumerate() {
        let d = xyz(x[tether.anchor[i] as usize]) - xyz(x[at as usize]);
        let length = d.length();
        if length > tether.rest[i] {
            pull(at, d * (tether.used[i] * (length - tether.rest[i]) / length));
        }
    }
    for (i, &at) in attachment.idx.iter().enumerate() {
        pull(at, (xyz(attachment.target[i]) - xyz(x[at as usize])) * attachment.used[i]);
    }
}

/// Adds the force of each spring to `particle.force` at both its ends: k times the way to the rest length, which is
/// the local step of Liu 2013.
struct Springs<'a> {
    position: &'a [[f32; 4]],
    rest: &'a [f32],
    stiffness: &'a [f32],
}

impl Kernel<2> for Springs<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [_, _]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (a, b) = (rows.fetch::<L>(self.position, 0), rows.fetch::<L>(self.position, 1));
        let spring = Spring { rest: rows.load(self.rest), k: rows.load(self.stiffness) };
        let [a, b] = spring.gradient(&[a.x, b.x]);
        [-a, -b]
    }
}

/// Bending: k |sum of weight x|² / 2, flat at rest.
struct Hinges<'a> {
    position: &'a [[f32; 4]],
    weights: &'a [[f32; 4]],
    stiffness: &'a [f32],
}

impl Kernel<4> for Hinges<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<4>, [_, _, _, _]: [Point<L>; 4]) -> [V3<L>; 4] {
        let [a, b, c, d] = rows.fetch_all::<L>(self.position);
        let [wa, wb, wc, wd] = rows.load4::<L>(self.weights);
        let pull = (a.x * wa + b.x * wb + c.x * wc + d.x * wd) * -rows.load::<L>(self.stiffness);
        [pull * wa, pull * wb, pull * wc, pull * wd]
    }
}

/// Fills `particle.correction` with -H d for d in `particle.search` [N]: H is the Hessian of E at the present
/// positions without what would make it negative.
pub fn stiffness_times_direction(sim: &mut Sim) {
    let State { particle, distance, hinge, .. } = &mut sim.state;
    let (d, diagonal) = (&*particle.search, &*particle.own_stiffness);
    sim.par.rows(particle.correction, |start, product| {
        for (i, product) in (start..).zip(product) {
            *product = (xyz(d[i]) * -diagonal[i]).extend(0.0).to_array();
        }
    });
    let (position, rest, stiffness) = (&*particle.position, distance.rest, &*distance.used);
    let springs = SpringHessian { position, direction: d, rest, stiffness };
    lanes::project(&sim.par, distance.colors, distance.idx, particle.correction, &springs);
    if !hinge.idx.is_empty() {
        // Linear in the positions: its force at d is its Hessian times d.
        let hinges = Hinges { position: d, weights: hinge.weights, stiffness: hinge.used };
        lanes::project(&sim.par, hinge.colors, hinge.idx, particle.correction, &hinges);
    }
}

struct SpringHessian<'a> {
    position: &'a [[f32; 4]],
    direction: &'a [[f32; 4]],
    rest: &'a [f32],
    stiffness: &'a [f32],
}

impl Kernel<2> for SpringHessian<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [_, _]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (a, b) = (rows.fetch::<L>(self.position, 0), rows.fetch::<L>(self.position, 1));
        let (da, db) = (rows.fetch::<L>(self.direction, 0), rows.fetch::<L>(self.direction, 1));
        let spring = Spring { rest: rows.load(self.rest), k: rows.load(self.stiffness) };
        let [a, b] = spring.stiffness_times(&[a.x, b.x], &[da.x, db.x]);
        [-a, -b]
    }
}

/// Tension of each distance row at the present positions [N].
pub fn write_tensions(sim: &mut Sim) {
    let (x, distance) = (&*sim.state.particle.position, &mut sim.state.distance);
    let (idx, rest, stiffness) = (distance.idx, distance.rest, &*distance.used);
    sim.par.rows(distance.force, |start, force| {
        for (i, force) in (start..).zip(force) {
            let [a, b] = idx[i].map(|particle| xyz(x[particle as usize]));
            *force = stiffness[i] * ((b - a).length() - rest[i]);
        }
    });
}
