//! V16: strands with frames: how a hair hangs, swings and springs, with the constants of hair.
//!
//! Closed forms: Bisshopp, Drucker: Large Deflection of Cantilever Beams, 1945, and its heavy form; Euler and Bernoulli's first mode
//! 3.51602 sqrt(E I / (mu L⁴)) / (2 pi); Bernoulli's hanging chain 1.20241 sqrt(g / L), and his catenary; Castigliano's unit
//! load. Implicit Euler turns a frequency omega into atan(omega h) / h.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::{
    Miss, Trial, closed_form,
    fixture::{Fixture, vector},
    fixtures,
};
use crate::expect::Bounds;

/// Of human hair: [Pa], [m], [kg/m3].
const YOUNG: f64 = 4e9;
const RADIUS: f64 = 4e-5;
const DENSITY: f64 = 1320.0;
const LENGTH: f64 = 0.05;
const GRAVITY: f64 = 9.81;

pub(super) const SLACK: &str = "it does not bend: nothing but lengths is kept";

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let slack = (!trial.about.reads_compliance()).then_some(SLACK);
    for (g, chord) in [(1.0, 7.100), (10.0, 46.851), (50.0, 74.898)] {
        let reading = format!("chord of a heavy hair, w L3 / (E I) = {g} [degrees]");
        let measured = hanging(trial, g)?;
        let heavy = if g > 1.0 { &["weight", "heavy"][..] } else { &["weight"] };
        let known = slack.or_else(|| trial.known(heavy));
        trial.judge(reading, Bounds::within(chord, 0.3 / chord), measured, known);
    }
    let (measured, expected) = clamped_swing(trial, slack.is_some())?;
    let known = slack.or_else(|| trial.known(&["weight", "swing"]));
    let reading = "first mode of a clamped hair [Hz]".to_string();
    trial.judge(reading, Bounds::within(expected, 0.01), measured, known);
    let (measured, expected) = spring(trial)?;
    let reading = "a curl of four turns sinks under its weight by [mm]".to_string();
    let known = slack.or_else(|| trial.known(&["weight", "heavy"]));
    trial.judge(reading, Bounds::within(expected * 1e3, 0.02), measured * 1e3, known);
    let (measured, expected) = chain(trial)?;
    // What follow the leader is off by goes with the step.
    let bounds = Bounds::within(expected, if slack.is_none() { 0.01 } else { 0.02 });
    let known = trial.known(&["chain"]);
    trial.judge("small swing of a hanging chain [Hz]".to_string(), bounds, measured, known);
    let sag = catenary(trial)?;
    let known = trial.known(&["catenary"]);
    let reading = "sag of a catenary of 64 links, 1.25 times as long as wide, by its width".to_string();
    trial.judge(reading, Bounds::within(closed_form::catenary(WIDER).sag, 0.005), sag, known);
    Ok(())
}

/// Mass per length [kg/m], and E I [N m2] of the hair.
fn section(radius: f64) -> (f64, f64) {
    (DENSITY * PI * radius * radius, YOUNG * PI * radius.powi(4) / 4.0)
}

/// A strand alone, under its own numbers.
fn strand(trial: &Trial, gravity: f64, damping: f64, text: &str) -> Result<Fixture, Miss> {
    let world = format!("gravity: (0, -{gravity}, 0), air_damping: {damping}");
    Ok(trial.placed(fixtures::strands(trial.solver, &world, text)?.rods()))
}

fn material(radius: f64, shear: f64) -> String {
    format!("material: (young: {YOUNG}, shear: {shear}, radius: ({radius}, {radius}), density: {DENSITY})")
}

/// Angle of the chord of a level, clamped hair below x [degrees], at rest.
fn hanging(trial: &Trial, g: f64) -> Result<f64, Miss> {
    let (mass, bend) = section(RADIUS);
    let gravity = g * bend / (mass * LENGTH.powi(3));
    let text = format!(
        "length: {LENGTH}, particles: 34, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)), {}",
        material(RADIUS, YOUNG / 2.0)
    );
    let mut fixture = strand(trial, gravity, 12.0, &text)?;
    fixture.try_frames(150)?;
    let x = fixture.x();
    let way = vector(x[33]) - vector(x[1]);
    Ok((-way.y).atan2(way.x).to_degrees())
}

/// Length of the catenary by its width.
const WIDER: f64 = 1.25;

/// How far a strand that is held at both ends, and hardly bends, hangs below them at rest, by how far they are apart.
fn catenary(trial: &Trial) -> Result<f64, Miss> {
    const LINKS: usize = 64;
    // It starts as an arc over its ends: half of the angle x has x / sin x = 1.25.
    let (mut low, mut high) = (0.1, PI);
    for _ in 0..60 {
        let middle: f64 = 0.5 * (low + high);
        if middle / middle.sin() < WIDER { low = middle } else { high = middle }
    }
    let text = format!(
        "length: 0.5, particles: {}, root: Pinned, tip: Pinned, seat: Collider(\"wall\"), tip_seat: Collider(\"wall\"),
         roots: Points(at: [(0, -10, 0)], direction: ({}, {}, 0)), shape: Arc(angle: {}), {}",
        LINKS + 1,
        low.cos(),
        -low.sin(),
        -2.0 * low.to_degrees(),
        material(2e-6, YOUNG / 2.0)
    );
    let world = format!(
        "gravity: (0, -{GRAVITY}, 0), air_damping: 4, colliders: [(id: \"wall\", shape: Sphere(radius: 0.1), at: (0, 10, 0))]"
    );
    let mut fixture = trial.placed(fixtures::strands(trial.solver, &world, &text)?.rods());
    fixture.try_frames(if trial.quick { 180 } else { 360 })?;
    let x = fixture.x();
    let [first, last] = [x[0], x[LINKS]].map(vector);
    Ok((0.5 * (first.y + last.y) - vector(x[LINKS / 2]).y) / first.distance(last))
}

/// Frequency of a clamped hair under a hundredth of its weight, and what it should be [Hz]. One that does not bend swings as a chain,
/// which takes longer to see.
fn clamped_swing(trial: &Trial, slack: bool) -> Result<(f64, f64), Miss> {
    const STEP: f64 = 1.0 / 1920.0;
    let (mass, bend) = section(RADIUS);
    let text = format!(
        "length: {LENGTH}, particles: 34, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)), {}",
        material(RADIUS, YOUNG / 2.0)
    );
    let mut fixture = strand(trial, 0.01 * GRAVITY, 0.0, &text)?.cut(1);
    fixture.scene.step = STEP as f32;
    // What is limp swings slowly.
    let seconds = match slack {
        true => 12.0,
        false if trial.quick && trial.known(&["weight", "swing"]).is_none() => 0.5,
        false => 1.5,
    };
    let measured = frequency(&mut fixture, (seconds / STEP) as usize, STEP, |x| vector(x[33]).y)?;
    let omega = 3.51602 * (bend / (mass * LENGTH.powi(4))).sqrt();
    Ok((measured, (omega * STEP).atan() / STEP / TAU))
}

/// Frequency of a pinned strand that hardly bends, in the first mode of a hanging chain, and what it should be [Hz].
fn chain(trial: &Trial) -> Result<(f64, f64), Miss> {
    const STEP: f64 = 1.0 / 960.0;
    const CHAIN: f64 = 0.3;
    const ASIDE: f64 = 0.003;
    // First zero of J0.
    const ZERO: f64 = 2.404_826;
    let text = format!(
        "length: {CHAIN}, particles: 33, root: Pinned, roots: Points(at: [(0, 0, 0)], direction: (0, -1, 0)), {}",
        material(2e-6, YOUNG / 2.0)
    );
    let mut fixture = strand(trial, GRAVITY, 0.0, &text)?.cut(1).set_if("correction", 1.0);
    fixture.scene.step = STEP as f32;
    for (i, row) in fixture.x_mut().iter_mut().enumerate() {
        row[0] = (ASIDE * bessel(ZERO * (1.0 - i as f64 / 32.0).sqrt())) as f32;
    }
    let seconds = if trial.quick { 3.0 } else { 10.0 };
    let measured = frequency(&mut fixture, (seconds / STEP) as usize, STEP, |x| vector(x[32]).x)?;
    let omega = ZERO / 2.0 * (GRAVITY / CHAIN).sqrt();
    Ok((measured, (omega * STEP).atan() / STEP / TAU))
}

/// J0
fn bessel(x: f64) -> f64 {
    let term = |sum: (f64, f64), k: i32| {
        let next = -sum.1 * (0.5 * x / f64::from(k)).powi(2);
        (sum.0 + next, next)
    };
    (1..20).fold((1.0, 1.0), term).0
}

/// Times a second that a number swings about the middle of its way.
fn frequency(
    fixture: &mut Fixture,
    steps: usize,
    step: f64,
    read: impl Fn(&[[f32; 4]]) -> f64,
) -> Result<f64, Miss> {
    let mut values = Vec::with_capacity(steps);
    for _ in 0..steps {
        fixture.try_frames(1)?;
        values.push(read(fixture.x()));
    }
    let middle = values.iter().sum::<f64>() / values.len() as f64;
    // The mean over whole swings: of what lies between the first and the last upward crossing.
    let crossings = |middle: f64| -> Vec<f64> {
        let pairs = values.windows(2).enumerate().filter(|(_, pair)| pair[0] < middle && pair[1] >= middle);
        pairs.map(|(i, pair)| i as f64 + (middle - pair[0]) / (pair[1] - pair[0])).collect()
    };
    let rough = crossings(middle);
    let (Some(first), Some(last)) = (rough.first(), rough.last()) else { return Ok(f64::NAN) };
    let whole = &values[*first as usize..=*last as usize];
    let exact = crossings(whole.iter().sum::<f64>() / whole.len() as f64);
    match (exact.first(), exact.last()) {
        (Some(first), Some(last)) if exact.len() > 1 => {
            Ok((exact.len() - 1) as f64 / ((last - first) * step))
        }
        _ => Ok(f64::NAN),
    }
}

/// How much lower the tip of a curl hangs than it was made, and by the unit-load method [m].
fn spring(trial: &Trial) -> Result<(f64, f64), Miss> {
    const CURL: f64 = 0.004;
    const TURNS: f64 = 4.0;
    const LIGHT: f64 = 1.962;
    let (steepness, shear) = (10_f64.to_radians(), YOUNG / 2.7);
    let pitch = TAU * CURL * steepness.tan();
    let length = TURNS * TAU * CURL / steepness.cos();
    let text = format!(
        "length: {length}, particles: 98, roots: Points(at: [(0, 0, 0)], direction: (0, -1, 0)),
         shape: Curl(radius: {CURL}, pitch: {pitch}), {}",
        material(RADIUS, shear)
    );
    let mut fixture = strand(trial, LIGHT, 12.0, &text)?;
    let x = fixture.places();
    let mass: Vec<f64> = fixture.mass().iter().map(|mass| f64::from(*mass)).collect();
    fixture.try_frames(if trial.quick { 120 } else { 240 })?;
    let tip = x.len() - 1;
    let lower = x[tip].y - vector(fixture.x()[tip]).y;
    let (_, bend) = section(RADIUS);
    let twist = shear * PI * RADIUS.powi(4) / 2.0;
    // Each joint turns by the torque of the weights behind it, and a unit load on the tip says how far that takes the tip.
    let joint = |i: usize| {
        let at = |j: usize, load: f64| (x[j] - x[i]).cross(DVec3::NEG_Y * load);
        let torque: DVec3 = (i + 1..=tip).map(|j| at(j, mass[j] * LIGHT)).sum();
        let (unit, along) = (at(tip, 1.0), (x[i + 1] - x[i - 1]).normalize());
        let twisted = torque.dot(along) * unit.dot(along);
        // The clamp's joint has half the length.
        let length = x[i + 1].distance(x[i]) * if i == 1 { 0.5 } else { 1.0 };
        length * ((torque.dot(unit) - twisted) / bend + twisted / twist)
    };
    Ok((lower, (1..tip).map(joint).sum()))
}
