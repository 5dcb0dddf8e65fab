//! `weft determinism`: good solvers give the same bits; one that keeps something outside of its columns is found, to the row.

use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicU32, Ordering},
};

use sim::{solvers, state::TABLES, substep::Sim};
use sim_api::{Api, FINGERPRINT, Frame, List, Status, TableView, catch_step};
use tests::{left_out, places, process};
use weft_engine::generation::Generation;
use weft_proof::determinism::{DeterminismOptions, run, together};
use weft_session::{Options, Session};

fn options(solver: &str) -> Options {
    let values = [("cloths[0].shape.columns", "17"), ("cloths[0].shape.rows", "13")];
    let set = values.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let scene = places::scene("drape_on_sphere.ron");
    Options { scene, solver: Some(solver.to_string()), set, ..Options::default() }
}

#[test]
fn good_solvers_give_the_same_bits() {
    for solver in ["xpbd", "vbd", "implicit_newton"] {
        let options = DeterminismOptions { session: options(solver), frames: 24, threads: vec![1, 2, 3] };
        let outcomes = run(&options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(outcomes.len(), 4, "three numbers of threads, and back in time");
        assert!(outcomes.iter().all(|outcome| outcome.difference.is_none()), "{solver}: {outcomes:?}");
    }
}

/// The built-in code with a memory of its own: every thousandth step of the process pushes one particle.
static FORGETFUL: LazyLock<&'static Api> = LazyLock::new(|| {
    Box::leak(Box::new(Api {
        fingerprint: FINGERPRINT,
        size: size_of::<Api>(),
        tables: List::new(TABLES),
        solvers: List::new(&solvers::DESCRIPTIONS),
        readings: List::new(sim::self_collision::READINGS),
        step: forgetful,
    }))
});

static STEPS: AtomicU32 = AtomicU32::new(0);
/// The step that pushes, and the particle.
const PUSHES: u32 = 9;
const PUSHED: usize = 77;

unsafe extern "C" fn forgetful(frame: *mut Frame) -> Status {
    let run = |frame: &Frame| {
        let views: &[TableView] = frame.tables();
        let solver = &solvers::SOLVERS[frame.solver as usize];
        // SAFETY: the host bound the tables of the built-in code.
        let state = unsafe { sim::state::State::bind(views) }.expect("the built-in tables");
        if STEPS.fetch_add(1, Ordering::Relaxed) == PUSHES {
            state.particle.velocity[PUSHED][0] += 0.5;
        }
        (solver.step)(&mut Sim::new(frame, solver, state));
        Status::Ok
    };
    // SAFETY: the frame is the host's.
    unsafe { catch_step(frame, run) }
}

#[test]
fn what_is_kept_outside_of_columns_is_found_in_its_frame() {
    let open = || {
        let mut session =
            Session::open(Options { threads: 1, ..options("explicit") }).unwrap_or_else(|e| panic!("{e}"));
        // SAFETY: the library is this program.
        let code = unsafe { Generation::from_api(*FORGETFUL, 3, 0) }.expect("it fits");
        session.use_code(Arc::new(code)).unwrap_or_else(|e| panic!("{e}"));
        session
    };
    let (mut first, mut other) = (open(), open());
    // They step in turns: the tenth step of both together is the other's fifth.
    let found = together(&mut first, &mut other, 30).unwrap_or_else(|e| panic!("{e}"));
    let found = found.expect("one of them was pushed");
    assert_eq!(found.frame, u64::from(PUSHES / 2 + 1));
    assert!(found.column.starts_with("particle."), "{found:?}");
    assert_ne!(found.values[0], found.values[1]);
}

#[test]
fn the_command_says_so_with_its_exit_code() {
    if !places::weft().exists()
        && left_out("the_command_says_so_with_its_exit_code", "the program (cargo build)")
    {
        return;
    }
    let scene = places::scene("hanging.ron");
    let scene = scene.to_str().expect("a plain path");
    let small = ["--set", "cloths[0].shape.columns=9", "--frames", "12", "--threads", "1,2"];
    let output = process::weft(&places::root(), &[&["determinism", scene], &small[..]].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(0) && said.matches("same bits").count() == 3, "{said}");
    // 0 is as many threads as there are cores, and that many is said.
    let all = ["--set", "cloths[0].shape.columns=9", "--frames", "1", "--threads", "0"];
    let output = process::weft(&places::root(), &[&["determinism", scene], &all[..]].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let whom = if cores == 1 { "1 thread, once more".into() } else { format!("{cores} threads") };
    assert!(said.contains(&format!("  {whom} ")) && said.contains("1 frame(s)"), "{said}");
    let output = process::weft(&places::root(), &["determinism", scene, "--solver", "mime"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("there is no solver `mime`"), "{said}");
}

#[test]
fn a_mistyped_command_is_told_from_a_scene() {
    if !places::weft().exists()
        && left_out("a_mistyped_command_is_told_from_a_scene", "the program (cargo build)")
    {
        return;
    }
    for (word, says) in [
        ("rum", "did you mean `weft run`?"),
        ("valdiate", "did you mean `weft validate`?"),
        ("qqqqqqqqq", "weft --help"),
    ] {
        let output = process::weft(&places::root(), &[word]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(says), "{word}: {said}");
    }
}
