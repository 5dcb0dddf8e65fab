//! V24: short steps are truer steps: at 100 substeps a pendulum and a hanging chain of rigid constraints swing as in the books,
//! although gravity moves a particle by two roundings of its position only in each.

use std::f64::consts::TAU;

use weft_core::statistics::largest;

use super::{Miss, Trial, fixture::Fixture, fixtures};
use crate::expect::Bounds;

const SUBSTEPS: u32 = 100;
const FRAMES: usize = 600;
const G: f64 = 9.81;
/// Iterations of solvers whose own leave the chain too slow.
const SWEEPS: u32 = 50;
const OWN: &str = "its own iterations";

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    pendulum(trial)?;
    chain(trial, None)?;
    // More sweeps mend what their own number leaves: single precision does not end what they can.
    if trial.known(&["chain", OWN]).is_some() && !trial.quick {
        chain(trial, Some(SWEEPS))?;
    }
    Ok(())
}

/// The turning points of a swing [as `at`], and when it passes through its middle [frames].
fn swings(
    trial: &Trial,
    mut fixture: Fixture,
    at: impl Fn(&Fixture) -> f64,
) -> Result<(Vec<f64>, Vec<f64>), Miss> {
    fixture.scene.gravity = [0.0, -G as f32, 0.0];
    let mut fixture = trial.placed(fixture.cut(SUBSTEPS));
    let (mut turns, mut passes, mut most, mut last) = (Vec::new(), Vec::new(), 0.0, 0.0);
    for frame in 0..FRAMES {
        fixture.try_frames(1)?;
        let now = at(&fixture);
        if now * last < 0.0 {
            turns.push(most);
            passes.push(frame as f64 + last / (last - now));
            most = 0.0;
        }
        (most, last) = (largest([most, now.abs()]), now);
    }
    Ok((turns, passes))
}

/// Of 1 m and 1 kg, let go at 90 degrees: where it turns after eight half swings.
fn pendulum(trial: &mut Trial) -> Result<(), Miss> {
    let ends = [([0.0; 3], 0.0), ([1.0, 0.0, 0.0], 1.0)];
    let angle = |fixture: &Fixture| {
        let [x, y, ..] = fixture.x()[1].map(f64::from);
        x.atan2(-y).to_degrees()
    };
    let fixture = fixtures::springs(trial.solver, &ends, &[(0, 1, 1.0, 0.0)]);
    let (turns, _) = swings(trial, fixture, angle)?;
    let reading = "eighth turn of a rigid pendulum [degrees], h = 1/6000 s".to_string();
    // Implicit Euler itself comes back to 88.5 degrees after eight swings.
    let last = turns.get(7).copied().unwrap_or(f64::NAN);
    trial.judge(reading, Bounds::between(87.8, 90.3), last, trial.known(&["pendulum"]));
    Ok(())
}

/// Links and length of the chain [m], and how far its end is off at the start [m].
const LINKS: usize = 20;
const LENGTH: f64 = 1.0;
const AWAY: f64 = 0.02;
const MASS: f64 = 0.01;

/// How far the lowest mode of a hanging chain goes, J0(zero sqrt(1 - s)), s from its upper end; `zero`: the first of J0.
pub(super) fn mode(zero: f64, s: f64) -> f64 {
    let quarter = -zero.powi(2) * (1.0 - s) / 4.0;
    let term = |(term, sum): (f64, f64), k: i32| {
        let next = term * quarter / f64::from(k * k);
        (next, sum + next)
    };
    (1..20).fold((1.0, 1.0), term).1
}

/// Period of the lowest mode of the chain of point masses [s]: the frequency at which the lowest one is free, by halving.
fn period() -> f64 {
    let pull = |i: usize| MASS * G * (LINKS + 1 - i) as f64 / (LENGTH / LINKS as f64);
    let end = |square: f64| {
        let (mut above, mut here) = (0.0, 1.0);
        for i in 1..LINKS {
            let below = here + (pull(i) * (here - above) - MASS * square * here) / pull(i + 1);
            (above, here) = (here, below);
        }
        pull(LINKS) * (here - above) - MASS * square * here
    };
    let (mut low, mut high) = (0.0, 30.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if end(middle) > 0.0 { low = middle } else { high = middle }
    }
    TAU / low.sqrt()
}

/// A chain that starts in its lowest mode; with the solver's own iterations or with `sweeps` of them.
fn chain(trial: &mut Trial, sweeps: Option<u32>) -> Result<(), Miss> {
    let step = LENGTH / LINKS as f64;
    let place = |i: usize| {
        ([AWAY * mode(2.4048, i as f64 * step), -(i as f64) * step, 0.0], if i == 0 { 0.0 } else { MASS })
    };
    let ends: Vec<_> = (0..=LINKS).map(place).map(|(x, mass)| (x.map(|x| x as f32), mass as f32)).collect();
    let rest = |i: usize| {
        let [a, b] = [place(i).0, place(i + 1).0];
        (a[0] - b[0]).hypot(a[1] - b[1]) as f32
    };
    let rows: Vec<_> = (0..LINKS).map(|i| (i as u32, i as u32 + 1, rest(i), 0.0)).collect();
    let fixture = fixtures::springs(trial.solver, &ends, &rows);
    let fixture = sweeps.into_iter().fold(fixture, Fixture::sweeps);
    let (turns, passes) = swings(trial, fixture, |fixture| f64::from(fixture.x()[LINKS][0]))?;
    let period = match passes[..] {
        [first, .., last] => 2.0 * (last - first) / (passes.len() - 1) as f64 / 60.0,
        _ => f64::NAN,
    };
    let by = sweeps.map_or_else(String::new, |sweeps| format!(", {sweeps} iterations"));
    let reading = format!("period of a hanging chain by the right one, h = 1/6000 s{by}");
    let known = trial.known(&["chain", if sweeps.is_none() { OWN } else { &by }]);
    trial.judge(reading, Bounds::near(1.0, 0.015), period / self::period(), known);
    let reading = format!("swing of a hanging chain that is left after ten seconds, h = 1/6000 s{by}");
    let left = turns.last().copied().unwrap_or(f64::NAN) / AWAY;
    trial.expect(reading, Bounds::between(0.85, 1.06), left);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_of_points_is_near_bernoullis() {
        let expected = TAU / (2.4048 / 2.0 * G.sqrt());
        assert!((period() - expected).abs() < 0.05 * expected, "{}", period());
    }
}
