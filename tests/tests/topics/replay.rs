//! A recording replays to the same bits, whatever came in while it was made, on any number of threads; what is another run is
//! told from it, down to the row.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use glam::{Quat, Vec2, Vec3};
use sim_api::{Api, FINGERPRINT, Frame, List, Status, TableView, catch_step};
use tests::{left_out, places, process};
use weft_core::state::StateHash;
use weft_engine::generation::Generation;
use weft_proof::replay::{self, ReplayOptions};
use weft_scene::Edit;
use weft_session::{
    Session,
    player::{CodeChoice, Played},
    tape::{Input, LINE, Line, What},
};
use weft_timings::{Head, Log, read};

use crate::filmed::Filmed;

const CLOTH: [(&str, &str); 2] = [("cloths[0].shape.columns", "19"), ("cloths[0].shape.rows", "17")];

fn played(file: &Path, threads: usize) -> (Played, Session) {
    let options =
        ReplayOptions { file: file.to_path_buf(), threads, until: None, code: CodeChoice::default() };
    replay::run(&options).unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) fn same_on_all_threads(file: &Path, end: StateHash) -> Played {
    let mut last = Played::default();
    for threads in [1, 2, 3] {
        let (played, session) = played(file, threads);
        if let Some(diverged) = &played.diverged {
            panic!("{threads} threads: {}\n{:?}", diverged, played.notes);
        }
        assert_eq!(StateHash::of(&session.run().state), end, "{threads} threads");
        last = played;
    }
    last
}

fn file(folder: &str) -> PathBuf {
    places::temporary(folder).join("session.weft")
}

#[test]
fn every_kind_of_input_replays_to_the_bit() {
    let file = file("replay_inputs");
    let mut filmed = Filmed::open(&file, "drape_on_sphere.ron", &CLOTH);
    filmed.steps(17);
    // The hand, with an edit in the middle of the pull.
    filmed.pull(0, 100, 6);
    filmed.session.edit("gravity", &Edit::Numbers(vec![0.3, -7.5, 0.1])).expect("a field");
    filmed.pull(0, 30, 5);
    filmed.session.release();
    filmed.steps(3);
    // A collider: swept, and put elsewhere while nothing moves.
    filmed.session.drag_collider(0, Vec3::new(0.15, 0.02, 0.0));
    filmed.steps(4);
    filmed.session.turn_collider(0, Quat::from_rotation_x(0.9));
    filmed.steps(3);
    filmed.session.set_paused(true);
    filmed.session.drag_collider(0, Vec3::new(0.0, 0.03, 0.05));
    filmed.session.turn_collider(0, Quat::from_rotation_z(0.3));
    filmed.session.set_paused(false);
    filmed.steps(3);
    // Solver, parameter, wind, undo and redo.
    filmed.session.choose_solver("vbd");
    filmed.steps(5);
    let substeps = filmed.session.solver().expect("it runs").params.as_slice()[0];
    filmed.session.set_param(&substeps, 7.0);
    filmed.session.edit("wind.velocity", &Edit::Numbers(vec![2.5, 0.0, 1.25])).expect("a field");
    filmed.steps(5);
    filmed.session.undo().expect("an edit");
    filmed.steps(2);
    filmed.session.redo().expect("the same again");
    filmed.session.choose_solver("xpbd");
    filmed.steps(5);
    // Scissors, which make the cloth one that tears.
    let above = |at: Vec3| Some(Vec2::new(at.x, at.z) * 100.0);
    let [from, to] = [5, 310].map(|particle| above(filmed.place(particle)).expect("seen"));
    let cut = filmed.session.cut(from, to, above).expect("cloth");
    assert!(cut > 5, "{cut} threads");
    filmed.steps(6);
    // Back in time and on; a loop of three passes and a bit, with a hand in it.
    filmed.pull(0, 200, 6);
    filmed.session.release();
    filmed.steps(4);
    let now = filmed.session.run().frame;
    filmed.session.go_to(now - 12).expect("kept");
    filmed.session.set_paused(false);
    filmed.session.edit("air_damping", &Edit::Numbers(vec![0.9])).expect("a field");
    filmed.steps(9);
    filmed.session.step_back().expect("kept");
    filmed.session.set_paused(false);
    filmed.pull(0, 55, 7);
    filmed.session.release();
    filmed.session.start_loop(8).expect("frames are kept");
    filmed.steps(27);
    filmed.session.end_loop();
    filmed.steps(3);
    // Other code of the same bits, a reset with the ball where the hand left it not, another grid.
    // SAFETY: the library is this program.
    let code = unsafe { Generation::from_api(sim_api_of(sim_step), 3, 0xabc) }.expect("it fits");
    filmed.session.use_code(Arc::new(code)).expect("the same tables");
    filmed.steps(4);
    filmed.session.reset().expect("the start");
    filmed.steps(12);
    let mut scene = filmed.session.scene().clone();
    weft_scene::set(&mut scene, "cloths[0].shape.columns", "13").expect("a field");
    assert_eq!(filmed.session.apply(scene).expect("a scene"), ["linen"], "it starts again");
    filmed.steps(11);
    // Another file.
    filmed.session.open_scene(&places::scene("ball_caught.ron")).expect("a scene");
    filmed.steps(10);
    filmed.pull(0, 40, 3);
    // A body with a mass.
    let ball = filmed.session.scene().colliders.iter().position(|body| body.mass > 0.0).expect("a ball");
    filmed.session.drag_collider(ball, Vec3::new(0.01, 0.02, 0.0));
    filmed.steps(2);
    filmed.session.turn_collider(ball, Quat::from_rotation_z(0.1));
    filmed.steps(13);
    let end = filmed.end();

    let played = same_on_all_threads(&file, end);
    let said = format!("{played:?}");
    let steps = read(&file).expect("it is read").frames.len() as u64;
    assert!(steps > 150 && played.steps == steps, "{steps}: {said}");
    assert!(played.hashes as u64 >= steps / 10, "a hash each ten steps: {said}");
    assert!(played.states >= 3 && played.inputs > 40, "{said}");
    assert!(played.notes.len() == 1 && played.notes[0].contains("generation 3 ran"), "{said}");
}

/// Where no passes offer a solver the CPU goes on: here, and where it is replayed.
#[test]
fn a_path_that_was_refused_replays() {
    let file = file("replay_refused_path");
    let small = [CLOTH[0], CLOTH[1], ("solver.name", "pbd_gauss_seidel")];
    let mut filmed = Filmed::open(&file, "hanging.ron", &small);
    filmed.steps(3);
    filmed.session.switch_path(Some(weft_gpu::GpuOptions::default()));
    assert!(filmed.session.gpu().is_none());
    // Said once, also where it is tried again.
    let told =
        |session: &mut Session| session.poll().notices.iter().filter(|notice| notice.kind == "gpu").count();
    assert_eq!(told(&mut filmed.session), 1);
    let at = filmed.place(100);
    filmed.session.grab(0, at, 0.08);
    assert_eq!(told(&mut filmed.session), 0);
    filmed.session.release();
    filmed.steps(5);
    let end = filmed.end();
    assert!(same_on_all_threads(&file, end).inputs > 1);
}

#[test]
fn strands_on_a_moving_seat_replay_to_the_bit() {
    let file = file("replay_strands");
    let mut filmed = Filmed::open(&file, "ponytail.ron", &[]);
    filmed.steps(5);
    let object = filmed.session.scene().cloths.len();
    let particle = filmed.session.objects()[object].particles.end - 3;
    filmed.pull(object, particle, 6);
    filmed.session.drag_collider(0, Vec3::new(0.02, 0.0, 0.03));
    filmed.steps(5);
    filmed.session.release();
    filmed.session.set_paused(true);
    filmed.session.drag_collider(0, Vec3::new(-0.05, 0.01, 0.0));
    filmed.steps(5);
    let end = filmed.end();
    same_on_all_threads(&file, end);
}

fn sim_api_of(step: unsafe extern "C" fn(*mut Frame) -> Status) -> &'static Api {
    Box::leak(Box::new(Api {
        fingerprint: FINGERPRINT,
        size: size_of::<Api>(),
        tables: List::new(sim::state::TABLES),
        solvers: List::new(&sim::solvers::DESCRIPTIONS),
        readings: List::new(sim::self_collision::READINGS),
        step,
    }))
}

/// The built-in code, as a library has it.
unsafe extern "C" fn sim_step(frame: *mut Frame) -> Status {
    // SAFETY: the frame is the host's.
    unsafe { catch_step(frame, |frame| run(frame, |_| {})) }
}

/// The same, but that it pushes a particle at one second.
unsafe extern "C" fn pushes(frame: *mut Frame) -> Status {
    let push = |state: &mut sim::state::State| state.particle.velocity[77][0] += 0.5;
    let run = |frame: &Frame| {
        run(frame, |state| {
            if (frame.time - PUSHED_AT).abs() < 1e-4 {
                push(state)
            }
        })
    };
    // SAFETY: the frame is the host's.
    unsafe { catch_step(frame, run) }
}

/// Before step 29 and 30 [s].
const PUSHED_AT: f32 = 29.0 / 60.0;

fn run(frame: &Frame, mut before: impl FnMut(&mut sim::state::State)) -> Status {
    let views: &[TableView] = frame.tables();
    let solver = &sim::solvers::SOLVERS[frame.solver as usize];
    // SAFETY: the host bound the tables of the built-in code.
    let mut state = unsafe { sim::state::State::bind(views) }.expect("the built-in tables");
    before(&mut state);
    (solver.step)(&mut sim::substep::Sim::new(frame, solver, state));
    Status::Ok
}

#[test]
fn other_code_diverges_in_its_frame_and_row() {
    let file = file("replay_code");
    // Without constraints that would spread the push.
    let mut filmed = Filmed::open(&file, "drape_on_sphere.ron", &CLOTH);
    // SAFETY: the library is this program.
    let code = unsafe { Generation::from_api(sim_api_of(pushes), 5, 0x5) }.expect("it fits");
    filmed.session.use_code(Arc::new(code)).expect("the same tables");
    filmed.steps(45);
    filmed.end();
    let (played, _) = played(&file, 2);
    let diverged = played.diverged.clone().expect("the push is not in the code of this program");
    let said = diverged.to_string();
    assert_eq!((diverged.frame, diverged.same), (30, Some(20)), "{said}");
    let (frame, found) = diverged.at.expect("thirty frames have a state");
    assert!(
        frame == 30 && found.column.starts_with("particle.") && found.values[0] != found.values[1],
        "{said}"
    );
    assert!(found.row <= 77 && said.contains("recorded  ") && said.contains("now       "), "{said}");
    assert!(played.notes.iter().any(|note| note.contains("generation 5 ran")), "{:?}", played.notes);
}

/// Writes the tape of a recording again, each line as `change` wants it.
fn rewritten(from: &Path, to: &Path, mut change: impl FnMut(&mut Line)) {
    let recording = read(from).expect("it is read");
    let mut log = Log::create(to, Head::default()).expect("a file");
    for (kind, record) in recording.tape {
        let mut record = record;
        if kind == LINE {
            let mut line: Line = serde_json::from_slice(&record).expect("a line");
            change(&mut line);
            record = serde_json::to_vec(&line).expect("JSON");
        }
        log.tape(kind, &[&record]).expect("it is written");
    }
    log.finish().expect("the end");
}

#[test]
fn a_tampered_parameter_is_found_to_the_row() {
    let file = file("replay_tampered");
    let mut filmed = Filmed::open(&file, "hanging.ron", &CLOTH);
    filmed.steps(12);
    let substeps = filmed.session.solver().expect("it runs").params.as_slice()[0];
    filmed.session.set_param(&substeps, 9.0);
    filmed.steps(30);
    let end = filmed.end();
    same_on_all_threads(&file, end);
    let tampered = file.with_file_name("tampered.weft");
    rewritten(&file, &tampered, |line| {
        if let What::Input(Input::Param { value, .. }) = &mut line.what {
            assert_eq!((*value, line.step, line.frame), (9.0, 12, 12));
            *value = 8.0;
        }
    });
    let (played, _) = played(&tampered, 1);
    let diverged = played.diverged.expect("other substeps");
    let said = diverged.to_string();
    assert_eq!((diverged.frame, diverged.same), (20, Some(10)), "{said}");
    let (frame, found) = diverged.at.expect("a state");
    assert!(frame == 30 && found.column == "particle.position" && found.rows[0] > 0, "{said}");
    assert!(said.starts_with("DIVERGED at frame 20") && said.contains("in frame 30"), "{said}");
}

#[test]
fn a_cut_recording_replays_what_is_left_or_says_why_not() {
    let file = file("replay_cut");
    let mut filmed = Filmed::open(
        &file,
        "hanging.ron",
        &[("cloths[0].shape.columns", "7"), ("cloths[0].shape.rows", "6")],
    );
    filmed.steps(15);
    filmed.pull(0, 20, 5);
    filmed.session.go_to(8).expect("kept");
    filmed.session.set_paused(false);
    filmed.steps(20);
    filmed.end();
    let bytes = fs::read(&file).expect("a file");
    let cut = file.with_file_name("cut.weft");
    let (mut parts, mut refused) = (0, 0);
    let places =
        (0..24).chain((24..bytes.len()).step_by(bytes.len() / 90)).chain(bytes.len() - 40..bytes.len());
    for end in places {
        fs::write(&cut, &bytes[..end]).expect("a file");
        match replay::run(&ReplayOptions {
            file: cut.clone(),
            threads: 1,
            until: None,
            code: CodeChoice::default(),
        }) {
            Ok((played, _)) => {
                parts += 1;
                assert!(played.diverged.is_none(), "cut at {end}: {played:?}");
            }
            Err(why) => {
                refused += 1;
                assert!(why.contains("cut") && why.contains("cut.weft"), "cut at {end}: {why}");
            }
        }
    }
    assert!(parts > 40 && refused > 10, "{parts} parts, {refused} refused");
}

#[test]
fn the_command_says_so_with_its_exit_code() {
    if !places::weft().exists()
        && left_out("the_command_says_so_with_its_exit_code", "the program (cargo build)")
    {
        return;
    }
    let folder = places::temporary("replay_command");
    let weft = |arguments: &[&str]| {
        let output = process::weft(&folder, arguments);
        let said =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code(), said)
    };
    let scene = places::scene("hanging.ron");
    let scene = scene.to_str().expect("a plain path");
    let small = ["--set", "cloths[0].shape.columns=9", "--frames", "43"];
    for name in ["a.weft", "a.csv"] {
        let (code, said) = weft(&[&["run", scene, "--record", name], &small[..]].concat());
        assert_eq!(code, Some(0), "{said}");
    }
    let (code, said) = weft(&["replay", "a.weft", "--threads", "3"]);
    assert!(code == Some(0) && said.contains("replayed 43 frames, 5 equal hashes"), "{said}");
    let (code, said) = weft(&["replay", "a.weft", "--until", "20", "--shot", "a.png", "--size", "64x64"]);
    assert!(code == Some(0) && said.contains("replayed 20 frames, 2 equal hashes"), "{said}");
    assert!(folder.join("a.png").is_file());
    let (code, said) = weft(&["report", "a.weft"]);
    assert!(code == Some(0) && said.contains("43"), "{said}");
    rewritten(&folder.join("a.weft"), &folder.join("b.weft"), |line| {
        if let (30, What::Hash(hash)) = (line.step, &mut line.what) {
            *hash ^= 1;
        }
    });
    let (code, said) = weft(&["replay", "b.weft"]);
    assert!(code == Some(1) && said.contains("DIVERGED at frame 30; frame 20 is the last"), "{said}");
    fs::write(folder.join("noise.weft"), [7; 300]).expect("a file");
    let mut newer = fs::read(folder.join("a.weft")).expect("a file");
    newer[8] = 99;
    fs::write(folder.join("newer.weft"), newer).expect("a file");
    for (file, says) in [
        ("a.csv", "record it again with this program, to a file that ends in .weft"),
        ("noise.weft", "noise.weft: "),
        ("newer.weft", "format 99"),
        ("none.weft", "cannot read none.weft"),
    ] {
        let (code, said) = weft(&["replay", file]);
        assert!(code == Some(2) && said.contains(says), "{file}: {code:?} {said}");
    }
}
