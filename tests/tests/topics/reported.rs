//! What the program says of a run is what happened, and what it advises works.

use std::collections::BTreeSet;

use tests::{fixture, left_out, places, process};
use weft_core::state::col;
use weft_engine::{generation::Generation, stability};
use weft_session::{Notice, Options, Session};

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
    // All built-in solvers take all rows; this one has springs alone.
    let scene = session("poncho.ron", "xpbd", &[("cloths[0].material.bending", "Dihedral")]).scene().clone();
    let blueprint = weft_scene::assemble::assemble(&scene).blueprint;
    let mut fixture = fixture::Fixture::with_code(tests::mutant::code(), scene, blueprint);
    fixture.frames(3);
    let run = &fixture.run;
    let hinges = run.state.table("hinge").map_or(0, |table| table.rows);
    let models = run.state.get(col::triangle::model);
    assert!(hinges > 0 && !models.is_empty());
    let expected = hinges + models.iter().filter(|model| **model > 0).count();
    assert_eq!(run.constraints_left_out(), expected);
    let told: Vec<&String> = run.log.iter().filter(|text| text.contains("leaves")).collect();
    assert!(told.len() == 1 && told[0].contains(&expected.to_string()), "{told:?}");
}

#[test]
fn a_solver_gives_the_readings_that_it_declares_and_no_others() {
    for solver in fixture::solvers() {
        let mut session = session("hanging.ron", solver, &[]);
        session.step().unwrap_or_else(|e| panic!("{solver}: {e}"));
        let about = session.run().description().expect("it runs");
        // Nothing collides with itself here: the driver's own readings are not given.
        let given: BTreeSet<&str> = session.run().readings.keys().map(String::as_str).collect();
        let declared = about.readings.as_slice().iter().map(|reading| reading.name.as_str()).collect();
        assert_eq!(given, declared, "{solver}");
        assert_eq!(weft_session::readings::others(&session.readings()).count(), 0, "{solver}");
    }
}

/// Rows that are there or not, or other ones, make a difference exactly where the solver says that it has a form of them.
#[test]
fn rows_that_a_solver_takes_act_and_the_others_do_not() {
    let hash = |solver: &str, membrane: &str, bending: &str, edit: &dyn Fn(&mut fixture::Fixture)| {
        let mut fixture = fixture::Fixture::new(&format!(
            r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{solver}"),
                cloths: [(id: "a", shape: Grid(columns: 5, rows: 4, width: 1.0, height: 0.75),
                    material: (density: 0.2, membrane: {membrane}, bending: {bending},
                        sheet: (stretch: 50.0, poisson: 0.3, bend: 0.01)))])"#
        ));
        for (i, x) in fixture.x_mut().iter_mut().enumerate() {
            *x = [1.1 * x[0], 1.1 * x[1], x[2] + 0.02 * (i % 3) as f32, x[3]];
        }
        edit(&mut fixture);
        fixture.frames(1);
        (fixture.hash(), fixture.run.constraints_left_out())
    };
    for solver in fixture::solvers() {
        let about = Generation::built_in().description(solver).expect("it is listed");
        for (membrane, model) in [("StVK", 1), ("NeoHookean", 2)] {
            let (with, left_out) = hash(solver, membrane, "Quadratic", &|_| {});
            // Model 0 is drawn only.
            let drawn =
                |fixture: &mut fixture::Fixture| fixture.run.state.get_mut(col::triangle::model).fill(0);
            let (without, _) = hash(solver, membrane, "Quadratic", &drawn);
            let takes = about.has_form_of("triangle", model);
            assert_eq!(with != without, takes, "{solver}, {membrane}");
            assert_eq!(left_out == 0, takes, "{solver}, {membrane}");
        }
        for (bending, model) in [("Quadratic", 0), ("Dihedral", 1)] {
            let (with, left_out) = hash(solver, "Springs", bending, &|_| {});
            let other = |fixture: &mut fixture::Fixture| match model {
                0 => fixture.run.state.get_mut(col::hinge::weights).fill([0.0; 4]),
                _ => fixture.run.state.get_mut(col::hinge::rest_angle).fill(1.0),
            };
            let (without, _) = hash(solver, "Springs", bending, &other);
            let takes = about.has_form_of("hinge", model);
            assert_eq!(with != without, takes, "{solver}, {bending}");
            assert_eq!(left_out == 0, takes, "{solver}, {bending}");
        }
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
    let mut fixture =
        weft_proof::validate::fixtures::springs("implicit_chebyshev", &ends, &[(0, 1, 1.0, 1e-3)]);
    fixture.frames(1);
    let rho = fixture.run.readings["rho"];
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
    assert!(
        errors.contains("NaN or infinite") && errors.contains("unbounded: rigid constraints"),
        "{errors}"
    );
    assert!(!table.contains("e21") && table.contains("unbounded: rigid constraints"), "{table}");
    let (line, _, code) = weft(&[&failing[..], &["--frames", "50", "--json"]].concat());
    assert_eq!(code, Some(1));
    assert!(line.contains("\"failure\":\"frame") && line.contains("\"state_hash\""), "{line}");
}

#[test]
fn questions_without_an_answer_are_refused() {
    if no_program("questions_without_an_answer_are_refused") {
        return;
    }
    let (_, errors, code) = weft(&["check", "tests/src"]);
    assert!(code == Some(1) && errors.contains("no scene"), "{errors}");
    // A value that an option cannot have is a wrong command line, whoever finds it.
    const SCENE: &str = "scenes/hanging.ron";
    let cases: [(&[&str], &str); 17] = [
        (&["bench", "--solver", "nosuch"], "there is no solver `nosuch` (there are"),
        (&["bench", "-n", "8", "--set", "substeps=2"], "--set substeps=2: give -s 2"),
        (&["bench", "-n", "8", "--set", "foo=1"], "the solver xpbd has no parameter foo"),
        (&["bench", "-n", "8", "--order", "nosuch"], "--order nosuch: one of coloured"),
        (&["convergence", SCENE, "--solver", "explicit"], "does not solve the implicit step"),
        (&["convergence", SCENE, "--repeats", "0"], "--repeats 0"),
        (&["stability", SCENE, "--solver", "xpdb"], "did you mean `xpbd`?"),
        (&["determinism", SCENE, "--frames", "0"], "nothing would be compared"),
        (&["run", SCENE, "--threads", "100000"], "at most 1024"),
        (&["run", SCENE, "--runs", "xpbd,vbd:iteration=3", "--frames", "1"], "no parameter `iteration`"),
        (&["run", SCENE, "--resume"], "weft run --watch --resume"),
        (&["run", SCENE, "--path", "gpu", "--passes", "nosuch"], "`nosuch`"),
        (&["report", "none.weft", "--below", "NaN"], "a number above 0"),
        (&["sweep", SCENE, "--solvers", "xpdb"], "did you mean `xpbd`?"),
        (&["sweep", SCENE, "--solvers", "xpbd", "--set", "wind.speed=1,2"], "--set wind.speed"),
        (&["validate", "--case", "V99"], "there is no case `V99`"),
        (&["new", "Nosuch"], "small letters"),
    ];
    for (arguments, expected) in cases {
        if arguments.contains(&"gpu") && weft_gpu::adapter::list().is_empty() {
            continue;
        }
        let (_, errors, code) = weft(arguments);
        assert!(code == Some(2) && errors.contains(expected), "{arguments:?}: {code:?} {errors}");
    }
    let (lines, errors, code) = weft(&["check", "scenes"]);
    assert!(code == Some(0) && lines.matches(": ok").count() >= 6, "{lines}{errors}");
    let (lines, ..) = weft(&["schema"]);
    assert!(!lines.contains("0000000000"), "{lines}");
    assert!(lines.contains("acceleration of gravity [(0.0, -9.81, 0.0)]"), "{lines}");

    // The same for editors: nested, with what an object of a list has.
    let (json, ..) = weft(&["schema", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let cloth = &json["properties"]["cloths"]["items"]["properties"];
    assert_eq!(cloth["id"]["type"], "string");
    assert_eq!(cloth["material"]["properties"]["density"]["minimum"].to_string(), "0.001");
    assert_eq!(cloth["shape"]["properties"]["columns"]["type"], "integer");
    assert_eq!(cloth["handles"]["items"]["properties"]["shift"]["maxItems"], 3);
    assert!(json["properties"]["wind"]["properties"]["gust"]["default"] == 0.0);
    assert!(json["properties"]["solver"]["properties"]["params"]["additionalProperties"].is_object());
    let weave = &cloth["material"]["properties"]["membrane"]["enum"];
    assert!(weave.as_array().is_some_and(|names| names.iter().any(|name| name == "StVK")), "{weave}");
}

#[test]
fn a_note_on_a_scene_is_told_once_for_its_text() {
    let folder = places::temporary("notes");
    let file = |name: &str| folder.join(name);
    let text = |width: f32| {
        format!(
            "Scene(version: 1, cloths: [Cloth(id: \"a\", shape: Grid(columns: 4, rows: 4, width: {width:?}, height: 1.0), \
             pins: [Within(at: (9.0, 9.0, 9.0), radius: 0.1)])])"
        )
    };
    let write = |name: &str, text: &str| std::fs::write(file(name), text).expect("a file");
    write("a.ron", &text(1.0));
    write("b.ron", &text(1.0).replace("radius: 0.1", "radius: 99.0"));
    let options = Options { scene: file("a.ron"), threads: 1, live: false, ..Options::default() };
    let mut session = Session::open(options).expect("a scene");
    let mut told = |open: &str| {
        if !open.is_empty() {
            session.open_scene(&file(open)).expect("a scene");
        }
        let said = session.step().expect("a step");
        said.iter().filter(|notice| notice.text.contains("holds no particle")).count()
    };
    assert_eq!(["", "b.ron", "a.ron", "a.ron"].map(&mut told), [1, 0, 0, 0]);
    write("a.ron", &text(2.0));
    assert_eq!(["a.ron", "b.ron", "a.ron"].map(&mut told), [1, 0, 0]);
}

/// A session on a scene of its own, and what polls say after a save of other text.
fn live(name: &str, text: &str) -> (Session, impl Fn(&mut Session, &str) -> Vec<Notice> + use<>) {
    let scene = places::temporary(name).join("a.ron");
    std::fs::write(&scene, text).expect("a file");
    let options = Options { scene: scene.clone(), threads: 1, live: true, ..Options::default() };
    let session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    std::thread::sleep(std::time::Duration::from_millis(100));
    let save = move |session: &mut Session, text: &str| {
        std::fs::write(&scene, text).expect("a save");
        process::poll("a line about the save", || {
            let notices = session.poll().notices;
            notices.iter().any(|notice| notice.kind == "scene").then_some(notices)
        })
    };
    (session, save)
}

/// Thick strands are said of each text that has them and comes after one that has not; no step is done, as while it is paused.
#[test]
fn what_a_save_brings_is_noted_and_what_stands_is_not_said_again() {
    let text = |damping: f32, radius: f32, above: &str| {
        format!(
            "{above}(version: 1, air_damping: {damping:?}, strands: [(id: \"hair\", length: 0.2, particles: 12, \
             roots: Points(at: [(0, 1, 0)]), material: (radius: ({radius:?}, {radius:?})))])"
        )
    };
    let (mut session, save) = live("notes-live", &text(0.1, 1e-4, ""));
    let mut noted = |damping: f32, radius: f32, above: &str| {
        let said = save(&mut session, &text(damping, radius, above));
        said.iter().filter(|notice| notice.text.contains("a rod bends over more than its thickness")).count()
    };
    assert_eq!(noted(0.1, 0.02, ""), 1);
    assert_eq!(noted(0.2, 0.02, "// It is written in another line now.\n"), 0);
    assert_eq!(noted(0.2, 1e-4, ""), 0);
    assert_eq!(noted(0.3, 0.02, ""), 1);
    assert_eq!(noted(0.3, 0.015, ""), 1, "others than before");
}

#[test]
fn mistakes_in_a_save_come_with_what_to_do_about_each() {
    let good = "(version: 1, air_damping: 0.1,\n  cloths: [(id: \"a\", shape: Disc(radius: 0.1, rings: 2))])";
    let (mut session, save) = live("mistakes-live", good);
    let bad = good.replace("damping: 0.1", "damping: -1.0").replace("rings: 2", "rings: 0");
    let said = save(&mut session, &bad);
    let notice = said.iter().find(|notice| notice.kind == "scene").expect("it is refused");
    assert!(notice.text.contains("a.ron:1:27: ") && notice.text.contains("(and 1 more error)"), "{notice:?}");
    let all = weft_scene::load(session.setup().path(), &weft_scene::Vocabulary::default()).expect_err("bad");
    let (first, below) =
        all.to_string().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("lines");
    assert!(notice.text.starts_with(&first), "{notice:?}");
    assert_eq!(notice.more, below.trim_end());
    assert_eq!(notice.more.matches("help: ").count(), 2, "{}", notice.more);
    // A parameter that waits for code.
    let waits = good.replace("cloths", "solver: (name: \"xpbd\", params: {\"iteratons\": 2}), cloths");
    let said = save(&mut session, &waits);
    let notice = said.iter().find(|notice| notice.kind == "scene").expect("it waits");
    assert!(
        notice.text.contains("(it waits for code that takes it")
            && notice.more.contains("help: did you mean"),
        "{notice:?}"
    );
}
