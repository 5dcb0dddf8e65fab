//! Short steps are truer steps: sheets slide by Coulomb at 100 substeps, although gravity moves them by two roundings of a position only
//! in each. Swings of such steps are V24.

use tests::fixture::{Fixture, solvers};

const G: f64 = 9.81;

/// How fast a sheet on a plane of `degrees` at a `height` [m] is after half a second in which gravity draws it along [m/s].
fn slides(solver: &str, degrees: f64, height: f64, gravity: [f64; 2], substeps: u32) -> f64 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let [x, y, gap] = [gravity[0], gravity[1], 0.0041];
    let fixture = Fixture::new(&format!(
        "(version: 1, gravity: ({x}, {y}, 0), air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          cloths: [(id: \"c\", shape: Grid(columns: 7, rows: 7, width: 0.3, height: 0.3),
                    at: ({}, {}, 0), rotation: (-90, 0, {degrees}),
                    material: (density: 0.2, compliance: (structural: 1e-5, shear: 1e-4, bend: 1e-2)))],
          colliders: [(id: \"f\", shape: Plane, at: (0, {height}, 0), rotation: (0, 0, {degrees}),
                       friction: (static: 0.3, dynamic: 0.25))])",
        -gap * sin,
        height + gap * cos
    ));
    let mut fixture = fixture.cut(substeps);
    fixture.frames(30);
    let along: f64 = fixture.v().iter().map(|v| f64::from(v[0]).hypot(f64::from(v[1]))).sum();
    along / fixture.v().len() as f64
}

/// By Coulomb, although gravity moves the sheet by a few last places of its position in a substep.
#[test]
fn sheets_slide_by_coulomb_above_zero() {
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let mut wrong = Vec::new();
    for (index, solver) in solvers().into_iter().enumerate() {
        // In the ordinary run every second of them, and the next solver the others.
        for (number, (degrees, height, substeps)) in [
            (0.0, 0.0, 100),
            (0.0, 1.0, 64),
            (0.0, 1.0, 100),
            (30.0, 0.0, 100),
            (30.0, 1.0, 64),
            (30.0, 1.0, 100),
        ]
        .into_iter()
        .enumerate()
        {
            if !tests::long() && (index + number) % 2 > 0 {
                continue;
            }
            let (gravity, right) = if degrees == 0.0 {
                ([5.0, -G], 5.0 - 0.25 * G)
            } else {
                ([0.0, -G], G * (sin - 0.25 * cos))
            };
            let share = slides(solver, degrees, height, gravity, substeps) / (0.5 * right);
            let row = format!(
                "{solver} at {height} m and {degrees} degrees, {substeps} substeps: {share:.4} of its speed"
            );
            println!("{row}");
            // Their solve holds the sheet on the plane, by forces that are worked out from positions.
            let bound = if ["implicit_newton", "baraff_witkin"].contains(&solver) { 0.04 } else { 0.03 };
            if (share - 1.0).abs() > bound || share.is_nan() {
                wrong.push(row);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
