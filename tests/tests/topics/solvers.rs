//! What every solver does with wind, damping and weight. Closed forms and invariants are cases of `weft validate`.

use glam::DVec3;
use tests::{
    fixture::{Fixture, solvers},
    places,
};
use weft_core::state::col;
use weft_proof::validate::fixtures::{shake, springs, weightless};

#[test]
fn wind_pushes_its_own_way_and_not_faster_than_itself() {
    for solver in solvers() {
        for wind in [[0.0, 0.0, 2.0], [0.0, 0.0, -2.0], [1.0, 0.0, 1.5]] {
            let mut fixture = weightless(solver, 9, 7, "");
            fixture.scene.wind.velocity = wind;
            fixture.scene.wind.coefficient = 2.0;
            fixture.frames(20);
            let v = fixture.mean_velocity();
            // Along the normal (z) only: an ideal pressure has no shear.
            assert!(
                v.z / f64::from(wind[2]) > 0.3 && v.z / f64::from(wind[2]) <= 1.0,
                "{solver} {wind:?}: {v}"
            );
            assert!(v.x.abs() < 0.02 && v.y.abs() < 0.02, "{solver} {wind:?}: {v}");
        }
    }
}

/// Kinetic energy about the mean velocity, per mass [m2/s2].
fn unrest(fixture: &Fixture) -> f64 {
    let mean = fixture.mean_velocity();
    fixture.v().iter().map(|v| (tests::fixture::vector(*v) - mean).length_squared()).sum::<f64>()
}

#[test]
fn internal_damping_calms_but_keeps_momentum() {
    for solver in solvers() {
        let run = |damping: f32| {
            let compliance = "compliance: (structural: 0.1, shear: 0.2, bend: 0.5)";
            let extra = format!("material: ({compliance}, spring_damping: {damping:?})");
            let mut fixture = weightless(solver, 7, 5, &extra);
            if solver.starts_with("pbd_") {
                fixture = ["stiffness", "shear", "bend"]
                    .into_iter()
                    .fold(fixture, |fixture, name| fixture.set(name, 0.01));
            }
            // What solves one equation for all particles keeps momentum as far as it solves it.
            let mut fixture = fixture.set_if("tolerance", 1e-5);
            if solver.starts_with("implicit_") {
                fixture = fixture.set("iterations", 60.0);
            }
            shake(&mut fixture, 0.5);
            let (before, scale) = (fixture.momentum(), fixture.momentum_scale());
            fixture.frames(12);
            let drift = (fixture.momentum() - before).length() / scale;
            assert!(drift < 2e-3, "{solver}: {drift}");
            unrest(&fixture)
        };
        let (free, damped) = (run(0.0), run(1.0));

        assert!(damped < 0.7 * free, "{solver}: {damped} against {free}");
    }
}

#[test]
fn gravity_hangs_on_the_pins() {
    // At rest the pinned rows carry the weight below them: a column of particles on one spring.
    let ends = [([0.0, 0.0, 0.0], 0.0), ([0.0, -1.0, 0.0], 0.2), ([0.0, -2.0, 0.0], 0.3)];
    let rows = [(0, 1, 1.0, 1e-3), (1, 2, 1.0, 1e-3)];
    for solver in ["xpbd", "explicit", "vbd", "implicit_newton", "projective_dynamics"] {
        let mut fixture = springs(solver, &ends, &rows).set("substeps", 8.0);
        (fixture.scene.gravity, fixture.scene.air_damping) = ([0.0, -9.81, 0.0], 2.0);
        fixture.frames(600);
        let force = fixture.run.state.get(col::distance::force);
        let order = &fixture.run.state.table("distance").unwrap().coloring.order;
        for (row, expected) in [(0, 0.5 * 9.81), (1, 0.3 * 9.81)] {
            let at = order.iter().position(|&of| of == row).unwrap();
            assert!((force[at] - expected).abs() < 0.01 * expected, "{solver} row {row}: {} N", force[at]);
        }
        let hang = DVec3::Y * -(2.0 + 1e-3 * (0.5 + 0.3) * 9.81);
        assert!(
            (tests::fixture::vector(fixture.x()[2]) - hang).length() < 1e-4,
            "{solver}: {:?}",
            fixture.x()[2]
        );
    }
}

/// The host asks a solver what it is; its name stands where data does: the default of a scene, what validation knows of each,
/// what a list of passes moves.
#[test]
fn the_host_holds_no_solver_by_name() {
    let data =
        ["app/proof/src/validate/settings.rs", "app/proof/src/validate/known.rs", "app/gpu/src/bandwidth.rs"];
    let names: Vec<String> = solvers().into_iter().map(|name| format!("\"{name}\"")).collect();
    let line = |line: &str| {
        names.iter().any(|name| line.contains(name.as_str())) && !line.contains("DEFAULT_SOLVER")
    };
    let mut folders = vec![places::root().join("app")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            let inside = entry.strip_prefix(places::root()).expect("below the root").display().to_string();
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|end| end == "rs")
                && !data.contains(&inside.as_str())
                && !inside.ends_with("tests.rs")
            {
                let text = std::fs::read_to_string(&entry).expect("readable");
                let own = text.split("#[cfg(test)]").next().unwrap_or_default();
                found.extend(own.lines().filter(|text| line(text)).map(|text| format!("{inside}: {text}")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Few iterations are inexact, but gain no energy: an odd number of Jacobi iterations turns the error of stiff rows over.
#[test]
fn few_jacobi_iterations_stay_calm() {
    for solver in ["implicit_jacobi", "implicit_chebyshev"] {
        for iterations in [1.0, 2.0, 3.0, 5.0] {
            let mut session = weft_session::Session::open(weft_session::Options {
                scene: places::scene("curtain_pair.ron"),
                solver: Some(solver.into()),
                threads: 1,
                set: [
                    ("solver.substeps", 20.0),
                    ("solver.iterations", iterations),
                    ("cloths[0].shape.columns", 29.0),
                    ("cloths[0].shape.rows", 31.0),
                    ("cloths[1].shape.columns", 29.0),
                    ("cloths[1].shape.rows", 31.0),
                ]
                .map(|(name, value): (&str, f32)| (name.to_string(), value.to_string()))
                .into(),
                ..weft_session::Options::default()
            })
            .unwrap_or_else(|e| panic!("{solver}: {e}"));
            for frame in 0..30 {
                session
                    .step()
                    .unwrap_or_else(|e| panic!("{solver}, {iterations} iterations, frame {frame}: {e}"));
            }
            let fastest =
                weft_session::readings::find(&session.run().generation, "max_speed").expect("declared");
            let fastest = fastest.of(&session.readings()).expect("it is read");
            assert!(fastest < 10.0, "{solver}, {iterations} iterations: {fastest} m/s");
        }
    }
}
