//! What a strand is at rest: places of its particles along its shape, the frame of each segment, and the turn of each joint.
//!
//! Frames go along the shape by the least rotation from one segment to the next (Bishop: There is more than one way to frame a
//! curve, 1975), so that a joint's rest turn is its bend alone. With `sag_free` joints are turned further, so that under gravity
//! the shape is the equilibrium: forces F from the tip, torques T from the tip, and the turn E that makes each joint's moment
//! that torque (after Hsu et al.: Sag-Free Initialization for Strand-Based Hybrid Hair Simulation, 2023):
//!
//! ```text
//! F_i = sum of m g beyond segment i      l d3 = x1 - x0 - F l/EA      T_i = T_i+1 - l F_i x d3_i
//! R(E)ᵀ (E.w M + Im E x M) = R(q_i)ᵀ T_i,  M = 2 K Im E                rest = conj(q_i-1) q_i conj(E)
//! ```

use glam::{DQuat, DVec3, Vec3 as Point};

use super::{Shape, Strands, build::Strand, ring};
use crate::rotation;

/// Looks for a chord of the right length: steps to a length of the fastest part of the curve, and halvings of the last step.
const STEPS: f64 = 8.0;
const HALVINGS: usize = 30;
/// Rounds for a joint's turn; they end far below single precision.
const TURN_ROUNDS: usize = 60;

/// A segment and the joint before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Frame, in the space that the strand was given in.
    pub frame: DQuat,
    /// [m]
    pub length: f64,
    /// From the frame before to this one.
    pub turn: DQuat,
}

/// Particles of a strand in the frame of its root, e3 the way it starts and e1 its downward side [m]. `stub`: its length; particle 1 is
/// the root, and 0 lies behind it.
pub fn places(shape: Shape, length: f32, segment: f32, particles: u32, stub: Option<f32>) -> Vec<Point> {
    let curve = |u: f64| curve(shape, f64::from(length), u);
    let segment = f64::from(segment);
    let fastest = match shape {
        Shape::Straight | Shape::Arc { .. } => 1.0,
        Shape::Curl { radius, pitch, .. } => {
            (1.0 + std::f64::consts::TAU * f64::from(radius) / f64::from(pitch)).max(1.0)
        }
    };
    let step = segment / (STEPS * fastest);
    let mut places = Vec::with_capacity(particles as usize);
    places.extend(stub.map(|stub| Point::new(0.0, 0.0, -stub)));
    let (mut u, mut at) = (0.0, curve(0.0));
    while places.len() < particles as usize {
        places.push(at.as_vec3());
        // The first point that is a segment away.
        let away = |u: f64| (curve(u) - at).length() >= segment;
        let mut next = u + step;
        while !away(next) && next < u + 2.0 * segment {
            next += step;
        }
        let mut near = next - step;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + next);
            if away(middle) { next = middle } else { near = middle }
        }
        (u, at) = (next, curve(next));
    }
    places
}

/// A point of a shape. The parameter is a length: along the axis of a curl, along an arc itself.
fn curve(shape: Shape, length: f64, u: f64) -> DVec3 {
    match shape {
        Shape::Straight => DVec3::new(0.0, 0.0, u),
        Shape::Arc { angle } => {
            let turn = f64::from(angle) / length;
            let (sin, cos) = rotation::sin_cos_wide(turn * u);
            let radius = 1.0 / turn.to_radians();
            if radius.abs() > 1e6 * length {
                return DVec3::new(0.0, 0.0, u);
            }
            DVec3::new(radius * (1.0 - cos), 0.0, radius * sin)
        }
        Shape::Curl { radius, pitch, from } => {
            let past = (u - f64::from(from) * length).max(0.0);
            let turns = past / f64::from(pitch);
            // Out to the radius within the first turn.
            let out = turns.min(1.0);
            let out = f64::from(radius) * out * out * (3.0 - 2.0 * out);
            let (sin, cos) = rotation::sin_cos_wide(360.0 * turns);
            DVec3::new(out * cos, out * sin, u)
        }
    }
}

/// The least rotation between two directions; the same bits everywhere.
pub(super) fn arc(from: DVec3, to: DVec3) -> DQuat {
    let scale = 1.0 / (from.length_squared() * to.length_squared()).sqrt();
    let (cross, w) = (from.cross(to) * scale, from.dot(to) * scale + 1.0);
    if w < 1e-12 {
        let across = from.any_orthogonal_vector().normalize();
        return DQuat::from_xyzw(across.x, across.y, across.z, 0.0);
    }
    DQuat::from_xyzw(cross.x, cross.y, cross.z, w).normalize()
}

/// The frame whose e3 is a direction and whose e1 lies on its downward side; both unit vectors.
pub fn frame(direction: DVec3, down: DVec3) -> DQuat {
    let aside = down - direction * direction.dot(down);
    let e1 = if aside.length() > 1e-3 { aside } else { direction.any_orthogonal_vector() }.normalize();
    let e2 = direction.cross(e1);
    DQuat::from_mat3(&glam::DMat3::from_cols(e1, e2, direction)).normalize()
}

/// A strand at rest.
pub struct Resting {
    /// One for each segment.
    pub segments: Vec<Rest>,
    /// E A of each [N]; 0 of a stub.
    pub stretch: Vec<f64>,
    /// Of the joint before each, against bending and twist [N m]; 0: there is none.
    pub joints: Vec<[f64; 2]>,
    /// The largest torque on a joint by the most that it bears; above 1 no rest shape holds it. 0 where gravity is not borne.
    pub load: f64,
}

/// What a strand is at rest, in world space: `seat` is the rotation of what it grows from.
pub fn of(strands: &Strands, strand: &Strand, seat: DQuat, gravity: DVec3) -> Resting {
    if strands.closed {
        return ring::resting(strands, strand, seat);
    }
    let (count, held) = (strands.particles, strands.held());
    // From the root on: far from it single precision turns short segments.
    let x: Vec<DVec3> =
        (0..count).map(|particle| seat * strand.from_root(held, particle).as_dvec3()).collect();
    let length = f64::from(strand.segment);
    let tip = if strands.has_tip_stub() { count - 2 } else { u32::MAX };
    let elastic = |segment: u32| (held < 2 || segment > 0) && segment != tip;
    let stretch = |segment: u32| {
        let resists = f64::from(strands.section(strands.along(segment as f32 + 0.5)).stretch);
        if elastic(segment) { resists } else { 0.0 }
    };
    let joint = |particle: u32| {
        let section = strands.section(strands.along(particle as f32));
        let clamp = if particle == 1 && held == 2 || particle == tip { 2.0 } else { 1.0 };
        let scale = if particle == 0 { 0.0 } else { clamp / length };
        [f64::from(section.bend) * scale, f64::from(section.twist) * scale]
    };
    let share = if held == 0 { 0.0 } else { f64::from(strands.material.sag_free) };
    let weight = |particle: u32| {
        let (part, tip) =
            if particle == count - 1 { (0.5, f64::from(strands.material.tip_mass)) } else { (1.0, 0.0) };
        let own = part * length * f64::from(strands.section(strands.along(particle as f32)).mass);
        gravity * (share * (own + tip))
    };
    let weights: Vec<DVec3> = (0..count).map(weight).collect();
    let mut resting = Resting {
        segments: Vec::with_capacity(x.len() - 1),
        stretch: (0..count - 1).map(stretch).collect(),
        joints: (0..count - 1).map(joint).collect(),
        load: 0.0,
    };
    bear(&x, seat * strand.frame, &weights, &mut resting);
    resting
}

/// Fills segments from the root on, and turns joints so that they bear the weights.
fn bear(x: &[DVec3], first: DQuat, weights: &[DVec3], resting: &mut Resting) {
    let segments = x.len() - 1;
    let mut force = vec![DVec3::ZERO; segments];
    let mut beyond = DVec3::ZERO;
    for i in (0..segments).rev() {
        beyond += weights[i + 1];
        force[i] = beyond;
    }
    for i in 0..segments {
        let edge = x[i + 1] - x[i];
        let stretch = resting.stretch[i];
        let strain = if stretch > 0.0 { force[i] / stretch } else { DVec3::ZERO };
        let along = edge - strain * edge.length();
        let before = resting.segments.last().map_or(first, |rest| rest.frame);
        let frame = (arc(before * DVec3::Z, along) * before).normalize();
        let turn = (before.conjugate() * frame).normalize();
        resting.segments.push(Rest { frame, length: along.length(), turn });
    }
    let mut torque = DVec3::ZERO;
    for i in (0..segments).rev() {
        let rest = &mut resting.segments[i];
        torque -= (rest.length * force[i]).cross(rest.frame * DVec3::Z);
        let [bend, twist] = resting.joints[i];
        if bend > 0.0 && torque != DVec3::ZERO {
            let k = DVec3::new(bend, bend, twist);
            let own = rest.frame.conjugate() * torque;
            resting.load = resting.load.max(own.length() / k.min_element());
            rest.turn = (rest.turn * bearing(own, k).conjugate()).normalize();
        }
    }
}

/// The turn of a joint of stiffness K whose moment is a torque, both in the frame behind it.
fn bearing(torque: DVec3, k: DVec3) -> DQuat {
    let mut v = torque / (2.0 * k);
    let mut w = 1.0;
    for _ in 0..TURN_ROUNDS {
        if v.length_squared() > 0.98 {
            v *= 0.99 / v.length();
        }
        w = (1.0 - v.length_squared()).sqrt();
        let moment = 2.0 * k * v;
        let turn = DQuat::from_xyzw(v.x, v.y, v.z, w);
        let now = turn.conjugate() * (moment * w + v.cross(moment));
        v += (torque - now) / (2.0 * k);
    }
    DQuat::from_xyzw(v.x, v.y, v.z, w).normalize()
}
