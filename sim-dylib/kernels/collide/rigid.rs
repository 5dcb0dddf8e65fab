//! Bodies with a mass: spheres and boxes that fall, are pushed by the cloth and by each other.
//!
//! A substep moves them by their velocities before the cloth ([`advance`]); cloth meets them as it meets any collider, and
//! what they give to each particle is taken from them ([`feel`], [`react`]), summed in a fixed order. A body
//! feels the cloth one substep late, which is stable while the cloth in contact weighs less than the body.
//!
//! Against other colliders a sphere is its centre and a radius, a box its eight corners, both followed continuously. Against another
//! box it is points on its faces beside the corners, too, and the middles of its edges: corners of equal boxes one upon the other lie
//! over no face, and those of crossed planks beside the other. Friction of a pair is the geometric mean, restitution the larger.

use glam::{Vec3, Vec3Swizzles};
use sim_api::model::ColliderKind;
use sim_api::{Mapped, Par, array_of};

use super::{
    body::{Body, coulomb},
    mesh::Meshes,
    pose::Pose,
    shape::Shape,
    sweep,
};
use crate::{normals::xyz, sim::Sim, state::Collider};

/// Whether any collider has a mass.
pub fn has_bodies(collider: &Collider) -> bool {
    collider.inverse_mass.iter().any(|inverse| *inverse > 0.0)
}

/// Moves the bodies through the substep.
pub(super) fn advance(sim: &mut Sim) {
    let (h, gravity, meshes) = (sim.h, Vec3::from(sim.frame.world.gravity), Meshes::of(&sim.state));
    let collider = &mut sim.state.collider;
    let resting = 2.0 * gravity.length() * h;
    let count = collider.kind.len();
    for i in (0..count).filter(|&i| collider.inverse_mass[i] > 0.0) {
        let velocity = xyz(collider.velocity[i]) + gravity * h;
        let from = Pose { position: xyz(collider.position[i]), rotation: collider.rotation[i] };
        (collider.from_position[i], collider.from_rotation[i]) = (collider.position[i], from.rotation);
        collider.velocity[i] = velocity.extend(0.0).to_array();
        collider.to_position[i] = (from.position + velocity * h).extend(0.0).to_array();
        collider.to_rotation[i] = from.turned(xyz(collider.spin[i]) * h);
        collider.spin[i] = turned_spin(collider, i).extend(0.0).to_array();
    }
    for a in (0..count).filter(|&a| collider.inverse_mass[a] > 0.0) {
        for b in (0..count).filter(|&b| collider.inverse_mass[b] == 0.0 || b < a) {
            let balls = [a, b].mapped(|i| collider.kind[i] == SPHERE);
            if !balls[1] || balls[0] {
                against(collider, &meshes, a, b, h, resting);
            }
            if !balls[0] {
                against(collider, &meshes, b, a, h, resting);
            }
        }
    }
    for i in (0..count).filter(|&i| collider.inverse_mass[i] > 0.0) {
        (collider.position[i], collider.rotation[i]) = (collider.to_position[i], collider.to_rotation[i]);
    }
}

/// Angular velocity [rad/s] after the turn of this substep: the angular momentum stays, and the inertia has turned (Euler's equations).
fn turned_spin(collider: &Collider, i: usize) -> Vec3 {
    let (spin, inverse) = (xyz(collider.spin[i]), xyz(collider.inverse_inertia[i]));
    if inverse.x == inverse.y && inverse.y == inverse.z {
        return spin;
    }
    let from = Pose { position: Vec3::ZERO, rotation: collider.from_rotation[i] };
    turned(collider, i, from.rotate(from.to_local(spin) / inverse))
}

const SPHERE: u32 = ColliderKind::Sphere as u32;

/// A point of one body on the surface of another.
#[derive(Clone, Copy)]
struct Touch {
    at: Vec3,
    /// Of the other's surface.
    normal: Vec3,
    /// Velocity of that surface [m/s] if it has no mass.
    carried: Vec3,
    /// Speed along the normal afterwards [m/s].
    wanted: f32,
    /// Impulses so far: along the normal, and across it [N s].
    pressed: f32,
    rubbed: Vec3,
}

/// Corners of a box, and its points for another box.
const CORNERS: usize = 8;
const POINTS: usize = 44;
/// How far out points beside corners lie on their faces, as a share of the way to the edges.
const BESIDE: f32 = 0.98;
/// Rounds over the points of contact of a pair: each changes what the others do.
const ROUNDS: usize = 10;

/// The points of `a` against the surface of `b`: all are found before the first of them moves anything.
fn against(collider: &mut Collider, meshes: &Meshes, a: usize, b: usize, h: f32, resting: f32) {
    let (Some(shape), Some(other)) = (Shape::of(collider, meshes, a), Body::of(collider, meshes, b)) else {
        return;
    };
    let (points, radius) = match shape {
        Shape::Sphere { radius } => (1, radius),
        Shape::Box { .. } if matches!(other.shape, Shape::Box { .. }) => (POINTS, 0.0),
        Shape::Box { .. } => (CORNERS, 0.0),
        _ => return,
    };
    let from = Pose { position: xyz(collider.from_position[a]), rotation: collider.from_rotation[a] };
    let to = Pose { position: xyz(collider.to_position[a]), rotation: collider.to_rotation[a] };
    // `b` may have been pushed on already.
    let end = Pose { position: xyz(collider.to_position[b]), ..other.end };
    let weights = [a, b].mapped(|i| collider.inverse_mass[i]);
    let mut touches = [None; POINTS];
    let mut apart = Vec3::ZERO;
    for (number, touch) in touches[..points].iter_mut().enumerate() {
        let local = match shape {
            Shape::Box { half } => half * on_cube(number),
            _ => Vec3::ZERO,
        };
        let point = to.to_world(local);
        let start = other.begin.to_local(from.to_world(local));
        let Some(met) = sweep::meet(&other.shape, start, end.to_local(point), radius) else { continue };
        let (out, normal) = (end.rotate(met.out), end.rotate(met.normal));
        // What the points before it have moved is done.
        let left = (out.dot(normal) - apart.dot(normal)).max(0.0);
        apart += out * (left / out.dot(normal).max(f32::MIN_POSITIVE)).min(1.0);
        let at = point + out - normal * radius;
        let carried = other.way(at) / h;
        let mut found = Touch { at, normal, carried, wanted: 0.0, pressed: 0.0, rubbed: Vec3::ZERO };
        let approach = normal.dot(slip(collider, [a, b], &found));
        let restitution = collider.surface[a][2].max(collider.surface[b][2]);
        found.wanted = if approach < -resting { -restitution * approach } else { 0.0 };
        *touch = Some(found);
    }
    if apart == Vec3::ZERO {
        return;
    }
    let parts = weights.mapped(|weight| weight / (weights[0] + weights[1]));
    move_by(collider, a, apart * parts[0]);
    move_by(collider, b, apart * -parts[1]);
    for _ in 0..ROUNDS {
        touches.iter_mut().flatten().for_each(|touch| bounce(collider, [a, b], touch));
    }
    // What rubs off a velocity was no part of the way either: a body that friction holds does not creep.
    let rubbed: Vec3 = touches.iter().flatten().map(|touch| touch.rubbed).sum();
    move_by(collider, a, rubbed * (weights[0] * h));
    move_by(collider, b, rubbed * (-weights[1] * h));
}

/// A point of a cube of side 2: first its corners, then those beside them on the faces, then the middles of its edges.
fn on_cube(number: usize) -> Vec3 {
    let side = |bit: usize| if number >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let corner = [side(0), side(1), side(2)];
    let beside = number.wrapping_sub(CORNERS);
    let point = match number {
        ..CORNERS => corner,
        CORNERS..32 => array_of(|axis| if axis == beside / 8 { corner[axis] } else { BESIDE * corner[axis] }),
        _ => {
            let axis = (number - 32) / 4;
            let mut point = [0.0; 3];
            (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (side(0), side(1));
            point
        }
    };
    Vec3::from(point)
}

fn move_by(collider: &mut Collider, i: usize, way: Vec3) {
    collider.to_position[i] = (xyz(collider.to_position[i]) + way).extend(0.0).to_array();
}

/// Velocity of a point of `a` over the surface of `b` [m/s].
fn slip(collider: &Collider, [a, b]: [usize; 2], touch: &Touch) -> Vec3 {
    let moving = collider.inverse_mass[b] > 0.0;
    velocity_at(collider, a, touch.at)
        - if moving { velocity_at(collider, b, touch.at) } else { touch.carried }
}

/// Impulses at a point of contact, along the normal and against the slip. What all rounds have given together never pulls, and
/// rubs no more than Coulomb's law lets it (Catto: Iterative Dynamics with Temporal Coherence, 2005).
fn bounce(collider: &mut Collider, [a, b]: [usize; 2], touch: &mut Touch) {
    let (at, normal) = (touch.at, touch.normal);
    let approach = normal.dot(slip(collider, [a, b], touch));
    let give = mobility(collider, a, at, normal) + mobility(collider, b, at, normal);
    let pressed = (touch.pressed + (touch.wanted - approach) / give).max(0.0);
    push_both(collider, [a, b], at, normal * (pressed - touch.pressed));
    touch.pressed = pressed;
    let moved = slip(collider, [a, b], touch);
    let across = moved - normal * normal.dot(moved);
    let speed = across.length();
    if speed > 0.0 {
        let along = across / speed;
        let give = mobility(collider, a, at, along) + mobility(collider, b, at, along);
        let friction = [0, 1].mapped(|of| (collider.surface[a][of] * collider.surface[b][of]).sqrt());
        let wanted = touch.rubbed - along * (speed / give);
        let rubbed = wanted * coulomb(friction, wanted.length(), [pressed; 2]);
        push_both(collider, [a, b], at, rubbed - touch.rubbed);
        touch.rubbed = rubbed;
    }
}

/// An impulse on `a` [N s], and its opposite on `b`.
fn push_both(collider: &mut Collider, [a, b]: [usize; 2], at: Vec3, impulse: Vec3) {
    push(collider, a, at, impulse);
    push(collider, b, at, -impulse);
}

fn velocity_at(collider: &Collider, i: usize, at: Vec3) -> Vec3 {
    xyz(collider.velocity[i]) + xyz(collider.spin[i]).cross(at - xyz(collider.to_position[i]))
}

/// Speed along a direction [m/s] that an impulse of 1 N s along it gives to the point.
fn mobility(collider: &Collider, i: usize, at: Vec3, direction: Vec3) -> f32 {
    let arm = at - xyz(collider.to_position[i]);
    let turn = turned(collider, i, arm.cross(direction));
    collider.inverse_mass[i] + turn.cross(arm).dot(direction)
}

/// Angular velocity [rad/s] from an angular impulse [N m s]: the inverse inertia in world space.
fn turned(collider: &Collider, i: usize, angular: Vec3) -> Vec3 {
    let pose = Pose { position: Vec3::ZERO, rotation: collider.to_rotation[i] };
    pose.rotate(pose.to_local(angular) * xyz(collider.inverse_inertia[i]))
}

fn push(collider: &mut Collider, i: usize, at: Vec3, impulse: Vec3) {
    let arm = at - xyz(collider.to_position[i]);
    kick(collider, i, impulse, arm.cross(impulse));
}

/// Impulse [N s] and angular impulse about the centre [N m s].
fn kick(collider: &mut Collider, i: usize, impulse: Vec3, angular: Vec3) {
    let velocity = xyz(collider.velocity[i]) + impulse * collider.inverse_mass[i];
    let spin = xyz(collider.spin[i]) + turned(collider, i, angular);
    collider.velocity[i] = velocity.extend(0.0).to_array();
    collider.spin[i] = spin.extend(0.0).to_array();
}

/// Takes from a body what it gave to the particles that it moved in a `look` (`particle.contact.contact_push`): each body its own
/// part, for a particle may lie between two, or between a body and the floor.
pub(super) fn feel(sim: &mut Sim, body: usize, look: f32) {
    let (particle, per_second) = (&sim.state.particle, 1.0 / sim.h);
    let (contact, push, mass) = (&*particle.contact.contact, &*particle.contact.contact_push, particle.mass);
    let lost = sum(&sim.par, &sim.state.collider, body, particle.position, |p| {
        (contact[p][3] > 0.0 && push[p][3] == look).then(|| xyz(push[p]) * (mass[p] * per_second))
    });
    kick(&mut sim.state.collider, body, -lost[0], -lost[1]);
}

/// Takes from the bodies what particles in contact got in the velocity pass, and inside of a solve.
pub fn react(sim: &mut Sim) {
    let (particle, per_second) = (&sim.state.particle, 1.0 / sim.h);
    let (contact, owner) = (&*particle.contact.contact, &*particle.contact.contact_velocity);
    let (turned, sprung, mass) =
        (&*particle.contact.contact_push, &*particle.springs.touch_push, particle.mass);
    for body in 0..sim.state.collider.kind.len() {
        if sim.state.collider.inverse_mass[body] == 0.0 {
            continue;
        }
        let lost = sum(&sim.par, &sim.state.collider, body, particle.position, |p| {
            let touches = contact[p][3] > 0.0 && owner[p][3] as usize == body;
            let by_springs = sprung[p] != [0.0; 4] && sprung[p][3] as usize == body;
            let mut lost = Vec3::ZERO;
            if touches {
                lost += xyz(turned[p]);
            }
            // What the springs of a solve pushed away may be in contact no more.
            if by_springs {
                lost += xyz(sprung[p]) * (mass[p] * per_second);
            }
            (touches || by_springs).then_some(lost)
        });
        kick(&mut sim.state.collider, body, -lost[0], -lost[1]);
    }
}

/// How far an impulse of 1 kg m moves a place of a body [m], along a direction, and at most, whichever way it goes.
pub(crate) fn moved_by(collider: &Collider, i: usize, at: Vec3, direction: Vec3) -> [f32; 2] {
    let pose = super::at_end(collider, i);
    let most = collider.inverse_mass[i] + lever(pose.to_local(at), xyz(collider.inverse_inertia[i]));
    [mobility(collider, i, at, direction), most]
}

/// The largest eigenvalue of -[r] D [r], [r] the matrix of the cross product: what turns move a place r of a body by at most, D its inverse
/// inertia. Another one is 0, so the two that are left are the roots of a quadratic polynomial.
fn lever(r: Vec3, d: Vec3) -> f32 {
    let squares = r * r;
    let sum = d.dot(squares.yzx() + squares.zxy());
    let product = squares.element_sum() * (d.yzx() * d.zxy()).dot(squares);
    0.5 * (sum + (sum * sum - 4.0 * product).max(0.0).sqrt())
}

/// Gives bodies what strands gave to their ends on them (`mount.pull`, `mount.turn`): the way, the turn, and the velocity of both.
pub(crate) fn pull(sim: &mut Sim) {
    let per_second = 1.0 / sim.h;
    let (mount, collider) = (&sim.state.mount, &mut sim.state.collider);
    for body in (0..collider.kind.len()).filter(|i| collider.inverse_mass[*i] > 0.0) {
        let [way, turn] = sums(&sim.par, mount.end.len(), |row| {
            (mount.body[row] as usize == body).then(|| (xyz(mount.pull[row]), xyz(mount.turn[row])))
        });
        let turned = turned(collider, body, turn);
        move_by(collider, body, way * collider.inverse_mass[body]);
        kick(collider, body, way * per_second, turn * per_second);
        collider.to_rotation[body] = super::at_end(collider, body).turned(turned);
        (collider.position[body], collider.rotation[body]) =
            (collider.to_position[body], collider.to_rotation[body]);
    }
}

/// Sum of the impulses of all particles [N s], and of their moments about the centre of a body [N m s].
fn sum(
    par: &Par,
    collider: &Collider,
    body: usize,
    position: &[[f32; 4]],
    impulse: impl Fn(usize) -> Option<Vec3> + Sync,
) -> [Vec3; 2] {
    let center = xyz(collider.to_position[body]);
    sums(par, position.len(), |p| {
        let impulse = impulse(p)?;
        Some((impulse, (xyz(position[p]) - center).cross(impulse)))
    })
}

/// Sums of what rows have, in a fixed order.
fn sums(par: &Par, rows: usize, of: impl Fn(usize) -> Option<(Vec3, Vec3)> + Sync) -> [Vec3; 2] {
    let [x, y, z, turn_x, turn_y, turn_z] = par.sums(rows, |rows| {
        let mut sum = [0.0_f64; 6];
        for row in rows {
            let Some((impulse, angular)) = of(row) else { continue };
            for (k, value) in impulse.to_array().into_iter().chain(angular.to_array()).enumerate() {
                sum[k] += f64::from(value);
            }
        }
        sum
    });
    [Vec3::new(x as f32, y as f32, z as f32), Vec3::new(turn_x as f32, turn_y as f32, turn_z as f32)]
}
