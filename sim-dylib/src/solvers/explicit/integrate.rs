//! The integrators. Each turns the state at the start of a substep of h seconds into the one at its end; a = F/m.
//!
//! | scheme | | order | linear spring without damping |
//! |---|---|---|---|
//! | `symplectic_euler` | v += h a, x += h v | 1 | stable for h < 2/omega |
//! | `explicit_euler` | x += h v, v += h a | 1 | grows by 1 + (omega h)² a step (square of the amplitude) |
//! | `taylor2` | x += h v + h²/2 a, v += h a | 1 | grows by 1 + (omega h)²/2 |
//! | `velocity_verlet` | x += h v + h²/2 a, v += h/2 (a + a') | 2 | stable for h < 2/omega |
//! | `rk4` | classic Runge-Kutta | 4 | stable for h < 2.83/omega, loses a little |
//!
//! `velocity_verlet` evaluates a' at the new positions and, for forces that depend on velocity, at v + h a.

use glam::Vec4;

use super::springs;
use crate::{projection::Models, substep::Sim};

/// Names as in the parameter `integrator`.
pub(super) fn integrate(sim: &mut Sim, scheme: &str, cap: f32, models: Models) {
    springs::evaluate(sim, cap, models);
    sim.frame.stage("forces");
    match scheme {
        "explicit_euler" => advance(sim, |h, x, v, a| (x + v * h, v + a * h)),
        "taylor2" => advance(sim, |h, x, v, a| (x + v * h + a * (0.5 * h * h), v + a * h)),
        "velocity_verlet" => velocity_verlet(sim, cap, models),
        "rk4" => rk4(sim, cap, models),
        _ => advance(sim, |h, x, v, a| {
            let v = v + a * h;
            (x + v * h, v)
        }),
    }
    sim.frame.stage("integrate");
}

/// One evaluation, one move. `rule(h, x, v, a)` returns the new x and v; w of x is kept, that of v and a is 0.
fn advance(sim: &mut Sim, rule: impl Fn(f32, Vec4, Vec4, Vec4) -> (Vec4, Vec4) + Sync) {
    let (h, particle) = (sim.h, &mut sim.state.particle);
    let force = &*particle.force;
    let (x, v, previous) = (&mut *particle.position, &mut *particle.velocity, &mut *particle.previous);
    sim.par.rows3(x, v, previous, |start, x, v, previous| {
        for (i, ((x, v), previous)) in x.iter_mut().zip(v).zip(previous).enumerate() {
            *previous = *x;
            if x[3] > 0.0 {
                let a = Vec4::from_array(force[start + i]) * x[3];
                let (to, faster) = rule(h, Vec4::from_array(*x), Vec4::from_array(*v), a);
                (*x, *v) = (to.to_array(), faster.to_array());
            } else {
                *v = [0.0; 4];
            }
        }
    });
}

fn velocity_verlet(sim: &mut Sim, cap: f32, models: Models) {
    // Keeps v + h/2 a for the second half.
    let (h, particle) = (sim.h, &mut sim.state.particle);
    let (x, v, force) = (&*particle.position, &*particle.velocity, &*particle.force);
    sim.par.rows(particle.stage_velocity, |start, half| {
        for (i, half) in (start..).zip(half) {
            let a = Vec4::from_array(force[i]) * x[i][3];
            *half = (Vec4::from_array(v[i]) + a * (0.5 * h)).to_array();
        }
    });
    advance(sim, |h, x, v, a| (x + v * h + a * (0.5 * h * h), v + a * h));
    springs::evaluate(sim, cap, models);
    let particle = &mut sim.state.particle;
    let (x, force, half) = (&*particle.position, &*particle.force, &*particle.stage_velocity);
    sim.par.rows(particle.velocity, |start, v| {
        for (i, v) in (start..).zip(v).filter(|(i, _)| x[*i][3] > 0.0) {
            let a = Vec4::from_array(force[i]) * x[i][3];
            *v = (Vec4::from_array(half[i]) + a * (0.5 * h)).to_array();
        }
    });
}

/// Weights of the four slopes, and how far the next one is looked at.
const RK4: [(f32, f32); 4] = [(1.0 / 6.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 3.0, 1.0), (1.0 / 6.0, 0.0)];

/// `springs::evaluate` was called for the first slope.
fn rk4(sim: &mut Sim, cap: f32, models: Models) {
    let particle = &mut sim.state.particle;
    particle.previous.copy_from_slice(particle.position);
    particle.predicted.copy_from_slice(particle.velocity);
    particle.stage_velocity.fill([0.0; 4]);
    particle.stage_acceleration.fill([0.0; 4]);
    for (slope, (weight, ahead)) in RK4.into_iter().enumerate() {
        if slope > 0 {
            springs::evaluate(sim, cap, models);
        }
        look_ahead(sim, weight, ahead);
    }
    let (h, particle) = (sim.h, &mut sim.state.particle);
    let (from, speed) = (&*particle.previous, &*particle.predicted);
    let (slope_x, slope_v) = (&*particle.stage_velocity, &*particle.stage_acceleration);
    sim.par.rows2(particle.position, particle.velocity, |start, x, v| {
        for (i, (x, v)) in (start..).zip(x.iter_mut().zip(v)).filter(|(i, _)| from[*i][3] > 0.0) {
            *x = (Vec4::from_array(from[i]) + Vec4::from_array(slope_x[i]) * h).to_array();
            *v = (Vec4::from_array(speed[i]) + Vec4::from_array(slope_v[i]) * h).to_array();
        }
    });
}

/// Adds this slope's share and goes to where the next slope is looked at.
fn look_ahead(sim: &mut Sim, weight: f32, ahead: f32) {
    let (h, particle) = (ahead * sim.h, &mut sim.state.particle);
    let (from, speed, force) = (&*particle.previous, &*particle.predicted, &*particle.force);
    let (slope_x, slope_v) = (&mut *particle.stage_velocity, &mut *particle.stage_acceleration);
    let (x, v) = (&mut *particle.position, &mut *particle.velocity);
    sim.par.rows4(x, v, slope_x, slope_v, |start, x, v, slope_x, slope_v| {
        for (i, x) in x.iter_mut().enumerate().filter(|(_, x)| x[3] > 0.0) {
            let (here, velocity) = (start + i, Vec4::from_array(v[i]));
            let a = Vec4::from_array(force[here]) * x[3];
            slope_x[i] = (Vec4::from_array(slope_x[i]) + velocity * weight).to_array();
            slope_v[i] = (Vec4::from_array(slope_v[i]) + a * weight).to_array();
            *x = (Vec4::from_array(from[here]) + velocity * h).to_array();
            v[i] = (Vec4::from_array(speed[here]) + a * h).to_array();
        }
    });
}
