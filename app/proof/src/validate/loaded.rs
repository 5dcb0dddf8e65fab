//! V22: strands under a weight at their tip, curls that are combed at rest, and what follows its leader.
//!
//! Closed forms: Bisshopp, Drucker: Large Deflection of Cantilever Beams, 1945, for a light cantilever of length L under a load P;
//! Bernoulli's hanging chain, 1.20241 sqrt(g / L). Rest shapes that leave a pose at rest: Hsu et al.: Sag-Free Initialization for
//! Strand-Based Hybrid Hair Simulation, 2023.

use std::f64::consts::{FRAC_PI_4, TAU};

use weft_core::statistics::largest;

use super::{
    Miss, Trial,
    fixture::{Fixture, vector},
    fixtures,
    rods::SLACK,
};
use crate::expect::Bounds;

/// P L² / (E I), drop and shortening by the length.
const ELASTICA: [[f64; 3]; 4] =
    [[2.0, 0.49346, 0.16064], [1.0, 0.30172, 0.05643], [5.0, 0.71379, 0.38763], [10.0, 0.81061, 0.55500]];

/// Of the chain [m].
const CHAIN: f64 = 0.3;
const LINKS: usize = 32;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let slack = (!trial.about.reads_compliance()).then_some(SLACK);
    for [load, drop, shortening] in if trial.quick { &ELASTICA[..1] } else { &ELASTICA } {
        let [down, back] = weighted(trial, *load)?;
        let known = slack.or_else(|| trial.known(&["weight"]));
        let reading = |what: &str| format!("light cantilever, P L2 / (E I) = {load}: {what} by its length");
        // Its own weight adds up to 0.2 % of the drop.
        trial.judge(reading("drop"), Bounds::within(*drop, 0.005), down, known);
        trial.judge(reading("shortening"), Bounds::within(*shortening, 0.006), back, known);
    }
    let off = combed(trial)?;
    let known = slack.or_else(|| trial.known(&["curls"]));
    let reading = "curls with sag_free: half and whole turns off their length by".to_string();
    trial.judge(reading, Bounds::at_most(0.005), off, known);
    if trial.about.param("correction").is_some() {
        led(trial)?;
    }
    Ok(())
}

fn strands(trial: &Trial, world: &str, text: &str) -> Result<Fixture, Miss> {
    Ok(fixtures::strands(trial.solver, world, text)?)
}

/// Drop and shortening of a light cantilever under a weight at its tip, by its length.
fn weighted(trial: &Trial, load: f64) -> Result<[f64; 2], Miss> {
    const LENGTH: f64 = 0.05;
    const YOUNG: f64 = 4e9;
    const RADIUS: f64 = 4e-4;
    let mass = load * YOUNG * FRAC_PI_4 * RADIUS.powi(4) / (LENGTH * LENGTH) / 9.81;
    let text = format!(
        "length: {LENGTH}, particles: 34, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)),
         material: (young: {YOUNG}, radius: ({RADIUS}, {RADIUS}), density: 400, tip_mass: {mass})"
    );
    let fixture = strands(trial, "air_damping: 12", &text)?.rods().set_if("strand_iterations", 4.0);
    let fixture =
        if fixture.has("strand_iterations") { fixture.cut(40).set("stiffest", 1e5) } else { fixture };
    let mut fixture = trial.placed(fixture);
    fixture.try_frames(150)?;
    let way = vector(fixture.x()[33]) - vector(fixture.x()[1]);
    Ok([-way.y / LENGTH, 1.0 - way.x / LENGTH])
}

/// The most that the chord of half a turn or of a whole one changes by in ten seconds, of curls of 4 mm that hang as they were combed.
fn combed(trial: &Trial) -> Result<f64, Miss> {
    const CURL: f64 = 0.004;
    const PITCH: f64 = 0.012;
    const TURN: usize = 24;
    // As many segments as are five turns.
    let length = 5.0 * (TAU * CURL).hypot(PITCH);
    let text = format!(
        "length: {length}, particles: {}, roots: Points(at: [(0, 1, 0)], direction: (0.3, -1, 0)),
         shape: Curl(radius: {CURL}, pitch: {PITCH}, from: 0.1), material: (sag_free: 1.0)",
        5 * TURN + 2
    );
    let mut fixture =
        trial.placed(strands(trial, "air_damping: 1", &text)?.rods().set_if("strand_iterations", 4.0));
    let chords = |fixture: &Fixture| -> Vec<f64> {
        let x = fixture.places();
        // Behind the straight part at the root.
        let of = |turn: usize| (TURN..x.len() - turn).map(move |i| (i, turn));
        of(TURN / 2).chain(of(TURN)).map(|(i, turn)| x[i].distance(x[i + turn])).collect()
    };
    let before = chords(&fixture);
    fixture.try_frames(if trial.quick { 120 } else { 600 })?;
    let off = chords(&fixture).into_iter().zip(before).map(|(now, then)| (now / then - 1.0).abs());
    Ok(largest(off))
}

/// What one pass from the root to the tip leaves of lengths, and how fast a chain swings to which nothing is given back.
fn led(trial: &mut Trial) -> Result<(), Miss> {
    let text = format!(
        "length: {CHAIN}, particles: {}, root: Pinned, roots: Points(at: [(0, 0, 0)], direction: (1, 0.3, 0.2))",
        LINKS + 1
    );
    let mut fixture = trial.placed(strands(trial, "air_damping: 0", &text)?);
    let mut worst = 0.0_f64;
    for _ in 0..60 {
        fixture.try_frames(1)?;
        let links = fixture.x().windows(2).map(|pair| vector(pair[0]).distance(vector(pair[1])));
        worst = largest(links.map(|link| (link / CHAIN * LINKS as f64 - 1.0).abs()).chain([worst]));
    }
    let reading = "lengths after one pass, off by".to_string();
    // A place is rounded by 3e-8 m, of a link of 9 mm.
    trial.expect(reading, Bounds::at_most(1e-5), worst);
    let theory = TAU / (1.20241 * (9.81 / CHAIN).sqrt());
    let reading = "swing of a chain to which no velocity is given back: its period is off by a fault of the method, at least".to_string();
    let period = swing(trial, 64)?;
    trial.expect(reading, Bounds::at_least(0.3), (period / theory - 1.0).abs());
    Ok(())
}

/// Time of a swing of a chain that begins aslant, without correction [s], by its tip's passes through the middle.
fn swing(trial: &Trial, substeps: u32) -> Result<f64, Miss> {
    let text = format!(
        "length: {CHAIN}, particles: {}, root: Pinned, roots: Points(at: [(0, 0, 0)], direction: (0.05, -1, 0))",
        LINKS + 1
    );
    let mut fixture =
        trial.placed(strands(trial, "air_damping: 0", &text)?.cut(substeps).set("correction", 0.0));
    let (mut passes, mut before) = (Vec::new(), 1.0);
    for frame in 0..600 {
        fixture.try_frames(1)?;
        let now = vector(fixture.x()[LINKS]).x;
        if before * now < 0.0 {
            passes.push((f64::from(frame) + before / (before - now)) / 60.0);
        }
        before = now;
    }
    Ok(match passes[..] {
        [first, .., last] => 2.0 * (last - first) / (passes.len() - 1) as f64,
        _ => f64::INFINITY,
    })
}
