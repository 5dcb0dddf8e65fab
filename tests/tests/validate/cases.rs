//! The validation cases with every solver, and that the cases can tell: closed forms against published numbers, mutants
//! against the limits.

use std::sync::Arc;

use tests::{
    fixture::{Fixture, all_solvers},
    long, mutant, places,
    process::weft,
};
use weft_engine::generation::Generation;
use weft_proof::{
    expect::Status as Verdict,
    validate::{self, Row, ValidateOptions, closed_form, iterations, oscillator, plate},
};

/// What takes 2 to 20 s each, three quarters of the time of all: with `tests/run --long`. Every case and every solver has others.
const SLOW: [(&str, &str); 33] = [
    ("V4", "projective_dynamics"),
    ("V4", "implicit_chebyshev"),
    ("V4", "pbd_jacobi"),
    ("V5", "vbd"),
    ("V5", "projective_dynamics"),
    ("V8", "implicit_chebyshev"),
    ("V9", "explicit"),
    ("V9", "xpbd"),
    ("V9", "vbd"),
    ("V9", "implicit_newton"),
    ("V9", "implicit_jacobi"),
    ("V9", "implicit_chebyshev"),
    ("V10", "explicit"),
    ("V10", "implicit_newton"),
    ("V10", "baraff_witkin"),
    ("V10", "projective_dynamics"),
    ("V12", "implicit_newton"),
    ("V12", "baraff_witkin"),
    ("V12", "implicit_jacobi"),
    ("V12", "implicit_chebyshev"),
    ("V13", "vbd"),
    ("V16", "vbd"),
    ("V17", "vbd"),
    ("V17", "explicit"),
    ("V17", "implicit_newton"),
    ("V17", "implicit_jacobi"),
    ("V17", "pbd_jacobi"),
    ("V18", "vbd"),
    ("V21", "vbd"),
    ("V23", "explicit"),
    ("V23", "pbd_jacobi"),
    ("V23", "pbd_sor"),
    ("V23", "implicit_jacobi"),
];

fn asked(case: &str, solver: &str) -> bool {
    long() || !SLOW.contains(&(case, solver))
}

/// All cases: with `tests/run --long` as long and as fine as `weft validate` has them, otherwise the quick ones.
fn rows() -> Vec<Row> {
    let cases = validate::CASES.iter().map(|case| case.name);
    cases
        .flat_map(|case| {
            let solvers = all_solvers().into_iter().filter(|solver| asked(case, solver)).map(str::to_string);
            validate::validate(&ValidateOptions {
                cases: vec![case.to_string()],
                solvers: solvers.collect(),
                quick: !long(),
                ..ValidateOptions::default()
            })
            .unwrap()
        })
        .collect()
}

#[test]
fn a_part_never_replaces_the_whole() {
    let root = places::root();
    let all = ValidateOptions::default();
    assert_eq!(all.folder(&root), root.join("tests/results"));
    let one = "V1".to_string();
    for part in [
        ValidateOptions { quick: true, ..all.clone() },
        ValidateOptions { cases: vec![one.clone()], ..all.clone() },
        ValidateOptions { solvers: vec![one], ..all },
    ] {
        assert_eq!(part.folder(&root), root.join("target/validation"));
    }
}

#[test]
fn every_solver_reproduces_what_it_must() {
    let rows = rows();
    let wrong: Vec<String> = rows
        .iter()
        .filter(|row| row.status == Verdict::Fail)
        .map(|row| {
            format!(
                "{} {} {}: {:?} for {} {}",
                row.case, row.solver, row.reading, row.measured, row.bounds, row.note
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for case in validate::CASES {
        for solver in
            all_solvers().into_iter().filter(|solver| case.applies_to(solver) && asked(case.name, solver))
        {
            // A solver may have no iterations, or nothing expected of it in a scene.
            let none = !rows.iter().any(|row| row.case == case.name && row.solver == solver);
            assert!(!none || ["V4", "V10"].contains(&case.name), "{} says nothing about {solver}", case.name);
        }
    }
    let known = |case: &str, solver: &str| {
        let mut own = rows.iter().filter(|row| row.case == case && row.solver == solver);
        own.any(|row| row.status == Verdict::KnownFailure && !row.note.is_empty())
    };
    for (case, solver) in [
        ("V1", "explicit"),
        ("V2", "pbd_gauss_seidel"),
        ("V4", "pbd_gauss_seidel"),
        ("V5", "xpbd"),
        ("V9", "projective_dynamics"),
        ("V13", "baraff_witkin"),
        ("V18", "verlet"),
        ("V19", "pbd_jacobi"),
        ("V20", "implicit_newton"),
    ] {
        assert!(known(case, solver), "{solver} is known to fail {case}");
    }
}

#[test]
fn closed_forms_are_those_of_the_tables() {
    for (ratio, sag, horizontal, tension) in [
        (1.05, 0.139304, 0.919640, 1.058944),
        (1.25, 0.331797, 0.422752, 0.754549),
        (1.5, 0.502633, 0.308236, 0.810870),
    ] {
        let found = closed_form::catenary(ratio);
        for (found, table) in [(found.sag, sag), (found.horizontal, horizontal), (found.end_tension, tension)]
        {
            assert!((found - table).abs() < 1e-6, "{ratio}: {found} for {table}");
        }
    }
    for (g, drop, chord) in [
        (0.5, 0.06231, 3.573),
        (1.0, 0.12347, 7.100),
        (2.0, 0.23851, 13.857),
        (8.0, 0.64063, 41.487),
        (10.0, 0.70020, 46.851),
        (50.0, 0.90792, 74.898),
    ] {
        let found = closed_form::elastica(g);
        assert!((found.drop - drop).abs() < 1e-5 && (found.chord - chord).abs() < 1e-3, "{g}: {found:?}");
    }
    for (substeps, amplitude, period) in
        [(1, 0.8847, 0.21589), (2, 0.9351, 0.20321), (10, 0.9862, 0.19888), (60, 0.9977, 0.19870)]
    {
        let h = 1.0 / 60.0 / f64::from(substeps);
        let (kept, angle) = closed_form::implicit_euler(1000_f64.sqrt() * h);
        assert!((kept.powi(substeps) - amplitude).abs() < 1e-4);
        assert!((std::f64::consts::TAU * h / angle - period).abs() < 1e-5);
    }
}

/// The number in a scene is the closed form's, not a measurement.
#[test]
fn scenes_expect_the_closed_form() {
    for (name, ratio) in
        [("catenary_105", 1.05), ("catenary_125", 1.25), ("catenary_150", 1.5), ("catenary_200", 2.0)]
    {
        let scene = weft_scene::load(
            places::scene(&format!("validate/{name}.ron")),
            &weft_scene::Vocabulary::default(),
        )
        .unwrap()
        .scene;
        let weft_scene::Shape::Grid { gather, .. } = scene.cloths[0].shape else {
            panic!("{name} is a grid")
        };
        assert!((f64::from(gather) * ratio - 1.0).abs() < 1e-6, "{name}");
        let exact = closed_form::catenary(ratio);
        for (reading, exact) in [("catenary_sag", exact.sag), ("end_tension", exact.end_tension)] {
            let expect = scene.expect.iter().find(|expect| expect.reading == reading).unwrap();
            assert!((f64::from(expect.value.unwrap()) - exact).abs() < 1e-6, "{name} {reading}: {exact}");
        }
    }
}

#[test]
fn cantilevers_expect_the_elastica() {
    for (columns, name) in [(12, "cantilever_10"), (22, "cantilever_20"), (42, "cantilever_40")] {
        let scene = weft_scene::load(
            places::scene(&format!("validate/{name}.ron")),
            &weft_scene::Vocabulary::default(),
        )
        .unwrap()
        .scene;
        let cloth = &scene.cloths[0];
        let weft_scene::Shape::Grid { columns: found, width, .. } = cloth.shape else {
            panic!("{name} is a grid")
        };
        assert_eq!(found, columns, "{name}");
        // The second column is the clamp.
        let length = f64::from(width) * f64::from(columns - 2) / f64::from(columns - 1);
        let g =
            f64::from(cloth.material.density) * 9.81 * length.powi(3) / f64::from(cloth.material.sheet.bend);
        let exact = closed_form::elastica(g);
        for (reading, exact) in [("chord_angle", exact.chord), ("tip_drop", exact.drop)] {
            let expect = scene.expect.iter().find(|expect| expect.reading == reading).unwrap();
            assert!(
                (f64::from(expect.value.unwrap()) - exact).abs() < 1e-4 * exact,
                "{name} {reading}: {exact}"
            );
        }
    }
}

#[test]
fn a_solver_that_forgets_lambda_fails() {
    let spread = |solver: &str, code: Arc<Generation>| {
        let (scene, blueprint) = iterations::cloth(solver, 24).unwrap();
        let make = || Ok(Fixture::with_code(Arc::clone(&code), scene.clone(), blueprint.clone()));
        iterations::spread_over_iterations(make).unwrap().expect("it has iterations")
    };
    // What is mutated is the solver itself: without the mutation it has the same bits.
    let (scene, blueprint) = iterations::cloth("xpbd", 13).unwrap();
    let hash = |code| {
        let mut fixture = Fixture::with_code(code, scene.clone(), blueprint.clone()).set("iterations", 3.0);
        fixture.frames(5);
        fixture.hash()
    };
    assert_eq!(hash(mutant::code()), hash(Generation::built_in()));
    let (whole, mutated) = (spread("xpbd", mutant::code()), spread("forgets_lambda", mutant::code()));
    println!("spread {whole}, without lambda {mutated}");
    assert!(whole < 0.005, "{whole}");
    assert!(mutated > 0.02, "{mutated}");
}

/// A wrong period is told from a right one.
#[test]
fn the_oscillator_case_can_tell() {
    let period = |compliance: f32| {
        let ends = [([0.0; 3], 0.0), ([1.5, 0.0, 0.0], 1.0)];
        let mut fixture = validate::fixtures::springs("xpbd", &ends, &[(0, 1, 1.0, compliance)]);
        oscillator::amplitude_and_period(&mut fixture).unwrap().1
    };
    let (right, soft) = (period(1e-3), period(1.01e-3));
    assert!((soft / right - 1.005).abs() < 1e-3, "{right} {soft}");
    assert!(validate::spread(&[1.0, f64::NAN, 1.0]).is_nan());
}

/// What flies through the plate would end behind it.
#[test]
fn the_plate_case_can_tell() {
    assert_eq!(plate::behind("xpbd", 2, false), Ok(4000));
    assert_eq!(plate::behind("xpbd", 2, true), Ok(0));
}

#[test]
fn check_says_ok_or_fails_with_the_exit_code() {
    let folder = places::temporary("check");
    let scene = |name: &str, expect: &str| {
        let path = folder.join(name);
        let text = format!(
            r#"(version: 1, cloths: [(id: "a", shape: Grid(columns: 5, rows: 4, width: 1, height: 1),
                pins: [Edge(Top)])], expect: [{expect}])"#
        );
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let run = |scene: &str, more: &[&str]| {
        let output = weft(&folder, &[&["run", scene, "--check"], more].concat());
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text.into_owned())
    };
    let height = |after: f32, more: &str| {
        format!(r#"(reading: "free_edge_height", value: -0.5, absolute: 0.05, after_s: {after}{more})"#)
    };
    let good = scene("good.ron", &height(0.5, ""));
    let (ok, text) = run(&good, &[]);
    assert!(
        ok && text.contains("frames       30") && text.contains("free_edge_height") && text.contains("ok"),
        "{text}"
    );

    let bad = scene("bad.ron", r#"(reading: "free_edge_height", at_least: 2, after_s: 0.1)"#);
    let (ok, text) = run(&bad, &[]);
    assert!(!ok && text.contains("expected >= 2 m") && text.contains("FAILED"), "{text}");
    let (ok, text) = run(&bad, &["--json"]);
    let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert!(!ok && line["expect"][0]["status"] == "FAIL", "{text}");
    assert!((line["expect"][0]["measured"].as_f64().unwrap() + 0.5).abs() < 0.05, "{text}");

    let (ok, text) = run(&good, &["--frames", "3"]);
    assert!(!ok && text.contains("its time did not come"), "{text}");
    let known = scene("known.ron", &height(0.1, r#", fails_for: [("explicit", "of no reason")]"#));
    assert!(run(&known, &["--solver", "xpbd"]).0);
    let (ok, text) = run(&known, &["--solver", "explicit"]);
    assert!(!ok && text.contains("listed as a known failure (of no reason), but holds"), "{text}");
    let missed =
        r#"(reading: "free_edge_height", at_least: 2, after_s: 0.1, fails_for: [("xpbd", "it hangs")])"#;
    let (ok, text) = run(&scene("missed.ron", missed), &[]);
    assert!(ok && text.contains("known failure: it hangs"), "{text}");
    let (ok, text) = run(
        &scene("sag.ron", r#"(reading: "chord_angle", at_most: 9, after_s: 0.1, except: ["xpbd"])"#),
        &[],
    );
    assert!(ok && text.contains("nothing is expected of this solver"), "{text}");
    let (ok, text) =
        run(&scene("drape.ron", r#"(reading: "drape_coefficient", at_most: 9, after_s: 0.1)"#), &[]);
    assert!(!ok && text.contains("measured nothing") && text.contains("no meaning in this scene"), "{text}");
    // Half way through a fall of 0.4 s it is a quarter of the way down, 0.2 of 0.78 m.
    let fall = |seconds: f32| {
        let of = format!(
            r#"(reading: "center_height", value: -0.2, absolute: 0.05, after_s: 0.4, median_s: {seconds})"#
        );
        let path = scene("fall.ron", &of);
        let text = std::fs::read_to_string(&path).unwrap().replace("pins: [Edge(Top)]", "pins: []");
        std::fs::write(&path, text).unwrap();
        run(&path, &[])
    };
    assert!(fall(0.4).0, "{}", fall(0.4).1);
    assert!(!fall(0.0).0);
    let (ok, text) = fall(0.5);
    assert!(!ok && text.contains("a median of 0.5 s cannot end after 0.4 s"), "{text}");
    let (ok, text) = run(&scene("none.ron", ""), &[]);
    assert!(!ok && text.contains("nothing to check"), "{text}");
}

#[test]
fn validate_writes_both_tables_and_names_strangers() {
    let folder = places::temporary("validate");
    let out = folder.display().to_string();
    let run = |more: &[&str]| weft(&folder, &[&["validate", "--quick", "--out", &out], more].concat());
    let output = run(&["--case", "v2", "--solver", "xpbd", "--solver", "pbd_sor"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let csv = std::fs::read_to_string(folder.join("validation.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("solver,case,reading,expected,measured,tolerance,status"));
    assert!(
        lines.clone().all(|line| line.starts_with("xpbd,V2,") || line.starts_with("pbd_sor,V2,")),
        "{csv}"
    );
    assert!(
        lines.clone().any(|line| line.ends_with(",pass"))
            && lines.any(|line| line.ends_with(",known_failure"))
    );
    let markdown = std::fs::read_to_string(folder.join("validation.md")).unwrap();
    assert!(markdown.contains("| case | xpbd | pbd_sor |") && markdown.contains("0.21589"), "{markdown}");
    for (arguments, text) in
        [(["--case", "V99"], "there is no case `V99`"), (["--solver", "xpdb"], "did you mean `xpbd`?")]
    {
        let output = run(&arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(text), "{error}");
    }
}
