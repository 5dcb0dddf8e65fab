//! Colliders inside an implicit step, as two more energies of each particle (`constraints/contact.rs`):
//!
//! ```text
//! wall       k/2 depth² for every collider the particle is in                    k = `contact` m
//! friction   Huber's function of the slip since the substep began, in the deepest of them
//! ```
//! Without them a stretched cloth over a ball finds its shortest way into the ball, is pushed out again after the step, and
//! is as stretched as before, held there by the friction of its own depth.
//!
//! The depth is asked for wherever the energy is, so what comes in while the step is solved is seen, and what leaves is
//! let go. Friction lags ([`look`]): normal, limit mu N and whether the particle sticks are those of the last look. It
//! sticks while slip <= mu depth, the rule of `collide::contact`, for both springs have the same stiffness.
//!
//! What the springs leave, 1/(1 + `contact` h²) of what inertia brings, `collide::contact` takes back after the step with
//! the same friction: together they are the impulses of the whole depth, and nothing ends inside. The shorter the step,
//! the less is left for the springs: a stiffness of so many m/h² would have depths below the rounding of positions
//! (measured at 100 m/h² and h = 1/600 s: 6 % too much friction at 3 m).
//!
//! Rejected: to hold what touches before the solve along its tangent plane (Baraff and Witkin 1998, section 5). What
//! comes in within the step is not seen, what is held slips off round surfaces, and the cloth falls through a ball.

mod springs;

use glam::Vec4;
use sim_api::Par;

use super::{Step, times_block};
use crate::{
    collide::{self, Meshes},
    normals::xyz,
};
use springs::{Springs, bodies, springs};

/// Takes particles from where inertia leads to where they would be if nothing but contact acted on each: out of the
/// collider but for what the springs leave, with the slip that friction leaves. The solver starts there: what it is
/// to find would be small beside what every particle can find by itself, and be lost in its tolerance.
pub fn meet(step: &mut Step) {
    if step.contact == 0.0 {
        return;
    }
    let (share, meshes) = (step.contact / (1.0 + step.contact), Meshes::of(step.state));
    let (par, particle) = (step.par, &mut step.state.particle);
    let (previous, factor) = (&*particle.previous, particle.friction);
    for body in bodies(&step.state.collider, meshes) {
        par.rows(particle.position, |start, position| {
            for (i, x) in (start..).zip(position).filter(|(i, _)| previous[*i][3] > 0.0) {
                let from = xyz(*x);
                if let Some(at) = body.push(from, xyz(previous[i]), factor[i]) {
                    *x = (from + (at - from) * share).extend(x[3]).to_array();
                }
            }
        });
    }
}

/// Finds the deepest contact of each particle at the present positions: fills `particle.springs.touch`, `particle.springs.touch_way`.
/// Returns whether there is any.
pub fn look(step: &mut Step) -> bool {
    step.frozen = false;
    if step.contact == 0.0 {
        return false;
    }
    let (per_mass, meshes) = (step.contact / (step.h * step.h), Meshes::of(step.state));
    let (par, particle) = (step.par, &mut step.state.particle);
    let (x, previous, mass) = (&*particle.position, &*particle.previous, particle.mass);
    let factor = particle.friction;
    let (touch, touch_way) = (&mut *particle.springs.touch, &mut *particle.springs.touch_way);
    par.rows2(touch, touch_way, |_, touch, way| {
        touch.fill([0.0; 4]);
        way.fill([0.0; 4]);
    });
    for body in bodies(&step.state.collider, meshes) {
        par.rows2(touch, touch_way, |start, touch, touch_way| {
            let rows = (start..).zip(touch.iter_mut().zip(touch_way)).filter(|(i, _)| previous[*i][3] > 0.0);
            for (i, (touch, touch_way)) in rows {
                let at = xyz(x[i]);
                let Some((depth, normal)) = body.inside(at) else { continue };
                if depth <= touch_way[3] {
                    continue;
                }
                let way = body.way(at + normal * depth);
                let moved = at - xyz(previous[i]) - way;
                let slip = (moved - normal * moved.dot(normal)).length();
                let [hold, slide] = body.friction;
                let mu = factor[i] * if slip <= hold * factor[i] * depth { hold } else { slide };
                *touch = normal.extend(mu * mass[i] * per_mass * depth).to_array();
                *touch_way = way.extend(depth).to_array();
            }
        });
    }
    let touch_way = &*touch_way;
    par.sum(touch_way.len(), |rows| rows.filter(|&i| touch_way[i][3] > 0.0).count() as f64) > 0.0
}

/// Bodies with a mass are to feel what the springs of contact did: fills `particle.springs.touch_push` at the end of a solve, before
/// another [`look`].
pub fn tell(step: &mut Step) {
    if step.contact == 0.0 || !collide::has_bodies(&step.state.collider) {
        return;
    }
    step.state.particle.springs.touch_push.fill([0.0; 4]);
    if !step.frozen {
        springs!(step).add_forces(step.state.particle.springs.touch_push);
    } else if step.touching {
        let particle = &mut step.state.particle;
        let (x, from, force) = (&*particle.position, &*particle.previous, &*particle.correction);
        let (d, off) = (&*particle.springs.touch_diagonal, &*particle.springs.touch_off_diagonal);
        for (i, push) in particle.springs.touch_push.iter_mut().enumerate() {
            let way = (Vec4::from_array(x[i]) - Vec4::from_array(from[i])).to_array();
            let linear = Vec4::from_array(force[i]) - times_block(d[i], off[i], way).extend(0.0);
            *push = linear.to_array();
        }
    }
    let (h2, mass) = (step.h * step.h, step.state.particle.mass);
    let (collider, meshes) = (&step.state.collider, Meshes::of(step.state));
    let x = &*step.state.particle.position;
    step.par.rows(step.state.particle.springs.touch_push, |start, push| {
        for (i, push) in (start..).zip(push).filter(|(_, push)| **push != [0.0; 4]) {
            // The linear springs may have taken it off again: the nearest one did.
            let (mut nearest, mut owner) = (f32::INFINITY, 0);
            for (index, body) in bodies(collider, meshes).enumerate() {
                let gap = body.gap(xyz(x[i]));
                if gap < nearest {
                    (nearest, owner) = (gap, index);
                }
            }
            *push = (Vec4::from_array(*push) * (h2 / mass[i])).with_w(owner as f32).to_array();
        }
    });
}

/// Energy of contact at the present positions [J].
pub fn energy(step: &Step) -> f64 {
    if step.contact == 0.0 { 0.0 } else { springs!(step).energy() }
}

/// Makes the forces of contact linear from here on, until the next [`look`]: for a solver that takes one linear step from
/// elsewhere. `particle.correction` has what they would be at the substep's start [N].
pub fn freeze(step: &mut Step) {
    linearise(step);
    step.frozen = true;
    if !step.touching {
        return;
    }
    let force = &mut *step.state.particle.correction;
    force.fill([0.0; 4]);
    springs!(step).add_forces(force);
    let particle = &mut step.state.particle;
    let (x, from) = (&*particle.position, &*particle.previous);
    let (d, off) = (&*particle.springs.touch_diagonal, &*particle.springs.touch_off_diagonal);
    step.par.rows(particle.correction, |start, force| {
        for (i, f) in (start..).zip(force) {
            let way = (Vec4::from_array(x[i]) - Vec4::from_array(from[i])).to_array();
            *f = (Vec4::from_array(*f) + times_block(d[i], off[i], way).extend(0.0)).to_array();
        }
    });
}

/// Adds the forces of contact to `particle.implicit.residual` [N].
pub fn add_forces(step: &mut Step) {
    if step.contact == 0.0 {
        return;
    }
    if !step.frozen {
        springs!(step).add_forces(step.state.particle.implicit.residual);
        return;
    }
    if step.touching {
        let particle = &mut step.state.particle;
        let (x, from, force) = (&*particle.position, &*particle.previous, &*particle.correction);
        let (d, off) = (&*particle.springs.touch_diagonal, &*particle.springs.touch_off_diagonal);
        step.par.rows(particle.implicit.residual, |start, residual| {
            for (i, r) in (start..).zip(residual) {
                let way = (Vec4::from_array(x[i]) - Vec4::from_array(from[i])).to_array();
                let linear = Vec4::from_array(force[i]) - times_block(d[i], off[i], way).extend(0.0);
                *r = (Vec4::from_array(*r) + linear).to_array();
            }
        });
    }
}

/// Fills `particle.springs.touch_diagonal` and `particle.springs.touch_off_diagonal` at the present positions.
fn linearise(step: &mut Step) {
    let seen = step.contact > 0.0;
    step.touching = seen
        && springs!(step).blocks(
            step.state.particle.springs.touch_diagonal,
            step.state.particle.springs.touch_off_diagonal,
        );
}

/// Adds the blocks of contact at the present positions, or as frozen, to those of the particles.
pub fn add_blocks(step: &mut Step) {
    if !step.frozen {
        linearise(step);
    }
    if step.touching {
        let particle = &mut step.state.particle;
        add(&step.par, particle.implicit.diagonal, particle.springs.touch_diagonal);
        add(&step.par, particle.implicit.off_diagonal, particle.springs.touch_off_diagonal);
    }
}

fn add(par: &Par, to: &mut [[f32; 4]], from: &[[f32; 4]]) {
    par.rows(to, |start, to| {
        for (to, from) in to.iter_mut().zip(&from[start..]) {
            *to = (Vec4::from_array(*to) + Vec4::from_array(*from)).to_array();
        }
    });
}

/// Adds the linearised contact times `particle.implicit.search` to `particle.implicit.image` [N].
pub fn add_product(step: &mut Step) {
    if !step.touching {
        return;
    }
    let particle = &mut step.state.particle;
    let (p, d, off) = (
        &*particle.implicit.search,
        &*particle.springs.touch_diagonal,
        &*particle.springs.touch_off_diagonal,
    );
    step.par.rows(particle.implicit.image, |start, image| {
        for (i, q) in (start..).zip(image) {
            *q = (Vec4::from_array(*q) + times_block(d[i], off[i], p[i]).extend(0.0)).to_array();
        }
    });
}
