//! The driver of a step: what every position-based solver shares, written once.
//!
//! ```text
//! normals and air, for the wind
//! repeat `substeps` times, h = dt / substeps:
//!   colliders  go to the end of the substep              (collide.rs)
//!   predict    v += h a;  previous = x;  inertial = x += h v     (gravity, wind, air damping)
//!   holds      what the hand holds moves on, and roots of strands go with the cloth that they are on (strands/roots.rs)
//!   solve      the solver changes x, and roots pull at their cloth
//!   contact    x leaves the colliders, friction acts      (collide.rs), then other cloth (self_collision.rs)
//!   velocity   v += (x - inertial) / h, restitution
//!   settle     strands that follow a leader have their lengths once more (strands/leader.rs)
//!   damping    internal, on the velocities
//! ```
//! Where nothing lies between the velocities of a substep and the prediction of the next (no colliders, no cloth that meets
//! cloth, no damping), both are one pass over the particles ([`turn`]), with the same bits.
//!
//! The velocity pass is v = (x - previous) / h as every paper has it, but for round-off: x is stored in steps of ulp(x),
//! so the difference of two positions knows a velocity only to ulp(x)/h (0.007 m/s at 100 m and h = 1/1000 s), always
//! rounded the same way for the same gravity. What no constraint moves keeps its predicted velocity to the last bit.
//!
//! Macklin et al.: Small Steps in Physics Simulation, 2019, is why substeps come before iterations.

mod columns;

use glam::{Vec3, Vec4};
use sim_api::{Mapped, ParamDesc};

pub use crate::sim::{Positions, Sim, Solver};
use crate::{
    collide, damping, forces, normals, self_collision,
    strands::{self, roots},
};
pub use columns::Turn;

/// Parameter of all solvers that use [`run`].
pub const SUBSTEPS: ParamDesc = ParamDesc::count(
    "substeps",
    [1, 10, 500],
    "Steps a frame is cut into. More substeps: stiffer, less damped, more expensive.",
);

/// Cuts the frame into `substeps` and calls `body` for each, the colliders at its end.
#[inline(always)]
pub fn repeat(sim: &mut Sim, substeps: usize, mut body: impl FnMut(&mut Sim)) {
    each(sim, substeps, &mut body);
}

fn each(sim: &mut Sim, substeps: usize, body: &mut dyn FnMut(&mut Sim)) {
    sim.h = sim.frame.dt / substeps as f32;
    let collides = !sim.state.collider.kind.is_empty();
    if collides {
        collide::plane::none(&mut sim.state.particle);
    }
    for substep in 0..substeps {
        sim.time = sim.frame.time + substep as f32 * sim.h;
        sim.span = [substep as f32, (substep + 1) as f32].mapped(|s| s / substeps as f32);
        if collides {
            collide::advance(sim);
        }
        body(sim);
    }
}

/// The whole step around a position-based `solve`.
#[inline(always)]
pub fn run(sim: &mut Sim, mut solve: impl FnMut(&mut Sim)) {
    let damped = damping::any(&sim.par, &sim.state.distance);
    forget_forces(sim);
    steps(sim, damped, false, &mut solve, [&mut self_collision::contact, &mut |_| ()]);
}

/// [`run`] for a solver that writes the forces of all distance rows afterwards, and leaves positions in columns where it finds
/// them there ([`Sim::positions`]), if it only pulls at the ends of rows in strides.
#[inline(always)]
pub fn run_in_columns(sim: &mut Sim, pulls: bool, mut solve: impl FnMut(&mut Sim)) {
    let damped = damping::any(&sim.par, &sim.state.distance);
    steps(sim, damped, pulls, &mut solve, [&mut self_collision::contact, &mut |_| ()]);
}

/// [`run`] for a solver that damps the springs itself.
#[inline(always)]
pub fn run_undamped(sim: &mut Sim, mut solve: impl FnMut(&mut Sim)) {
    forget_forces(sim);
    steps(sim, false, false, &mut solve, [&mut self_collision::contact, &mut |_| ()]);
}

/// [`run`] for a solver with something to do around the contact of cloth and strands with each other: `touch` does that.
#[inline(always)]
pub fn run_around(sim: &mut Sim, mut solve: impl FnMut(&mut Sim), mut touch: impl FnMut(&mut Sim)) {
    let damped = damping::any(&sim.par, &sim.state.distance);
    forget_forces(sim);
    steps(sim, damped, false, &mut solve, [&mut touch, &mut |_| ()]);
}

/// [`run`] for a solver that moves particles once more after contact, unless nothing moved them since it did.
#[inline(always)]
pub fn run_settled(sim: &mut Sim, mut solve: impl FnMut(&mut Sim), mut settle: impl FnMut(&mut Sim)) {
    let damped = damping::any(&sim.par, &sim.state.distance);
    forget_forces(sim);
    steps(sim, damped, false, &mut solve, [&mut self_collision::contact, &mut settle]);
}

/// A solver that writes no forces must not leave those of another.
fn forget_forces(sim: &mut Sim) {
    sim.par.fill(sim.state.distance.force, 0.0);
}

/// Not generic: an edit of one solver's closure would compile the loops here anew, for all of them.
fn steps(
    sim: &mut Sim,
    damped: bool,
    pulls: bool,
    solve: &mut dyn FnMut(&mut Sim),
    [touch, settle]: [&mut dyn FnMut(&mut Sim); 2],
) {
    update_wind(sim);
    let substeps = sim.count(&SUBSTEPS);
    let turns = sim.state.collider.kind.is_empty() && self_collision::off(sim) && !damped;
    // The way into columns and back is one turn's worth.
    let still = sim.frame.holds().is_empty() && sim.state.root.strand.is_empty();
    let stays = pulls && turns && still && substeps > 3;
    let (mut predicted, mut left) = (false, substeps);
    repeat(sim, substeps, |sim| {
        if stays && left == substeps {
            columns::enter(sim);
        } else if !predicted {
            predict(sim);
        }
        left -= 1;
        move_holds(sim);
        roots::hold(sim);
        sim.frame.stage("predict");
        solve(sim);
        roots::pull(sim);
        sim.frame.stage("solve");
        if !sim.state.collider.kind.is_empty() {
            collide::contact(sim);
        }
        sim.frame.stage("contact");
        touch(sim);
        predicted = turns && !sim.in_last_substep();
        if predicted {
            assert!(!sim.turn_is_due, "a solver that finds positions in columns begins with `Turn::take`");
            sim.turn_is_due = sim.positions == Positions::Columns;
            if !sim.turn_is_due {
                turn(sim);
            } else if left == 1 {
                columns::leave(sim);
            }
            sim.frame.stage("turn");
            return;
        }
        if sim.positions == Positions::Both {
            columns::velocities(sim);
        } else {
            velocities_from_positions(sim);
        }
        if !sim.state.collider.kind.is_empty() {
            collide::restitution(sim);
            collide::react(sim);
        }
        settle(sim);
        if damped {
            damping::springs(&sim.par, &mut sim.state.particle, &sim.state.distance, sim.h);
        }
        sim.frame.stage("velocity");
    });
}

/// Normals, areas and the air around the particles, once a step; only wind needs them.
pub fn update_wind(sim: &mut Sim) {
    let wind = &sim.frame.world.wind;
    if wind.coefficient > 0.0 {
        normals::update(&mut sim.state.particle, &sim.state.triangle);
        forces::update_air(&sim.par, &mut sim.state.particle, wind, sim.time);
        let around = (&sim.state.segment, &sim.state.strand_grid);
        strands::face_the_wind(&sim.par, &mut sim.state.particle, &sim.state.strand, around);
    }
    sim.frame.stage("wind");
}

fn predict(sim: &mut Sim) {
    let (push, h) = (forces::Push::new(&sim.frame.world, sim.h), sim.h);
    let particle = &mut sim.state.particle;
    let (normal, air) = (&*particle.normal, &*particle.air);
    let (x, v) = (&mut *particle.position, &mut *particle.velocity);
    let (previous, inertial) = (&mut *particle.previous, &mut *particle.inertial);
    sim.par.rows4(x, v, previous, inertial, |start, x, v, previous, inertial| {
        let (normal, air) = (&normal[start..start + x.len()], &air[start..start + x.len()]);
        let rows = x.iter_mut().zip(v).zip(previous.iter_mut().zip(inertial));
        for (i, ((x, v), (previous, inertial))) in rows.enumerate() {
            *previous = *x;
            if x[3] > 0.0 {
                let (normal, air) = (Vec4::from_array(normal[i]), Vec4::from_array(air[i]));
                let moved = push.advance(x[3], Vec4::from_array(*v), normal, air);
                *v = moved.to_array();
                *x = (Vec4::from_array(*x) + moved * h).to_array();
            }
            *inertial = *x;
        }
    });
}

/// Held particles go along their way of this frame.
pub fn move_holds(sim: &mut Sim) {
    for hold in sim.frame.holds() {
        let at = Vec3::from(hold.begin).lerp(Vec3::from(hold.end), sim.span[1]);
        let particle = &mut sim.state.particle;
        if let Some(x) = particle.position.get_mut(hold.particle as usize) {
            *x = [at.x, at.y, at.z, x[3]];
            particle.inertial[hold.particle as usize] = *x;
        }
    }
}

/// [`velocities_from_positions`] of a substep and [`predict`] of the next.
fn turn(sim: &mut Sim) {
    let (push, h, per_second) = (forces::Push::new(&sim.frame.world, sim.h), sim.h, 1.0 / sim.h);
    let particle = &mut sim.state.particle;
    let (normal, air) = (&*particle.normal, &*particle.air);
    let (x, v, before) = (&mut *particle.position, &mut *particle.velocity, &mut *particle.predicted);
    let (previous, inertial) = (&mut *particle.previous, &mut *particle.inertial);
    sim.par.rows5(x, v, before, previous, inertial, |start, x, v, before, previous, inertial| {
        let (normal, air) = (&normal[start..start + x.len()], &air[start..start + x.len()]);
        let rows = x.iter_mut().zip(v).zip(before).zip(previous.iter_mut().zip(inertial));
        for (i, (((x, v), before), (previous, inertial))) in rows.enumerate() {
            let (here, old) = (Vec4::from_array(*x), Vec4::from_array(*v));
            *before = *v;
            if x[3] > 0.0 {
                let moved = old + (here - Vec4::from_array(*inertial)) * per_second;
                let (normal, air) = (Vec4::from_array(normal[i]), Vec4::from_array(air[i]));
                let moved = push.advance(x[3], moved, normal, air);
                *v = moved.to_array();
                *previous = here.to_array();
                *x = (here + moved * h).to_array();
            } else {
                *v = ((here - Vec4::from_array(*previous)) * per_second).to_array();
                *previous = *x;
            }
            *inertial = *x;
        }
    });
}

fn velocities_from_positions(sim: &mut Sim) {
    let per_second = 1.0 / sim.h;
    let particle = &mut sim.state.particle;
    let (x, previous, inertial) = (&*particle.position, &*particle.previous, &*particle.inertial);
    // The predicted velocity is kept for the restitution of this substep.
    sim.par.rows2(particle.velocity, particle.predicted, |start, v, predicted| {
        let rows = start..start + v.len();
        let (x, previous, inertial) = (&x[rows.clone()], &previous[rows.clone()], &inertial[rows]);
        for (i, (v, predicted)) in v.iter_mut().zip(predicted).enumerate() {
            *predicted = *v;
            let here = Vec4::from_array(x[i]);
            // w, the inverse mass, is the same in all: it comes out as 0.
            let moved = if x[i][3] > 0.0 {
                Vec4::from_array(*v) + (here - Vec4::from_array(inertial[i])) * per_second
            } else {
                // What is held goes the way of the hand, and what is pinned none.
                (here - Vec4::from_array(previous[i])) * per_second
            };
            *v = moved.to_array();
        }
    });
}
