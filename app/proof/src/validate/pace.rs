//! V27: pace and decay of a hanging chain by the length of the step.
//!
//! Implicit Euler turns a frequency omega into omega' = atan(omega h) / h and makes amplitudes smaller by exp(-decay t), decay =
//! log(1 + omega² h²) / (2 h): the eigenvalues 1 / (1 ± i omega h) of its step. Following the leader is no integrator of a chain that
//! hangs: what it is off by is a table of its own (Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur, 2012, give what
//! a particle is moved back to the velocity of the one before it, times a share).

use std::f64::consts::TAU;

use super::{
    Miss, Trial,
    fixture::{Fixture, vector},
    fixtures, swings,
};
use crate::expect::Bounds;

const LINKS: usize = 32;
const LENGTH: f64 = 0.3;
const GRAVITY: f64 = 9.81;
/// Of the tip at the start, by the length.
const ASIDE: f64 = 0.02;

/// Of J0, to which the lowest mode of a hanging chain belongs.
const FIRST_ZERO: f64 = 2.404_826;
/// Steps a second.
const RATES: [u32; 3] = [60, 240, 600];

/// How much longer a period is [%], and the decay [1/s].
type Led = (f64, f64);

/// What following the leader makes of the chain: the share that is given back, and the numbers of each of [`RATES`]. 32 links of 30 cm,
/// twelve seconds in double precision; with nothing given back it shivers rather than swings, and there is no decay to tell.
const LED: [(f64, [Led; 3]); 3] = [
    (1.0, [(47.00, 2.849), (3.85, 1.105), (1.20, 0.458)]),
    (0.9, [(21.89, 3.073), (-8.89, 1.106), (-11.04, 0.466)]),
    (0.0, [(-75.41, f64::NAN), (-90.11, f64::NAN), (-95.47, f64::NAN)]),
];

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    if trial.about.param("correction").is_some() {
        return led(trial);
    }
    let omega = omega();
    for rate in if trial.quick { &RATES[1..2] } else { &RATES } {
        let h = 1.0 / f64::from(*rate);
        let (period, decay) = swing(trial, *rate, None)?;
        let step = format!("1/{rate} s");
        let known = trial.known(&["pace", &step]);
        let reading = |what: &str| format!("a hanging chain by steps of {step}: {what}");
        let right = TAU * h / (omega * h).atan();
        trial.judge(reading("period [s]"), Bounds::within(right, 0.01), period, known);
        let right = (omega * h).powi(2).ln_1p() / (2.0 * h);
        let known = trial.known(&["decay", &step]);
        trial.judge(reading("decay [1/s]"), Bounds::within(right, 0.03), decay, known);
    }
    Ok(())
}

/// The table of what follows its leader, and that without anything given back it is wrong at any step.
fn led(trial: &mut Trial) -> Result<(), Miss> {
    let own = TAU / omega();
    for (correction, numbers) in LED {
        for (rate, (longer, decay)) in RATES.into_iter().zip(numbers) {
            let (period, measured) = swing(trial, rate, Some(correction))?;
            let reading = |what: &str| {
                format!("a chain that follows its leader, {correction} given back, 1/{rate} s: {what}")
            };
            let off = 100.0 * (period / own - 1.0);
            trial.expect(reading("its period is longer by [%]"), Bounds::near(longer, 1.5), off);
            if correction > 0.0 {
                trial.expect(reading("decay [1/s]"), Bounds::within(decay, 0.05), measured);
            }
        }
    }
    Ok(())
}

/// Of the lowest mode of 32 links, of which the last particle has half of a mass [rad/s], by halving: a link pulls with what hangs
/// below it.
fn omega() -> f64 {
    let (link, mass) = (LENGTH / LINKS as f64, |i: usize| if i == LINKS { 0.5 } else { 1.0 });
    let pull = |i: usize| GRAVITY * (i..=LINKS).map(mass).sum::<f64>() / link;
    // The lowest particle of a chain that swings at another pace is not free.
    let end = |square: f64| {
        let (mut above, mut here) = (0.0, 1.0);
        for i in 1..LINKS {
            let below = here + (pull(i) * (here - above) - mass(i) * square * here) / pull(i + 1);
            (above, here) = (here, below);
        }
        pull(LINKS) * (here - above) - mass(LINKS) * square * here
    };
    let (mut low, mut high) = (0.0, 1.5 * (GRAVITY / LENGTH).sqrt() * 1.2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if end(middle * middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// Period [s] and decay [1/s] of a chain that starts in its lowest mode, a step a frame.
fn swing(trial: &Trial, rate: u32, correction: Option<f64>) -> Result<(f64, f64), Miss> {
    let text = format!(
        "length: {LENGTH}, particles: {}, root: Pinned, roots: Points(at: [(0, 0, 0)], direction: (0, -1, 0)),
         material: (young: 4e9, shear: 2e9, radius: (2e-6, 2e-6), density: 1320)",
        LINKS + 1
    );
    let world = format!("gravity: (0, -{GRAVITY}, 0), air_damping: 0");
    let mut fixture = fixtures::strands(trial.solver, &world, &text)?.rods().cut(1);
    if let Some(correction) = correction {
        fixture = fixture.set("correction", correction as f32);
    }
    fixture.scene.step = 1.0 / rate as f32;
    aside(&mut fixture);
    let mut fixture = trial.placed(fixture);
    // What follows its leader takes next to no time, and swings the slower, the longer one looks.
    let steps = rate as usize * if trial.quick && correction.is_none() { 6 } else { 12 };
    let mut x = Vec::with_capacity(steps);
    for _ in 0..steps {
        fixture.try_frames(1)?;
        x.push(vector(fixture.x()[LINKS]).x);
    }
    Ok(pace(&x, 1.0 / f64::from(rate)))
}

/// Moves each particle into the mode, its links as long as they were.
fn aside(fixture: &mut Fixture) {
    let link = LENGTH / LINKS as f64;
    let (mut before, mut depth) = (ASIDE * LENGTH * swings::mode(FIRST_ZERO, 0.0), 0.0);
    for (i, row) in fixture.x_mut().iter_mut().enumerate().skip(1) {
        let x = ASIDE * LENGTH * swings::mode(FIRST_ZERO, i as f64 / LINKS as f64);
        depth -= (link * link - (x - before) * (x - before)).sqrt();
        (row[0], row[1], before) = (x as f32, depth as f32, x);
    }
}

/// Period [s] by the upward passes through the middle, and decay [1/s] by the highest points between them. NaN of what does not swing.
fn pace(x: &[f64], step: f64) -> (f64, f64) {
    let pass = |(i, pair): (usize, &[f64])| {
        (pair[0] < 0.0 && pair[1] >= 0.0).then(|| i as f64 + pair[0] / (pair[0] - pair[1]))
    };
    let passes: Vec<f64> = x.windows(2).enumerate().filter_map(pass).collect();
    let [first, .., last] = passes[..] else { return (f64::NAN, f64::NAN) };
    let period = (last - first) / (passes.len() - 1) as f64 * step;
    let peaks: Vec<f64> = passes
        .windows(2)
        .map(|pair| x[pair[0].ceil() as usize..=pair[1] as usize].iter().fold(0.0, |a: f64, b| a.max(*b)))
        .collect();
    let [highest, .., lowest] = peaks[..] else { return (period, f64::NAN) };
    (period, (highest / lowest).ln() / ((peaks.len() - 1) as f64 * period))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_near_bernoullis_and_its_mode_ends_at_its_root() {
        let ratio = omega() / (GRAVITY / LENGTH).sqrt();
        assert!((ratio - 1.2020653).abs() < 1e-5, "{ratio}");
        assert!(
            swings::mode(FIRST_ZERO, 0.0).abs() < 1e-6 && (swings::mode(FIRST_ZERO, 1.0) - 1.0).abs() < 1e-12
        );
    }

    #[test]
    fn pace_and_decay_of_a_swing_are_its_own() {
        let step = 1.0 / 600.0;
        let swing = |i: usize| {
            let t = i as f64 * step;
            (-0.45 * t).exp() * (7.0 * t).cos()
        };
        let (period, decay) = pace(&(0..3600).map(swing).collect::<Vec<_>>(), step);
        assert!(
            (period * 7.0 / TAU - 1.0).abs() < 1e-3 && (decay / 0.45 - 1.0).abs() < 1e-2,
            "{period} {decay}"
        );
        assert!(pace(&[1.0; 100], step).0.is_nan());
    }
}
