//! What the program says of a run is what happened, and what it advises works.

use tests::{left_out, places, process, rig};
use weft_engine::stability;
use weft_session::{Options, Session};

fn session(scene: &str, solver: &str, set: &[(&str, &str)]) -> Session {
    let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let options = Options {
        scene: places::scene(scene),
        solver: Some(solver.into()),
        threads: 1,
        set,
        live: false,
        ..Options::default()
    };
    Session::open(options).unwrap_or_else(|e| panic!("{scene} {solver}: {e}"))
}

/// Output and errors of the program, and its exit code.
fn weft(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = process::weft(&places::root(), arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

fn no_program(test: &str) -> bool {
    !places::weft().exists() && left_out(test, "the program beside it (cargo build)")
}

#[test]
fn rows_that_a_solver_leaves_out_are_counted_and_told_once() {
    let mut session =
        session("poncho.ron", "projective_dynamics", &[("cloths[0].material.bending", "Dihedral")]);
    let rows = |session: &Session, name: &str| session.run().state.table(name).map_or(0, |table| table.rows);
    let told: Vec<String> =
        (0..3).flat_map(|_| session.step().expect("it runs")).map(|notice| notice.text).collect();
    let hinges = rows(&session, "hinge");
    assert!(hinges > 0 && rows(&session, "triangle") > 0);
    let models = session.run().state.column::<u32>("triangle", "model");
    let expected = hinges + models.iter().filter(|model| **model > 0).count();
    let reading = weft_session::readings::find("rows_left_out").expect("declared");
    assert_eq!((reading.of)(&session.readings()), Some(expected as f64));
    let told: Vec<&String> = told.iter().filter(|text| text.contains("leaves")).collect();
    assert!(told.len() == 1 && told[0].contains(&expected.to_string()), "{told:?}");
    assert_eq!(
        session.sizes().1,
        rows(&session, "distance") + expected,
        "constraints are the rows of all tables"
    );
}

#[test]
fn every_reading_that_a_solver_gives_is_declared() {
    for solver in rig::solvers() {
        let mut session = session("hanging.ron", solver, &[]);
        session.step().unwrap_or_else(|e| panic!("{solver}: {e}"));
        let others: Vec<&str> =
            weft_session::readings::others(&session.readings()).map(|(name, _)| name).collect();
        assert!(others.is_empty(), "{solver}: {others:?}");
    }
}

#[test]
fn a_rho_that_is_far_too_large_is_found_over_substeps() {
    let mut session = session("hanging.ron", "implicit_chebyshev", &[("solver.rho", "0.9999")]);
    let mut given_up = 0;
    for frame in 0..40 {
        session.step().unwrap_or_else(|e| panic!("frame {frame}: {e}"));
        given_up += usize::from(session.run().readings["diverged_at_iteration"] > 0.0);
    }
    session.measure();
    assert!(given_up > 0);
    assert!(session.report().measured().rows.stretch.max < 1.0, "{:?}", session.report().measured().rows);
}

#[test]
fn a_spring_to_a_pin_counts_in_the_estimate_of_rho() {
    // One particle: D is A, so an iteration leaves 1 - relaxation of any error, 0.1.
    let ends = [([0.0, 0.0, 0.0], 0.0), ([1.2, 0.0, 0.0], 1.0)];
    let mut rig = weft_proof::validate::made::springs("implicit_chebyshev", &ends, &[(0, 1, 1.0, 1e-3)]);
    rig.frames(1);
    let rho = rig.run.readings["rho"];
    assert!((0.0..=0.11).contains(&rho), "{rho}");
}

/// A sheet of stiff triangles that `explicit` cannot step at its defaults.
fn stiff_triangles(substeps: Option<f64>) -> Session {
    let mut set =
        vec![("cloths.sheet.material.sheet.stretch", "20000"), ("cloths.sheet.material.sheet.shear", "8000")];
    let text = substeps.map(|substeps| substeps.to_string());
    set.push(("cloths.sheet.material.membrane", "StVK"));
    if let Some(text) = &text {
        set.push(("solver.substeps", text));
    }
    session("hanging.ron", "explicit", &set)
}

#[test]
fn the_substeps_that_the_stability_warning_advises_are_enough() {
    let verdict = |session: &Session| {
        stability::verdict(session.run(), session.scene().air_damping, session.scene().step).unwrap()
    };
    let mut session = stiff_triangles(None);
    assert!(verdict(&session).dt_over_dt_max.is_some_and(|ratio| ratio > 1.0), "{}", verdict(&session));
    assert!((0..60).any(|_| session.step().is_err()), "too long a step blows up");
    let enough = verdict(&stiff_triangles(None)).enough.expect("some number is");
    let mut session = stiff_triangles(Some(enough));
    assert!(verdict(&session).dt_over_dt_max.is_some_and(|ratio| ratio < 1.0), "{}", verdict(&session));
    (0..20).for_each(|_| _ = session.step().unwrap_or_else(|e| panic!("{enough} substeps: {e}")));
}

#[test]
fn a_run_that_fails_shows_its_last_good_frame() {
    if no_program("a_run_that_fails_shows_its_last_good_frame") {
        return;
    }
    let failing = ["run", "scenes/hanging.ron", "--solver", "explicit", "--set", "solver.stability_cap=0"];
    let (table, errors, code) = weft(&[&failing[..], &["--frames", "50"]].concat());
    assert_eq!(code, Some(1), "{errors}");
    assert!(table.contains("state hash") && table.contains("constraints"), "{table}");
    assert!(errors.contains("NaN or infinite") && errors.contains("unbounded: rigid rows"), "{errors}");
    assert!(!table.contains("e21") && table.contains("unbounded: rigid rows"), "{table}");
    let (line, _, code) = weft(&[&failing[..], &["--frames", "50", "--json"]].concat());
    assert_eq!(code, Some(1));
    assert!(line.contains("\"failure\":\"frame") && line.contains("\"state_hash\""), "{line}");
}

#[test]
fn questions_without_an_answer_are_refused() {
    if no_program("questions_without_an_answer_are_refused") {
        return;
    }
    let cases: [(&[&str], &str); 4] = [
        (&["bench", "--solver", "nosuch"], "there is no such solver"),
        (&["convergence", "scenes/hanging.ron", "--solver", "explicit"], "does not solve the implicit step"),
        (&["convergence", "scenes/hanging.ron", "--repeats", "0"], "--repeats 0"),
        (&["check", "tests/results"], "no scene"),
    ];
    for (arguments, expected) in cases {
        let (_, errors, code) = weft(arguments);
        assert!(code == Some(1) && errors.contains(expected), "{arguments:?}: {errors}");
    }
    let (lines, errors, code) = weft(&["check", "scenes"]);
    assert!(code == Some(0) && lines.matches(": ok").count() >= 6, "{lines}{errors}");
    let (lines, ..) = weft(&["schema"]);
    assert!(!lines.contains("0000000000"), "{lines}");
}
