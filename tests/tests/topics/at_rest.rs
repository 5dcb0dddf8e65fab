//! Where soft cloth hangs at rest, by closed forms: on tethers, and with a weight on soft pins.

use tests::fixture::{Fixture, solvers};
use weft_core::statistics::{largest, least};

/// Height of the lower edge in each frame of a sheet of 1 m by four particles, hardly stiff, whose tethers hold it at 1.1 m.
fn on_tethers(solver: &str, frames: usize) -> Vec<f64> {
    let mut fixture = Fixture::new(&format!(
        r#"(version: 1, air_damping: 3.0, wind: (coefficient: 0.0), solver: (name: "{solver}"), cloths: [(id: "a",
            shape: Grid(columns: 2, rows: 2, width: 0.5, height: 1.0), pins: [Edge(Top)], tethers: (slack: 0.1),
            material: (density: 0.1, compliance: (structural: 100.0, shear: 100.0, bend: 100.0)))])"#
    ));
    let mut lowest = |_| {
        fixture.frames(1);
        least(fixture.x().iter().map(|x| x[1]))
    };
    (0..frames).map(&mut lowest).collect()
}

#[test]
fn a_cloth_that_tethers_hold_comes_to_rest() {
    let mut wrong = Vec::new();
    for solver in solvers().into_iter().filter(|solver| !solver.starts_with("pbd")) {
        let heights = on_tethers(solver, 240);
        let off = largest(heights[60..].iter().map(|height| (height + 0.6).abs()));
        if off.is_nan() || off > 0.02 {
            wrong.push(format!("{solver}: {off} m off between 1 and 4 s"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Twelve plain iterations do not bring a weight of 20 times a particle's to soft pins: it hangs 0.8 m too low, which the reading
/// `residual` tells. Enough of them hang it where it belongs.
#[test]
fn a_weight_on_soft_pins_hangs_where_iterations_converge() {
    let hang = |iterations: Option<f32>| {
        let mut fixture = Fixture::new(
            r#"(version: 1, air_damping: 3.0, wind: (coefficient: 0.0), solver: (name: "implicit_jacobi"), cloths: [(id: "a",
                shape: Grid(columns: 2, rows: 2, width: 0.5, height: 1.0), pins: [Edge(Top)], pin_compliance: 0.05,
                weights: [(mass: 0.1, on: [Edge(Bottom)])],
                material: (density: 0.04, compliance: (structural: 0.0, shear: 1000.0, bend: 1000.0)))])"#,
        );
        if let Some(iterations) = iterations {
            fixture = fixture.set("iterations", iterations);
        }
        fixture.frames(180);
        let lowest = least(fixture.x().iter().map(|x| x[1]));
        (-0.5 - lowest, fixture.run.readings["residual"])
    };
    // (0.1 kg + two particles) g a pin.
    let right = (0.1 + 0.01) * 9.81 * 0.05;
    let (low, residual) = hang(None);
    assert!((low / 0.868 - 1.0).abs() < 0.2 && residual > 0.5, "{low} m, residual {residual}");
    let (converged, _) = hang(Some(1000.0));
    assert!((converged - right).abs() < 0.01, "{converged} m for {right}");
}
