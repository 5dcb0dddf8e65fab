//! Particles against colliders, in every substep: out of the solid, with Coulomb friction, then restitution.
//!
//! ```text
//! advance       colliders go to the end of the substep                                  here
//! plane::find   position-based solvers: what each particle is about to meet holds it     collide/plane.rs
//! contact       after the solve: out of all colliders, friction on the positions         collide/leave.rs
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
mod leave;
mod look;
pub mod mesh;
pub mod near;
pub mod plane;
mod pose;
mod reach;
mod rigid;
mod shape;
mod sweep;
mod velocity;

use crate::{normals::xyz, sim::Sim, state::Collider};

pub(crate) use body::Body;
pub(crate) use leave::RUBBED;
pub use leave::contact;
pub use mesh::Meshes;
pub(crate) use pose::Pose;
pub use rigid::{has_bodies, react};
pub(crate) use rigid::{moved_by, pull};
pub use velocity::{restitution, velocities_of_contacts};

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

/// Pose of a collider at the end of the substep.
pub(crate) fn at_end(collider: &Collider, i: usize) -> Pose {
    Pose { position: xyz(collider.to_position[i]), rotation: collider.to_rotation[i] }
}

/// Rotation of a collider at the end of the substep, if there is such a one.
pub fn rotation(collider: &Collider, i: usize) -> Option<[f32; 4]> {
    collider.to_rotation.get(i).copied()
}
