//! V18: a rod that is straight at rest, closed to a ring with a twist: it leaves its plane above 2 pi sqrt(3) B / C.
//!
//! Michell: On the stability of a bent and twisted wire, 1889; Goriely: Twisted Elastic Rings and the Rediscoveries of Michell's
//! Instability, 2006. B = E I, C = G J.

use std::f64::consts::TAU;

use glam::DVec3;
use weft_core::statistics::largest;

use super::{Miss, Trial, fixture::Fixture, fixtures};
use crate::expect::Bounds;

const AROUND: usize = 64;
const LENGTH: f64 = 0.3;
const YOUNG: f64 = 2e5;
/// Out of the plane at the start, twice around, by the radius.
const AMISS: f64 = 1e-3;

const NO_TWIST: &str = "it has no frames, so that a twist does nothing";
const OPEN: &str = "it has no row that closes a ring, and no twist";

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    trial.gives_up_or_is_plain()?;
    let unable = match trial.about.taken("segment") {
        None => Some(NO_TWIST),
        Some(_) if !trial.about.reads_compliance() => Some(OPEN),
        Some(_) => None,
    };
    let ratios = [(1.0, "1"), (2.0 / 3.0, "2/3"), (1.5, "3/2")];
    for (ratio, name) in if trial.quick { &ratios[..1] } else { &ratios } {
        let reading = |share: &str| {
            format!("a ring of C/B = {name}, {share} of its limit: out of its plane, by its radius")
        };
        let stable = farthest(trial, *ratio, 0.95)?;
        trial.judge(reading("0.95"), Bounds::at_most(2.0 * AMISS), stable, trial.known(&["stable", name]));
        let buckled = farthest(trial, *ratio, 1.05)?;
        let on_device = || trial.device.and_then(|_| trial.known(&["buckled on a device", name]));
        let known = unable.or_else(|| trial.known(&["buckled", name])).or_else(on_device);
        trial.judge(reading("1.05"), Bounds::at_least(20.0 * AMISS), buckled, known);
    }
    Ok(())
}

/// How far a ring that is twisted by this share of the limit comes out of its plane in five seconds, by its radius.
fn farthest(trial: &Trial, ratio: f64, share: f64) -> Result<f64, Miss> {
    let radius = LENGTH / TAU;
    let twist = share * (TAU * 3_f64.sqrt() / ratio).to_degrees();
    let text = format!(
        "root: Free, closed: true, twist: {twist}, length: {LENGTH}, particles: {AROUND},
         roots: Points(at: [(0, 0, 0)], direction: (0, 1, 0)),
         material: (young: {YOUNG}, shear: {}, radius: (1e-3, 1e-3), density: 1100)",
        YOUNG / 2.0 * ratio
    );
    let weightless = "gravity: (0, 0, 0), air_damping: 0.3";
    let mut fixture = fixtures::strands(trial.solver, weightless, &text).map_err(Miss::Failed)?.rods();
    for (i, row) in fixture.x_mut().iter_mut().enumerate() {
        row[1] += (AMISS * radius * (2.0 * TAU * i as f64 / AROUND as f64).cos()) as f32;
    }
    let mut fixture = trial.placed(fixture);
    let mut most = 0.0_f64;
    for _ in 0..15 {
        fixture.try_frames(20)?;
        most = largest([most, out_of_plane(&fixture) / radius]);
    }
    Ok(most)
}

/// The farthest that a particle is from the plane of the ring [m], however that lies.
fn out_of_plane(fixture: &Fixture) -> f64 {
    let x = fixture.places();
    let middle = x.iter().sum::<DVec3>() / x.len() as f64;
    let pairs = (0..x.len()).map(|i| (x[i] - middle).cross(x[(i + 1) % x.len()] - middle));
    let normal = pairs.sum::<DVec3>().normalize_or_zero();
    largest(x.iter().map(|x| (*x - middle).dot(normal).abs()))
}
