//! Contact inside the loop of a position-based solver, as one plane for each particle.
//!
//! Before the solve [`find`] follows every particle from where the substep began to where inertia takes it, and keeps the
//! surface that it meets as the constraint n . (x - q) >= 0 (Müller et al. 2007, section 3.4). [`Planes::hold`] projects it before
//! each iteration: no row sees a particle behind a surface. What it takes back is added up, for friction.
//!
//! After the solve `contact` looks again, at all colliders: the plane is that of one surface, and rows move particles.

use glam::Vec3;
use sim_api::{BLOCK, Par};

use super::{
    Body, Meshes,
    body::Contact,
    near::{self, Near, nears},
    reach::{Bounds, CHUNK},
};
use crate::{normals::xyz, sim::Sim, state::Particle};

/// Fills `particle.contact.plane` and `particle.contact.plane_depth`; with no collider there is nothing to fill or to read. What is held
/// outside of a solve meets nothing in it: ends of strands, which have mass only there, lie in what holds them.
pub fn find(sim: &mut Sim) {
    if sim.state.collider.kind.is_empty() {
        return;
    }
    let meshes = Meshes::of(&sim.state);
    let state = &mut sim.state;
    let particle = &mut state.particle;
    let (x, previous) = (&*particle.position, &*particle.previous);
    let (planes, depths) = (&mut *particle.contact.plane, &mut *particle.contact.plane_depth);
    let nears = nears!(particle.contact);
    let collider = &state.collider;
    sim.par.rows2(planes, depths, |start, planes, depths| {
        depths.fill([0.0, -1.0]);
        let rows = start..start + depths.len();
        let (x, previous) = (&x[rows.clone()], &previous[rows]);
        let bounds: [Bounds; BLOCK / CHUNK] = Bounds::all(x, previous);
        for number in 0..collider.kind.len() {
            let Some(body) = Body::of(collider, &meshes, number) else { continue };
            for (first, bounds) in (0..x.len()).step_by(CHUNK).zip(&bounds) {
                if body.is_away(bounds) {
                    continue;
                }
                for i in first..x.len().min(first + CHUNK) {
                    let (at, from) = (xyz(x[i]), xyz(previous[i]));
                    if previous[i][3] != 0.0 && body.reaches(at, from) {
                        // SAFETY: each block has its own particles.
                        let near = unsafe { nears.of(start + i, number) };
                        keep(body.follow(at, from, Some(near)), number, at, &mut planes[i], &mut depths[i]);
                    }
                }
            }
        }
        depths.iter_mut().for_each(|depth| depth[0] = 0.0);
    });
}

/// Keeps what a particle meets of a body if it is the deepest so far; until the end the first number of `depth` is its depth.
/// Returns whether it had met nothing before.
#[inline]
pub(crate) fn deepest(
    body: &Body,
    collider: usize,
    [at, previous]: [Vec3; 2],
    near: Near,
    plane: &mut [f32; 4],
    depth: &mut [f32; 2],
) -> bool {
    let met = body.reaches(at, previous).then(|| body.follow(at, previous, Some(near)));
    keep(met.flatten(), collider, at, plane, depth)
}

#[inline]
fn keep(met: Option<Contact>, collider: usize, at: Vec3, plane: &mut [f32; 4], depth: &mut [f32; 2]) -> bool {
    let Some(met) = met.filter(|met| met.depth > depth[0]) else { return false };
    let new = depth[1] < 0.0;
    *plane = met.normal.extend(met.normal.dot(at + met.out)).to_array();
    *depth = [met.depth, collider as f32];
    new
}

/// The planes of a substep, see [`find`].
pub struct Planes<'a> {
    plane: &'a [[f32; 4]],
    depth: &'a mut [[f32; 2]],
    /// There is something to hold particles off.
    any: bool,
}

/// Those of the substep in hand; borrows nothing else of the particles.
#[doc(hidden)]
#[macro_export]
macro_rules! planes {
    ($state:expr) => {
        $crate::collide::plane::Planes::new(
            !$state.collider.kind.is_empty(),
            &*$state.particle.contact.plane,
            &mut *$state.particle.contact.plane_depth,
        )
    };
}
pub use planes;

impl<'a> Planes<'a> {
    pub fn new(any: bool, plane: &'a [[f32; 4]], depth: &'a mut [[f32; 2]]) -> Self {
        Self { plane, depth, any }
    }

    /// Brings particles back in front of their planes.
    pub fn hold(&mut self, par: &Par, position: &mut [[f32; 4]]) {
        if !self.any {
            return;
        }
        let plane = self.plane;
        par.rows2(position, self.depth, |start, position, depth| {
            for (i, (x, depth)) in (start..).zip(position.iter_mut().zip(depth)) {
                if depth[1] < 0.0 {
                    continue;
                }
                let [nx, ny, nz, level] = plane[i];
                let behind = level - (nx * x[0] + ny * x[1] + nz * x[2]);
                if behind > 0.0 {
                    *x = [x[0] + nx * behind, x[1] + ny * behind, x[2] + nz * behind, x[3]];
                    depth[0] += behind;
                }
            }
        });
    }
}

/// No particle has a plane, and nothing was pushed inside of a solve: for solvers that meet colliders after it.
pub fn none(particle: &mut Particle) {
    particle.contact.plane_depth.fill([0.0, -1.0]);
    particle.springs.touch_push.fill([0.0; 4]);
    near::forget(&mut particle.contact);
}
