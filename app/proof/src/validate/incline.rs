//! V15: Coulomb's law on an incline, for four particles and for cloth as a preset makes it, and the height of a bounce, in
//! closed form.

use glam::DVec3;
use weft_core::statistics::largest;

use super::{
    Miss, Trial,
    fixture::{Fixture, vector},
};
use crate::expect::Bounds;

/// What slides: its name in a row, particles along a side, and its material. The stiffer its rows, the more the solver has to
/// do beside the friction.
const CLOTHS: [(&str, u32, &str); 3] = [
    ("", 2, "compliance: (structural: 1.0, shear: 1.0, bend: 1.0)"),
    (", cotton", 7, "preset: \"cotton\""),
    (", rigid threads", 7, "density: 0.2, compliance: (structural: 0.0, shear: 1e-5, bend: 1e-3)"),
];

/// Distance that the plane keeps [m].
const THICKNESS: f32 = 0.004;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let all = [0.5_f32, 0.2, 0.8];
    for cloth in &CLOTHS {
        let name = cloth.0;
        for &mu in if trial.quick { &all[..1] } else { &all } {
            let way = slide(trial, cloth, mu, 0.98 * mu, 120)?;
            let slip = largest(way.iter().map(|(x, _)| x.abs()));
            let reading = format!("slip in 2 s at tan = 0.98 mu, mu {mu}{name} [m]");
            trial.judge(reading, Bounds::at_most(1e-3), slip, trial.known(&["slip", name]));
        }
        let all = [(0.3_f32, 0.45_f32), (0.2, 1.0), (0.0, 0.5)];
        for &(mu, tan) in if trial.quick { &all[..1] } else { &all } {
            let way = slide(trial, cloth, mu, tan, 90)?;
            let angle = f64::from(tan).atan();
            let expected = 9.81 * (angle.sin() - f64::from(mu) * angle.cos());
            let reading = format!("acceleration down a slope of tan {tan} [m/s2], mu {mu}{name}");
            // Over a second, half a second after the start.
            let gained = way[89].1 - way[29].1;
            trial.judge(reading, Bounds::within(expected, 0.01), gained, trial.known(&["slide", name]));
        }
    }
    let all = [0.8_f32, 0.5];
    for &restitution in if trial.quick { &all[..1] } else { &all } {
        let peak = bounce(trial, restitution)?;
        let expected = f64::from(restitution).powi(2);
        let reading = format!("height of the bounce after 1 m [m], r {restitution}");
        trial.expect(reading, Bounds::within(expected, 0.02), peak);
    }
    Ok(())
}

/// A cloth on a plane of slope `tan`: its way down it [m], and their speed [m/s], after each frame.
fn slide(
    trial: &Trial,
    (_, side, material): &(&str, u32, &str),
    mu: f32,
    tan: f32,
    frames: usize,
) -> Result<Vec<(f64, f64)>, Miss> {
    let angle = tan.atan();
    let degrees = angle.to_degrees();
    let fixture = Fixture::new(&format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{}"),
            cloths: [(id: "a", at: ({}, {}, 0.0), rotation: (-90.0, 0.0, {degrees:?}),
                shape: Grid(columns: {side}, rows: {side}, width: 0.1, height: 0.1), material: ({material}))],
            colliders: [(id: "slope", shape: Plane, rotation: (0.0, 0.0, {degrees:?}),
                thickness: {THICKNESS:?}, friction: (static: {mu:?}, dynamic: {mu:?}))])"#,
        trial.solver,
        -THICKNESS * angle.sin(),
        THICKNESS * angle.cos(),
    ));
    let mut fixture = trial.placed(fixture.cut(10));
    let down = DVec3::new(-f64::from(angle.cos()), -f64::from(angle.sin()), 0.0);
    let start = center(&fixture);
    let mut way = Vec::new();
    for _ in 0..frames {
        fixture.try_frames(1)?;
        way.push(((center(&fixture) - start).dot(down), fixture.mean_velocity().dot(down)));
    }
    Ok(way)
}

fn center(fixture: &Fixture) -> DVec3 {
    fixture.x().iter().map(|x| vector(*x)).sum::<DVec3>() / fixture.x().len() as f64
}

/// Four particles fall 1 m, h = 1/2400 s: how high they come again [m].
fn bounce(trial: &Trial, restitution: f32) -> Result<f64, Miss> {
    let fixture = Fixture::new(&format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{}"),
            cloths: [(id: "a", at: (0.0, {}, 0.0), rotation: (-90.0, 0.0, 0.0),
                shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1))],
            colliders: [(id: "floor", shape: Plane, thickness: {THICKNESS:?}, restitution: {restitution:?})])"#,
        trial.solver,
        1.0 + THICKNESS
    ));
    let mut fixture = trial.placed(fixture.cut(40));
    // It falls for 0.4515 s, and rises for at most as long.
    fixture.try_frames(28)?;
    let mut peak: f64 = 0.0;
    for _ in 28..54 {
        fixture.try_frames(1)?;
        peak = largest([peak, f64::from(fixture.x()[0][1]) - f64::from(THICKNESS)]);
    }
    Ok(peak)
}
