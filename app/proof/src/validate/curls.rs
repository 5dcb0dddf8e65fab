//! V26: curls of hair: how far a helix sinks under its weight, what it is as a spring, and what `sag_free` keeps of it.
//!
//! A wire of length L that is wound with radius R at an angle a to the level and hangs from one end gets longer under its weight w per
//! length by w L² R² / 2 (cos² a / (G J) + sin² a / (E I)), and by L R² (…) for each newton on its axis (Castigliano's theorem):
//! of flat coils of a wire of thickness d and n turns of diameter D by 8 D³ n / (G d⁴) (Wahl: Mechanical Springs, 1944).
//! Rest shapes that leave a pose at rest: Hsu et al.: Sag-Free Initialization for Strand-Based Hybrid Hair Simulation, 2023.

use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

use glam::DVec3;
use weft_core::statistics::largest;
use weft_scene::{Roots, obj::locks::Locks};

use super::{Miss, Trial, fixture::Fixture, fixtures, rods::SLACK};
use crate::expect::Bounds;

/// Of human hair: [Pa], [m], [kg/m3].
const YOUNG: f64 = 4e9;
const RADIUS: f64 = 4e-5;
const DENSITY: f64 = 1300.0;
/// Turns of a helix, and segments in each.
const TURNS: usize = 4;
const AROUND: usize = 24;
/// Points of the way that a segment's chord is taken from.
const FINER: usize = 16;
/// Particles of a helix: behind the stub, and one more than there are segments.
const PARTICLES: usize = TURNS * AROUND + 2;

const NO_FRAMES: &str =
    "it has no frames, so that nothing holds a joint that is bent at rest (`tests/topics/strand_bends.rs`)";

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    trial.gives_up_or_is_plain()?;
    let unable = match (trial.about.taken("segment").is_some(), trial.about.reads_compliance()) {
        (true, true) => None,
        (true, false) => Some(SLACK),
        (false, _) => Some(NO_FRAMES),
    };
    for (ratio, sinks) in if trial.quick { &SINKS[..1] } else { &SINKS } {
        let known = unable.or_else(|| trial.known(&["sinks"]));
        let measured = sunk(trial, Helix { radius: 0.004, degrees: 10.0, ratio: *ratio }, 1.962, 12.0)?;
        let reading = format!("a helix of four turns, E/G = {ratio}, gets longer under its weight by [mm]");
        trial.judge(reading, Bounds::within(*sinks, 0.02), measured, known);
    }
    let (measured, expected) = spring(trial)?;
    let known = unable.or_else(|| trial.known(&["spring"]));
    let reading = "a helix of four turns as a spring, for 8 D3 n / (G d4) [m/N]".to_string();
    trial.judge(reading, Bounds::within(expected, 0.02), measured, known);
    for (radius, sag) in if trial.quick { &SAGS[..1] } else { &SAGS } {
        let mm = radius * 1e3;
        let helix = Helix { radius: *radius, degrees: 15.0, ratio: 2.7 };
        let measured = sunk(trial, helix, 9.81, 6.0)?;
        let known = unable.or_else(|| trial.known(&["sags"]));
        let reading = format!("a curl of {mm} mm sags without sag_free by [mm]");
        trial.judge(reading, Bounds::near(*sag, 0.05 * sag), measured, known);
        let [radii, lengths] = combed(trial, helix)?;
        let known = unable.or_else(|| trial.known(&["combed"]));
        let reading = |what: &str| format!("a curl of {mm} mm with sag_free: {what} of a turn off by");
        trial.judge(reading("the radius"), Bounds::at_most(0.005), radii, known);
        trial.judge(reading("the length"), Bounds::at_most(0.005), lengths, known);
    }
    Ok(())
}

/// E / G, and how much longer [mm].
const SINKS: [(f64, f64); 2] = [(2.0, 0.1329), (2.7, 0.1780)];

/// Radius [m], and how far the tip sinks [mm] of 27 and 67 mm.
const SAGS: [(f64, f64); 2] = [(0.004, 0.9), (0.010, 31.0)];

#[derive(Clone, Copy)]
struct Helix {
    /// [m]
    radius: f64,
    /// Of its wire above the level.
    degrees: f64,
    /// E / G
    ratio: f64,
}

impl Helix {
    fn steepness(self) -> f64 {
        self.degrees.to_radians()
    }

    /// Of its wire [m].
    fn length(self) -> f64 {
        TURNS as f64 * TAU * self.radius / self.steepness().cos()
    }

    /// A point of the wire, from 0 at its upper end to 1.
    fn point(self, share: f64) -> DVec3 {
        let (sin, cos) = (share * TURNS as f64 * TAU).sin_cos();
        DVec3::new(self.radius * cos, -share * self.length() * self.steepness().sin(), self.radius * sin)
    }

    /// One that hangs from its upper end, and goes on straight to `way` behind it.
    fn hung(
        self,
        trial: &Trial,
        way: &[DVec3],
        world: &str,
        (parts, more): (usize, &str),
    ) -> Result<Fixture, Miss> {
        let shear = YOUNG / self.ratio;
        let list = format!(
            "length: 1, particles: {}, roots: Points(at: [(0, 0, 0)]),
             material: (young: {YOUNG}, shear: {shear}, radius: ({RADIUS}, {RADIUS}), density: {DENSITY}, {more})",
            parts + 2
        );
        let count = TURNS * AROUND * FINER;
        let wire = (0..=count).map(|i| self.point(i as f64 / count as f64)).chain(way.iter().copied());
        let locks = Locks::through(wire.map(|point| point.as_vec3().to_array()));
        let mut scene = fixtures::strands(trial.solver, world, &list)?.scene;
        scene.strands[0].roots = Roots::File {
            file: "helix".to_string(),
            scale: 1.0,
            rotation: [0.0; 3],
            at: [0.0; 3],
            every: 1,
            locks: Some(locks.map(Arc::new)),
        };
        Ok(trial.placed(Fixture::of(scene).set_if("strand_iterations", 4.0)))
    }

    fn alone(self, trial: &Trial, world: &str, more: &str) -> Result<Fixture, Miss> {
        self.hung(trial, &[], world, (PARTICLES - 2, more))
    }
}

/// How much lower a helix ends than it was made [mm].
fn sunk(trial: &Trial, helix: Helix, gravity: f64, damping: f64) -> Result<f64, Miss> {
    let world = format!("gravity: (0, -{gravity}, 0), air_damping: {damping}");
    let mut fixture = helix.alone(trial, &world, "")?;
    let before = fixture.places()[PARTICLES - 1].y;
    fixture.try_frames(if trial.quick { 150 } else { 360 })?;
    Ok((before - fixture.places()[PARTICLES - 1].y) * 1e3)
}

/// How much longer a helix of flat coils gets for a newton on its axis, which its wire is led to, and by Wahl's formula and that of the
/// piece to the axis, a cantilever of length R [m/N].
fn spring(trial: &Trial) -> Result<(f64, f64), Miss> {
    const GRAVITY: f64 = 0.0981;
    const MASS: f64 = 7e-6;
    let helix = Helix { radius: 0.004, degrees: 3.0, ratio: 2.7 };
    let end = helix.point(1.0);
    let axis = DVec3::new(0.0, end.y, 0.0);
    // As many segments on the piece to the axis as it is long by those of the helix.
    let parts = TURNS * AROUND + (helix.radius / helix.length() * (TURNS * AROUND) as f64).round() as usize;
    let lower = |mass: f64| -> Result<f64, Miss> {
        let world = format!("gravity: (0, -{GRAVITY}, 0), air_damping: 12");
        let mut fixture = helix.hung(trial, &[axis], &world, (parts, &format!("tip_mass: {mass}")))?;
        fixture.try_frames(if trial.quick { 150 } else { 360 })?;
        Ok(fixture.places()[parts + 1].y)
    };
    let softness = (lower(0.0)? - lower(MASS)?) / (MASS * GRAVITY);
    let bend = YOUNG * PI * RADIUS.powi(4) / 4.0;
    let [thick, wide] = [2.0 * RADIUS, 2.0 * helix.radius];
    let wahl = 8.0 * wide.powi(3) * TURNS as f64 / (YOUNG / helix.ratio * thick.powi(4));
    Ok((softness, wahl + helix.radius.powi(3) / (3.0 * bend)))
}

/// The most that the radius and the length of a turn change by in ten seconds, of a curl that hangs as it was combed.
fn combed(trial: &Trial, helix: Helix) -> Result<[f64; 2], Miss> {
    let mut fixture = helix.alone(trial, "air_damping: 1", "sag_free: 1")?;
    let before = turns(&fixture.places());
    fixture.try_frames(if trial.quick { 120 } else { 600 })?;
    let off = |of: usize| {
        let pairs = before.iter().zip(turns(&fixture.places()));
        largest(pairs.map(|(then, now)| (now[of] / then[of] - 1.0).abs()))
    };
    Ok([off(0), off(1)])
}

/// Radius and length along the axis of each turn [m].
fn turns(x: &[DVec3]) -> Vec<[f64; 2]> {
    let turn = |n: usize| {
        let own = &x[1 + n * AROUND..=1 + (n + 1) * AROUND];
        let middle = own[..AROUND].iter().sum::<DVec3>() / AROUND as f64;
        let out = own[..AROUND].iter().map(|x| (*x - middle).with_y(0.0).length()).sum::<f64>();
        [out / AROUND as f64, own[0].y - own[AROUND].y]
    };
    (0..TURNS).map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much longer a helix gets for each newton on its axis [m/N].
    fn softness(helix: Helix) -> f64 {
        let bend = YOUNG * PI * RADIUS.powi(4) / 4.0;
        let twist = 2.0 * bend / helix.ratio;
        let (sin, cos) = helix.steepness().sin_cos();
        helix.length() * helix.radius.powi(2) * (cos * cos / twist + sin * sin / bend)
    }

    #[test]
    fn the_closed_forms_are_the_numbers() {
        for (ratio, sinks) in SINKS {
            let helix = Helix { radius: 0.004, degrees: 10.0, ratio };
            let weight = DENSITY * PI * RADIUS * RADIUS * 1.962;
            // Half of the weight acts, as on any rod that hangs.
            let expected = 0.5 * weight * helix.length() * softness(helix) * 1e3;
            assert!((expected - sinks).abs() < 1e-4, "{expected} for {sinks}");
        }
        // Flat coils.
        let helix = Helix { radius: 0.004, degrees: 0.0, ratio: 2.7 };
        let wahl = 8.0 * 0.008_f64.powi(3) * TURNS as f64 / (YOUNG / 2.7 * (2.0 * RADIUS).powi(4));
        assert!((softness(helix) / wahl - 1.0).abs() < 1e-12, "{} for {wahl}", softness(helix));
    }

    #[test]
    fn turns_of_a_helix_are_its_own() {
        let helix = Helix { radius: 0.01, degrees: 15.0, ratio: 2.0 };
        let x: Vec<DVec3> =
            (0..PARTICLES).map(|i| helix.point((i as f64 - 1.0) / (PARTICLES - 2) as f64)).collect();
        let pitch = TAU * 0.01 * helix.steepness().tan();
        assert!(turns(&x).iter().all(|[r, l]| (r - 0.01).abs() < 1e-12 && (l - pitch).abs() < 1e-12));
    }
}
