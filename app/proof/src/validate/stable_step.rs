//! V1: the largest stable step of the explicit integrators.
//!
//! On a lattice of particles of mass m with 12 springs of stiffness k at each, a wave of wave numbers (p, q) has, in the
//! plane and at rest, the dynamical matrix of its six directions d: sum of 2 k (1 - cos(d . (p, q))) d dᵀ. Its largest
//! eigenvalue over all waves is 10.125 k (8 springs: 8 k), so omega_max = sqrt(10.125 k/m), and
//! - `symplectic_euler` and `velocity_verlet` are stable below 2/omega_max, `rk4` below 2 sqrt(2)/omega_max;
//! - `explicit_euler` changes the square of an amplitude by 1 - c h + omega² h² a step (air damping c), `taylor2` by
//!   1 - c h + omega² h²/2: without damping they are never stable.

use std::f64::consts::SQRT_2;

use weft_core::statistics::largest;

use super::{Miss, Trial, fixture::Fixture, fixtures, random::Random};
use crate::expect::Bounds;

/// [N/m], with particles of 1 kg, 1 m apart.
const STIFFNESS: f64 = 1e4;
/// Air damping c of the integrators that need one [1/s].
const DAMPING: f64 = 0.5;
const TOLERANCE: f64 = 0.02;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let omega = (10.125 * STIFFNESS).sqrt();
    for (value, name) in trial.variants("integrator") {
        let reading = format!("largest stable step on 12 springs [ms], {name}");
        match name {
            "symplectic_euler" | "velocity_verlet" => {
                let step = largest_step(trial, value, 2.0 / omega)?;
                trial.expect(reading, Bounds::within(2e3 / omega, TOLERANCE), step * 1e3);
            }
            "rk4" => {
                let step = largest_step(trial, value, 2.0 * SQRT_2 / omega)?;
                trial.expect(reading, Bounds::within(2e3 * SQRT_2 / omega, TOLERANCE), step * 1e3);
            }
            "explicit_euler" | "taylor2" => {
                // Share of omega² h² in the growth of the square.
                let share = if name == "taylor2" { 0.5 } else { 1.0 };
                let damped = DAMPING / (share * omega * omega);
                let step = balanced_step(trial, value, omega, damped)?;
                let why = "it gains energy at any step; what air damping makes up for is microseconds";
                trial.judge(reading, Bounds::within(2e3 / omega, TOLERANCE), step * 1e3, Some(why));
                let reading = format!("step that air damping of 0.5/s makes up for [us], {name}");
                trial.expect(reading, Bounds::within(damped * 1e6, TOLERANCE), step * 1e6);
                let h = 1e-4;
                let growth = (1.0 - DAMPING * h + share * (omega * h).powi(2)).powf(0.5 / h);
                let measured = growth_rate(trial, value, omega, h, 1.0)?.exp();
                let reading = format!("growth of an amplitude in 1 s of 0.1 ms steps, {name}");
                trial.expect(reading, Bounds::within(growth, TOLERANCE), measured);
            }
            _ => return Err(format!("the integrator {name} has no closed form here yet").into()),
        }
    }
    Ok(())
}

/// Largest step [s] at which a lattice with noise stays together for two seconds, by bisection around `guess`.
fn largest_step(trial: &Trial, integrator: f32, guess: f64) -> Result<f64, Miss> {
    let (mut low, mut high) = (0.9 * guess, 1.1 * guess);
    if !stays(trial, integrator, low) || stays(trial, integrator, high) {
        return Err(format!("stable and unstable steps do not lie around {guess} s").into());
    }
    for _ in 0..7 {
        let middle = 0.5 * (low + high);
        if stays(trial, integrator, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Whether a lattice of 24 x 24 that was disturbed by 0.1 mm is still near its rest after 2 s.
fn stays(trial: &Trial, integrator: f32, step: f64) -> bool {
    const NOISE: f32 = 1e-4;
    let scene = fixtures::weightless(trial.solver, 2, 2, "").scene;
    let mut fixture = Fixture::from_tables(scene, fixtures::lattice(24, (1.0 / STIFFNESS) as f32));
    fixture.scene.step = step as f32;
    let mut fixture = fixture.cut(1).uncapped().set("integrator", integrator);
    let rest = fixture.x().to_vec();
    let mut random = Random(11);
    fixture.x_mut().iter_mut().for_each(|x| (0..3).for_each(|i| x[i] += NOISE * random.signed()));
    let mut fixture = trial.placed(fixture);
    let far = |fixture: &Fixture| {
        let apart =
            fixture.x().iter().zip(&rest).flat_map(|(x, rest)| [0, 1, 2].map(|i| (x[i] - rest[i]).abs()));
        largest(apart)
    };
    let near = |fixture: &Fixture| far(fixture) <= 1000.0 * f64::from(NOISE);
    for _ in 0..10 {
        // What is flung far apart may be finite by chance; NaN is a failed step.
        if fixture.try_frames((0.2 / step).ceil() as usize).is_err() || !near(&fixture) {
            return false;
        }
    }
    true
}

/// The step [s] at which an oscillator of `omega` with air damping neither grows nor shrinks: where the rates of growth
/// at steps a little below and above `guess` cross zero.
fn balanced_step(trial: &Trial, integrator: f32, omega: f64, guess: f64) -> Result<f64, Miss> {
    let secs = if trial.quick { 0.25 } else { 1.0 };
    let (below, above) = (0.8 * guess, 1.2 * guess);
    let shrinks = growth_rate(trial, integrator, omega, below, secs)?;
    let grows = growth_rate(trial, integrator, omega, above, secs)?;
    if shrinks > 0.0 || grows < 0.0 {
        return Err(
            format!("rates {shrinks} and {grows} 1/s around a step of {guess} s have the same sign").into()
        );
    }
    Ok(below - shrinks * (above - below) / (grows - shrinks))
}

/// Rate [1/s] at which the amplitude of a 1 kg oscillator of `omega` grows with steps of `h` s, over about `secs`.
fn growth_rate(trial: &Trial, integrator: f32, omega: f64, h: f64, secs: f64) -> Result<f64, Miss> {
    /// Substeps a frame.
    const MANY: u32 = 500;
    // At rest at the origin: a position of 1 m would round away the h²/2 a of microseconds.
    let ends = [([-1.0, 0.0, 0.0], 0.0), ([0.002, 0.0, 0.0], 1.0)];
    let mut fixture = fixtures::springs(trial.solver, &ends, &[(0, 1, 1.0, (omega * omega).recip() as f32)]);
    fixture.scene.step = (h * f64::from(MANY)) as f32;
    fixture.scene.air_damping = DAMPING as f32;
    let mut fixture = trial.placed(fixture.cut(MANY).uncapped().set("integrator", integrator));
    let amplitude =
        |fixture: &Fixture| f64::from(fixture.x()[1][0]).hypot(f64::from(fixture.v()[1][0]) / omega);
    let (start, frames) = (amplitude(&fixture), (secs / (h * f64::from(MANY))).round().max(1.0));
    fixture.try_frames(frames as usize)?;
    Ok((amplitude(&fixture) / start).ln() / (frames * h * f64::from(MANY)))
}
