//! V15: a sheet falls on another that is held by its corners, turned by 30 degrees: no edge may pass through a triangle,
//! and the lower sheet bears the upper one.

use super::{Miss, Trial, crossings, fixture::Fixture};
use crate::expect::Bounds;

/// Particles along a side.
const SIDE: usize = 17;

/// Frames between looks.
const LOOK: usize = 10;

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    let own = "self_collision: (thickness: 0.01)";
    let fixture = Fixture::new(&format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{}"),
            cloths: [
                (id: "lower", at: (0.0, 0.5, 0.0), rotation: (-90.0, 0.0, 0.0), {own},
                    pins: [Corner(TopLeft), Corner(TopRight), Corner(BottomLeft), Corner(BottomRight)],
                    shape: Grid(columns: {SIDE}, rows: {SIDE}, width: 0.8, height: 0.8)),
                (id: "upper", at: (0.05, 0.55, 0.03), rotation: (-90.0, 30.0, 0.0), {own},
                    shape: Grid(columns: {SIDE}, rows: {SIDE}, width: 0.6, height: 0.6)),
            ])"#,
        trial.solver
    ));
    let mut fixture = trial.placed(fixture);
    let triangles = crossings::of_scene(&fixture.scene);
    let (mut most, mut lost) = (0, 0.0);
    for _ in 0..if trial.quick { 6 } else { 18 } {
        fixture.try_frames(LOOK)?;
        most = most.max(crossings::crossings(fixture.x(), &triangles).len());
        let now = fixture.run.readings.get("self_overflow").copied().unwrap_or(f32::INFINITY);
        lost = weft_core::statistics::largest([lost, now.into()]);
    }
    let reading = "two crossed sheets: edges through triangles, by brute force".to_string();
    trial.expect(reading, Bounds::at_most(0.0), most as f64);
    trial.expect("two crossed sheets: pairs without room".to_string(), Bounds::at_most(0.0), lost);
    // By itself it would be 1 m deep after half a second.
    let upper = &fixture.x()[SIDE * SIDE..];
    let held = upper.iter().filter(|x| x[1] > 0.1).count() as f64 / upper.len() as f64;
    let reading = "two crossed sheets: part of the upper one that lies on the lower one";
    trial.expect(reading.to_string(), Bounds::at_least(0.6), held);
    Ok(())
}
