//! Solvers side by side on one state: each does what it does alone, and what is said of them is so.

use glam::Vec3;
use tests::{left_out, mutant, picture::Picture, places, process};
use weft_core::state::{StateHash, col};
use weft_engine::generation::Generation;
use weft_proof::runs::{RunsOptions, Spec};
use weft_scene::{RunPath, SolverChoice};
use weft_session::{
    Options, Session,
    beside::{MOST_BESIDE, Own, Twin},
};

const FRAMES: u64 = 30;

fn open(solver: &str, more: &[(&str, &str)]) -> Session {
    let values = [("cloths[0].shape.columns", "23"), ("cloths[0].shape.rows", "19")];
    let set = values.iter().chain(more).map(|(path, value)| ((*path).to_string(), (*value).to_string()));
    let (scene, solver) = (places::scene("drape_on_sphere.ron"), Some(solver.to_string()));
    let options = Options { scene, solver, threads: 1, set: set.collect(), ..Options::default() };
    Session::open(options).unwrap_or_else(|e| panic!("{e}"))
}

fn choice(session: &Session, name: &str) -> SolverChoice {
    let mut choice = session.setup().file().solver.clone();
    choice.choose(name);
    choice
}

fn hash(session: &Session) -> StateHash {
    StateHash::of(&session.run().state)
}

/// A frame; the ball is moved in the tenth.
fn frame(session: &mut Session, frame: u64) {
    if frame == 10 {
        session.drag_collider(0, Vec3::new(0.1, 0.02, 0.0));
    }
    session.step().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn each_solver_does_beside_others_what_it_does_alone() {
    let names = ["vbd", "explicit", "pbd_jacobi"];
    let alone: Vec<StateHash> = names
        .iter()
        .chain(&["xpbd"])
        .map(|name| {
            let mut session = open(name, &[]);
            (0..FRAMES).for_each(|i| frame(&mut session, i));
            hash(&session)
        })
        .collect();
    let mut session = open("xpbd", &[]);
    for name in names {
        let choice = choice(&session, name);
        session.add_beside(choice).unwrap_or_else(|e| panic!("{e}"));
    }
    (0..FRAMES).for_each(|i| frame(&mut session, i));
    assert_eq!(hash(&session), alone[3]);
    let twins = session.timeline().beside().twins();
    for (twin, (name, alone)) in twins.iter().zip(names.iter().zip(&alone)) {
        assert_eq!(StateHash::of(&twin.run.state), *alone, "{name}");
        assert!(twin.problem.is_none() && twin.ms() > 0.0);
        let rows = twin.run.state.get(col::particle::position).iter().zip(session.positions());
        let apart = rows.map(|(a, b)| (0..3).map(|i| f64::from(a[i] - b[i]).powi(2)).sum::<f64>().sqrt());
        let apart = weft_core::statistics::largest(apart);
        assert!((twin.difference.now - apart).abs() <= 1e-6 * apart && apart > 1e-4, "{name}: {apart}");
    }
    assert!(session.timeline().beside().ms() > 0.0);
    // Each is measured from its own state.
    session.measure();
    let stretch = |name: &str| {
        let mut other = open(name, &[]);
        (0..FRAMES).for_each(|i| frame(&mut other, i));
        other.measure();
        other.report().measured().rows.stretch
    };
    for (twin, name) in session.timeline().beside().twins().iter().zip(names) {
        assert_eq!(twin.measured().rows.stretch, stretch(name), "{name}");
    }
    let residuals = |session: &Session| {
        let twins = session.timeline().beside().twins().iter().map(|twin| &twin.run);
        let known = |run: &&weft_engine::run::Run| {
            run.readings.get("residual").is_some_and(|residual| residual.is_finite())
        };
        twins.chain([session.run()]).filter(known).count()
    };
    assert!(residuals(&session) > 1);
    // Together they begin at one state, and a reset takes all along, but nothing that a step said.
    session.begin_together();
    let all = session.timeline().beside().twins();
    assert!(all.iter().all(|twin| StateHash::of(&twin.run.state) == hash(&session)));
    session.reset().unwrap();
    assert!(session.timeline().beside().twins().iter().all(|twin| twin.run.frame == 0));
    assert_eq!(residuals(&session), 0);
}

#[test]
fn values_of_a_run_beside_are_its_own() {
    let mut session = open("xpbd", &[]);
    let same = choice(&session, "xpbd");
    session.add_beside(same).unwrap();
    (0..5).for_each(|_| _ = session.step().unwrap());
    assert_eq!(session.timeline().beside().twins()[0].difference.largest, 0.0, "the same solver and values");
    let substeps = *session.solver().and_then(|solver| solver.param("substeps")).expect("a parameter");
    session.set_beside_param(0, &substeps, 23.0);
    assert_eq!(session.timeline().beside().twins()[0].run.param("substeps"), Some(23.0));
    assert_ne!(session.run().param("substeps"), Some(23.0));
    let before = hash(&session);
    let mut alone = open("xpbd", &[]);
    (0..5).for_each(|_| _ = alone.step().unwrap());
    assert_eq!(hash(&alone), before);
    alone.set_param(&substeps, 23.0);
    for session in [&mut session, &mut alone] {
        (0..10).for_each(|_| _ = session.step().unwrap());
    }
    let twin = &session.timeline().beside().twins()[0];
    assert_eq!(StateHash::of(&twin.run.state), hash(&alone), "a value that changes on the way");
    assert!(twin.difference.largest > 0.0);
    // Another solver for the same place, and the end of it.
    session.choose_beside(0, "verlet");
    assert_eq!(session.timeline().beside().twins()[0].run.solver, "verlet");
    session.step().unwrap();
    session.remove_beside(0);
    assert!(session.timeline().beside().twins().is_empty());
}

#[test]
fn new_code_and_a_new_scene_take_them_along() {
    let mut session = open("xpbd", &[]);
    for name in ["vbd", "explicit"] {
        let choice = choice(&session, name);
        session.add_beside(choice).unwrap();
    }
    (0..4).for_each(|_| _ = session.step().unwrap());
    let states = |session: &Session| -> Vec<StateHash> {
        session.timeline().beside().twins().iter().map(|twin| StateHash::of(&twin.run.state)).collect()
    };
    let before = states(&session);
    session.use_code(Generation::built_in()).unwrap();
    assert_eq!(states(&session), before, "other code, the same states");
    session.step().unwrap();
    // The code before has a place of its own beside them.
    session.start_compare().unwrap();
    let own: Vec<bool> =
        session.timeline().beside().twins().iter().map(|twin| *twin.own() == Own::Code).collect();
    assert_eq!(own, [false, false, true]);
    let choice = choice(&session, "vbd");
    let full = session.add_beside(choice).unwrap_err();
    assert!(full.contains(&format!("{}", 1 + MOST_BESIDE)), "{full}");
    session.end_compare();
    // Code without the solver ends that run and says so; the others go on.
    session.use_code(mutant::code()).unwrap();
    let left: Vec<&str> =
        session.timeline().beside().twins().iter().map(|twin| twin.run.solver.as_str()).collect();
    let known: Vec<&str> = session.solvers().iter().map(|solver| solver.name.as_str()).collect();
    assert!(left.iter().all(|name| known.contains(name)), "{left:?} of {known:?}");
    // Another grid: all begin anew with it.
    session.use_code(Generation::built_in()).unwrap();
    session.edit("cloths[linen].shape.columns", &weft_scene::Edit::Numbers(vec![11.0])).unwrap();
    session.step().unwrap();
    let rows = session.positions().len();
    for twin in session.timeline().beside().twins() {
        assert!(twin.problem.is_none(), "{:?}", twin.problem);
        assert_eq!(twin.positions().len(), rows);
    }
    let unknown = SolverChoice { name: "nobody".into(), ..SolverChoice::default() };
    assert!(session.add_beside(unknown).unwrap_err().contains("no solver `nobody`"));
}

/// Name and values of the solvers beside.
fn beside(session: &Session) -> Vec<String> {
    let twins = session.timeline().beside().twins().iter();
    let text = |choice: &SolverChoice| {
        let values = choice.params.iter().map(|(name, value)| format!(" {name} {value}"));
        format!("{}{}", choice.name, values.collect::<String>())
    };
    twins.filter_map(|twin| twin.choice().map(text)).collect()
}

#[test]
fn what_a_scene_lists_runs_beside_it_as_the_list_is() {
    let folder = places::temporary("listed");
    let text = |runs: &str| {
        format!(
            r#"(version: 1, solver: (params: {{"substeps": 3}}, others: {{"vbd": {{"substeps": 2}}}}), runs: [{runs}],
            cloths: [(id: "a", shape: Grid(columns: 9, rows: 8, width: 1, height: 1), at: (0, 2, 0))])"#
        )
    };
    let write = |name: &str, runs: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text(runs)).expect("a scene");
        file
    };
    let two = r#"(name: "vbd", params: {"iterations": 3}), (name: "explicit", path: Gpu)"#;
    let options = Options { scene: write("two.ron", two), threads: 1, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(beside(&session), [""; 0], "who does not look at them does not pay for them");
    session.show_listed();
    assert_eq!(beside(&session), ["vbd iterations 3 substeps 2", "explicit"]);
    let paths: Vec<RunPath> = session.timeline().beside().twins().iter().map(Twin::path).collect();
    assert_eq!(paths, [RunPath::Cpu, RunPath::Gpu]);
    (0..4).for_each(|_| _ = session.step().unwrap());
    // Another value: the run goes on, as that of the panel does.
    let vbd = StateHash::of(&session.timeline().beside().twins()[0].run.state);
    let mut scene = session.scene().clone();
    scene.runs[0].params.insert("iterations".into(), weft_scene::Value::Number(5.0));
    scene.runs.pop();
    session.apply(scene.clone()).unwrap();
    assert_eq!(beside(&session), ["vbd iterations 5 substeps 2"]);
    assert_eq!(StateHash::of(&session.timeline().beside().twins()[0].run.state), vbd);
    assert_eq!(session.timeline().beside().twins()[0].run.param("iterations"), Some(5.0));
    // What somebody ends stays so until the list is another one.
    session.remove_beside(0);
    session.edit("air_damping", &weft_scene::Edit::Numbers(vec![0.3])).unwrap();
    assert_eq!(beside(&session), [""; 0]);
    scene.air_damping = 0.3;
    scene.runs[0].name = "verlet".into();
    scene.runs[0].params.clear();
    session.apply(scene).unwrap();
    assert_eq!(beside(&session), ["verlet"]);
    // Another scene's list, and one that has none; where neither has one, a choice stays.
    session.open_scene(&write("one.ron", r#"(name: "xpbd", params: {"substeps": 9})"#)).unwrap();
    assert_eq!(beside(&session), ["xpbd substeps 9"]);
    session.open_scene(&write("none.ron", "")).unwrap();
    assert_eq!(beside(&session), [""; 0]);
    let own = choice(&session, "vbd");
    session.add_beside(own).unwrap();
    session.open_scene(&write("none_too.ron", "")).unwrap();
    assert_eq!(beside(&session), ["vbd substeps 2"]);
}

#[test]
fn a_scene_with_a_list_runs_it_from_the_command_line() {
    if no_program("a_scene_with_a_list_runs_it_from_the_command_line") {
        return;
    }
    let scene = places::scene("four_solvers.ron");
    let scene = scene.to_str().expect("a plain path");
    let rows = |more: &[&str]| {
        let (good, out, err) = weft(&[&["run", scene, "--frames", "3", "--json"], more].concat());
        assert!(good, "{more:?}: {err}");
        let found: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
        (found, err)
    };
    let (found, said) = rows(&["--set", "runs[1].params.iterations=2"]);
    let names: Vec<&str> =
        found["runs"].as_array().expect("rows").iter().filter_map(|row| row["run"].as_str()).collect();
    let listed = ["xpbd", "pbd_gauss_seidel", "vbd:iterations=2,substeps=4", "projective_dynamics"];
    assert_eq!(names, listed);
    assert!(said.contains("side by side, as the scene lists them"), "{said}");
    let (same, _) = rows(&["--runs", &listed.join(",")]);
    let hashes = |found: &serde_json::Value| -> Vec<serde_json::Value> {
        found["runs"].as_array().expect("rows").iter().map(|row| row["state_hash"].clone()).collect()
    };
    assert_eq!(hashes(&found), hashes(&same));
    // What is for one run takes the scene's own, and says so.
    let (alone, said) = rows(&["--solver", "xpbd"]);
    assert!(
        alone["solver"] == "xpbd" && said.contains("3 more run(s): left out, --solver is for one"),
        "{said}"
    );
}

/// Runs the program; what it printed.
fn weft(arguments: &[&str]) -> (bool, String, String) {
    let output = process::weft(&places::root(), arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

fn no_program(test: &str) -> bool {
    !places::weft().exists() && left_out(test, "the program beside it (cargo build)")
}

#[test]
fn the_command_line_gives_each_run_what_it_gives_it_alone() {
    if no_program("the_command_line_gives_each_run_what_it_gives_it_alone") {
        return;
    }
    let scene = places::scene("hanging.ron");
    let scene = scene.to_str().expect("a plain path");
    let common =
        ["--frames", "20", "--set", "cloths[0].shape.columns=17", "--set", "cloths[0].shape.rows=17"];
    let json = |more: &[&str]| {
        let (good, out, err) = weft(&[&["run", scene, "--json"], &common[..], more].concat());
        assert!(good, "{more:?}: {err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
    };
    let folder = places::temporary("side_by_side");
    let shot = folder.join("runs.png");
    let list = "xpbd,vbd:iterations=3,substeps=20,explicit";
    let shot_text = shot.to_str().expect("a plain path");
    let found = json(&["--runs", list, "--shot", shot_text, "--size", "600x400"]);
    let alone = [
        json(&["--solver", "xpbd"]),
        json(&["--solver", "vbd", "--set", "solver.iterations=3", "--set", "solver.substeps=20"]),
        json(&["--solver", "explicit"]),
    ];
    let rows = found["runs"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    for (row, alone) in rows.iter().zip(&alone) {
        assert_eq!(row["state_hash"], alone["state_hash"], "{row}");
        let stretch = alone["readings"]["stretch_p95"].as_f64().map(|part| 100.0 * part);
        assert_eq!(row["stretch_p95_percent"].as_f64(), stretch, "{row}");
        assert!(row["ms_p50"].as_f64().is_some_and(|ms| ms > 0.0) && row["failure"].is_null());
    }
    assert!(rows[0]["apart_mm"].is_null() && rows[1]["apart_mm"].as_f64().is_some_and(|apart| apart > 0.0));
    let picture = Picture::png(&shot);
    assert_eq!((picture.width, picture.height), (600, 400));
    assert!(picture.colors() > 500);
    // Every solver on one sheet: one that has no form of the cloth's constraints says so.
    let poster = folder.join("poster.png");
    let size = ["--size", "800x600"];
    let out = ["poster", scene, "--out", poster.to_str().expect("a plain path"), "--frames", "5"];
    let (good, out, err) = weft(&[&out[..], &common[2..], &size].concat());
    assert!(good, "{out}{err}");
    let count = Generation::built_in().solvers().len();
    for solver in Generation::built_in().solvers() {
        assert!(out.lines().any(|line| line.starts_with(solver.name.as_str())), "{}: {out}", solver.name);
    }
    assert!(out.contains("follow_the_leader leaves ") && count > 10, "{out}");
    assert_eq!(Picture::png(&poster).width, 800);
}

#[test]
fn a_bad_list_of_runs_is_explained() {
    if no_program("a_bad_list_of_runs_is_explained") {
        return;
    }
    let scene = places::scene("hanging.ron");
    let scene = scene.to_str().expect("a plain path");
    for (arguments, says) in [
        (&["--runs", "xpbd,vdb"][..], "did you mean `vbd`?"),
        (&["--runs", "xpbd:steps=3"], "no parameter `steps`"),
        (&["--runs", "xpbd@tpu"], "the paths @cpu and @gpu"),
        (&["--runs", "xpbd", "--solver", "vbd"], "cannot be used with"),
        (&["--same-ms"], "--runs <LIST>"),
        (&["--runs", "all", "--shot", "x.png", "--size", "100x60"], "have no room there"),
    ] {
        let (good, out, err) = weft(&[&["run", scene, "--frames", "2"], arguments].concat());
        assert!(!good && err.contains(says), "{arguments:?}: {out}{err}");
    }
}

#[test]
fn any_column_is_a_colour() {
    if no_program("any_column_is_a_colour") {
        return;
    }
    let folder = places::temporary("columns");
    let scene = places::scene("flag.ron");
    let scene = scene.to_str().expect("a plain path");
    for (view, says) in [
        ("particle.velocity", "particle.velocity 0 to "),
        ("distance.force", "distance.force -"),
        ("distance.kind", "distance.kind 0 to "),
        ("hinge.rest_angle", "hinge.rest_angle "),
    ] {
        let file = folder.join(format!("{view}.png"));
        let file = file.to_str().expect("a plain path");
        let arguments = ["run", scene, "--frames", "20", "--view", view, "--shot", file, "--size", "320x300"];
        let (good, _, err) = weft(&arguments);
        assert!(good && err.contains(says), "{view}: {err}");
        assert!(Picture::png(std::path::Path::new(file)).colors() > 300, "{view}");
    }
    let (good, _, err) = weft(&["run", scene, "--view", "distance.forse", "--shot", "x.png"]);
    assert!(!good && err.contains("did you mean `force`?"), "{err}");
}

#[test]
fn a_run_that_the_gpu_path_refuses_stands_and_the_others_run() {
    let folder = places::temporary("refused_run");
    let file = folder.join("a.ron");
    let text = r#"(version: 1, cloths: [(id: "a", shape: Grid(columns: 9, rows: 9, width: 1.0, height: 1.0))],
        runs: [(name: "projective_dynamics", path: Gpu), (name: "vbd")])"#;
    std::fs::write(&file, text).expect("a scene");
    // What needs no adapter to be known is known without one.
    let refused = weft_proof::runs::refused(&file).expect("it is read");
    assert!(
        matches!(&refused[..], [(run, why)] if run.to_string() == "projective_dynamics@gpu" && why.contains("not offered")),
        "{refused:?}"
    );
    let session = Options { scene: file, threads: 1, ..Options::default() };
    let specs = Spec::of_scene(&session).expect("runs");
    let gpu = weft_gpu::GpuOptions::default();
    let of =
        |specs| RunsOptions { session: session.clone(), specs, gpu: gpu.clone(), frames: 4, same_ms: false };
    let outcomes = weft_proof::runs::run(&of(specs.clone()), &|_| Ok(())).expect("the others run");
    let done: Vec<(u64, bool)> =
        outcomes.iter().map(|run| (run.session.run().frame, run.failure.is_some())).collect();
    assert_eq!(done, [(4, false), (0, true), (4, false)]);
    let why = outcomes[1].failure.as_deref().expect("a reason");
    assert!(why.starts_with("before its first frame: "), "{why}");
    assert!(outcomes[1].ms.is_none(), "it has no times, and the table none of its numbers");
    assert!(outcomes[2].apart.is_some() && outcomes[1].apart.is_none());
    let none = weft_proof::runs::run(&of(vec![specs[1].clone()]), &|_| Ok(())).err().expect("nothing runs");
    assert!(none.to_string().contains("before its first frame"), "{none}");
}
