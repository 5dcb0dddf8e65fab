//! Particles against colliders, in every substep: out of the solid, with Coulomb friction, then restitution.
//!
//! ```text
//! advance       colliders go to the end of the substep                                  here
//! plane::find   position-based solvers: what each particle is about to meet holds it     collide/plane.rs
//! contact       after the solve: out of all colliders, friction on the positions         here
//! restitution   bounces, and the rest of the friction, on the velocities                 collide/velocity.rs
//! feel, react   bodies with a mass get what the cloth got, the other way                 collide/rigid.rs
//! ```
//! Detection is continuous (`collide/sweep.rs`): a particle is followed from where the substep began, in the frame of the
//! moving collider, so nothing is thin or fast enough to be passed through by it. Particles are points: what is thinner
//! than the distance between two of them may stand through the cloth.
//!
//! Positions: a particle behind a surface (or less than `thickness` before it) goes to it along the normal; the depth d
//! it was moved stands for the normal impulse, so friction may take back up to mu d of its way along the surface
//! (Macklin et al.: Unified Particle Physics, 2014, section 6.1). `previous` and `inertial` move along, so that being
//! pushed out adds no speed, however many colliders push.

mod body;
mod look;
pub mod mesh;
pub mod near;
pub mod plane;
mod pose;
mod rigid;
mod shape;
mod sweep;
mod velocity;

use glam::Vec3;
use sim_api::SharedMut;

use crate::{normals::xyz, sim::Sim, state::Collider};
use near::nears;

pub(crate) use body::Body;
pub use mesh::Meshes;
pub use rigid::react;
pub use velocity::{restitution, velocities_of_contacts};

/// Times that a particle which touches something is held against all colliders.
const ROUNDS: usize = 3;

/// Colliders go to where this substep ends.
pub fn advance(sim: &mut Sim) {
    let (span, collider) = (sim.span, &mut sim.state.collider);
    for i in (0..collider.kind.len()).filter(|&i| collider.inverse_mass[i] == 0.0) {
        (collider.from_position[i], collider.from_rotation[i]) = scripted(collider, i, span[0]);
        (collider.to_position[i], collider.to_rotation[i]) = scripted(collider, i, span[1]);
    }
    rigid::advance(sim);
}

/// Pose at a share of the frame.
fn scripted(collider: &Collider, i: usize, share: f32) -> ([f32; 4], [f32; 4]) {
    let position = xyz(collider.begin_position[i]).lerp(xyz(collider.position[i]), share);
    let rotation = pose::blend(collider.begin_rotation[i], collider.rotation[i], share);
    (position.extend(0.0).to_array(), rotation)
}

/// Rotation of a collider at the end of the substep, if there is such a one.
pub fn rotation(collider: &Collider, i: usize) -> Option<[f32; 4]> {
    collider.to_rotation.get(i).copied()
}

/// Moves particles out of all colliders and fills the columns `particle.contact.contact*`.
///
/// `particle.inertial` is filled: the positions, or where they were before a solver changed them; `particle.contact.plane_depth`
/// says what held them meanwhile.
pub fn contact(sim: &mut Sim) {
    let particle = &mut sim.state.particle;
    particle.contact.contact.fill([0.0; 4]);
    particle.contact.swept.copy_from_slice(particle.previous);
    let colliders = sim.state.collider.kind.len();
    let rounds = if colliders > 1 { ROUNDS } else { 1 };
    for round in 0..rounds {
        for collider in 0..colliders {
            leave(sim, collider, round);
        }
    }
}

/// Moves particles out of one collider. After the first round only those that touch anything are looked at, and those that
/// nothing has moved since this collider was looked at last are left out: it would say the same again.
fn leave(sim: &mut Sim, collider: usize, round: usize) {
    let meshes = Meshes::of(&sim.state);
    let Some(body) = Body::of(&sim.state.collider, &meshes, collider) else { return };
    let (particle, per_second, index) = (&mut sim.state.particle, 1.0 / sim.h, collider as f32);
    let colliders = sim.state.collider.kind.len();
    let look = (round * colliders + collider) as f32;
    let (factor, swept) = (particle.friction, &*particle.contact.swept);
    let (plane, plane_depth) = (&*particle.contact.plane, &*particle.contact.plane_depth);
    let (contact, velocity) = (&mut *particle.contact.contact, &mut *particle.contact.contact_velocity);
    let (x, previous) = (&mut *particle.position, &mut *particle.previous);
    let inertial = SharedMut::new(particle.inertial);
    let nears = nears!(particle.contact);
    let (ways, push) =
        (SharedMut::new(particle.contact.contact_ways), SharedMut::new(particle.contact.contact_push));
    sim.par.rows4(x, previous, contact, velocity, |start, x, previous, contact, velocity| {
        let rows = start..start + x.len();
        // SAFETY: blocks do not overlap.
        let (inertial, ways) = unsafe { (inertial.rows_mut(rows.clone()), ways.rows_mut(rows.clone())) };
        // SAFETY: as above.
        let push = unsafe { push.rows_mut(rows) };
        for (i, x) in x.iter_mut().enumerate().filter(|(_, x)| x[3] > 0.0) {
            if round > 0 && (contact[i][3] == 0.0 || push[i][3] < look - colliders as f32) {
                continue;
            }
            let here = xyz(*x);
            let [held, holder] = plane_depth[start + i];
            // What the plane took back already counts once.
            let held = if round == 0 && holder == index { held } else { 0.0 };
            // SAFETY: as above.
            let near = unsafe { nears.of(start + i, collider) };
            let met = body.meet_near(here, xyz(swept[start + i]), Some(near));
            let (out, normal, depth, way, gap) = match met {
                Some(met) => (here + met.out, met.normal, met.depth + held, met.way, 0.0),
                None if held > 0.0 => {
                    let normal = xyz(plane[start + i]);
                    let gap = (normal.dot(here) - plane[start + i][3]).max(0.0);
                    (here, normal, held, body.way(here), gap)
                }
                None => continue,
            };
            let from = xyz(previous[i]);
            let at = out - body.slip(out - from - way, normal, factor[start + i] * depth);
            let along = normal * normal.dot(at - from - way);
            let behind = (normal.dot(at - xyz(inertial[i])) - gap).max(0.0);
            let same = contact[i][3] > 0.0 && at == here && along == Vec3::ZERO && held == 0.0;
            if !same {
                push[i] = ((at - here) + normal * held - along).extend(look).to_array();
            }
            *x = at.extend(x[3]).to_array();
            previous[i] = (from + along).extend(x[3]).to_array();
            inertial[i] = (xyz(inertial[i]) + along).extend(x[3]).to_array();
            if depth > contact[i][3] {
                contact[i] = [normal.x, normal.y, normal.z, depth];
                let v = way * per_second;
                velocity[i] = [v.x, v.y, v.z, index];
                let off = if gap > 0.0 { normal.dot(along).max(0.0) } else { 0.0 };
                ways[i] = [off, behind];
            }
        }
    });
    if sim.state.collider.inverse_mass[collider] > 0.0 {
        rigid::feel(sim, collider, look);
    }
}
