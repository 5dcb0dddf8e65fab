//! Two generations side by side, and loops across a swap of code.

use sim_api::Key;
use std::sync::{Arc, LazyLock};

use glam::Vec3;
use sim::{solvers, state::TABLES, substep::Sim};
use sim_api::{Api, ColumnDesc, FINGERPRINT, Frame, List, Status, TableDesc, TableView, catch_step};
use tests::{mutant, places};
use weft_core::state::StateHash;
use weft_engine::generation::Generation;
use weft_session::{Options, Session};

const FRAMES: u64 = 24;
/// The last of them, which run again and again.
const LOOP: u64 = 12;

fn hash(session: &Session) -> StateHash {
    StateHash::of(&session.run().state)
}

/// Frames with a pull at the cloth and a moved ball: hash and positions after each.
fn recorded(iterations: &str) -> (Session, Vec<StateHash>, Vec<Vec<[f32; 4]>>) {
    let set = |path: &str, value: &str| (path.to_string(), value.to_string());
    let overrides = vec![
        set("cloths[0].shape.columns", "15"),
        set("cloths[0].shape.rows", "13"),
        set("solver.iterations", iterations),
    ];
    let scene = places::scene("drape_on_sphere.ron");
    let mut session = Session::open(Options { scene, threads: 1, set: overrides, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    let (mut hashes, mut positions) = (vec![hash(&session)], vec![session.positions().to_vec()]);
    for frame in 0..FRAMES {
        if frame == 6 {
            let at = session.positions()[90];
            session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.06);
            session.drag_collider(0, Vec3::new(0.1, 0.02, 0.0));
        }
        if let Some(grab) = session.hand().grab() {
            session.move_grab(grab.target + Vec3::new(0.01, 0.01, 0.0));
        }
        if frame == 15 {
            session.release();
        }
        session.step().unwrap_or_else(|e| panic!("{e}"));
        hashes.push(hash(&session));
        positions.push(session.positions().to_vec());
    }
    (session, hashes, positions)
}

/// As a swap in the window does it, without the files.
fn swap(session: &mut Session, code: Arc<Generation>) {
    session.use_code(code).unwrap();
}

fn step(session: &mut Session) {
    session.step().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn equal_code_differs_by_nothing() {
    let (mut session, hashes, _) = recorded("2");
    assert!(
        session.code_before().is_none()
            && session.start_compare().unwrap_err().contains("only one generation")
    );
    swap(&mut session, Generation::built_in());
    session.start_loop(FRAMES).unwrap();
    session.start_compare().unwrap();
    for frame in (1..=FRAMES as usize).chain(1..=FRAMES as usize) {
        step(&mut session);
        let twin = session.timeline().twin().expect("it steps along");
        assert_eq!(
            (hash(&session), StateHash::of(&twin.run.state)),
            (hashes[frame], hashes[frame]),
            "{frame}"
        );
        let found = &twin.difference;
        assert_eq!((found.steps, found.now, found.largest), (frame as u64, 0.0, 0.0));
        assert_eq!(found.energy[0].to_bits(), found.energy[1].to_bits());
        assert!(found.ms().iter().all(|ms| *ms > 0.0), "{:?}", found.ms());
    }
    // Outside a loop it goes on from the present, with the hand in both.
    session.end_loop();
    session.start_compare().unwrap();
    let at = session.positions()[100];
    session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.1);
    for _ in 0..10 {
        session.move_grab(session.hand().grab().unwrap().target + Vec3::Y * 0.02);
        step(&mut session);
    }
    session.release();
    (0..10).for_each(|_| step(&mut session));
    let twin = session.timeline().twin().unwrap();
    assert_eq!((twin.difference.steps, twin.difference.largest), (20, 0.0));
    assert_eq!(hash(&session), StateHash::of(&twin.run.state));
    // After a reset both are at the start.
    session.reset().unwrap();
    step(&mut session);
    assert_eq!(session.timeline().twin().unwrap().difference.steps, 1);
}

#[test]
fn other_code_differs_by_what_its_own_run_does() {
    let (mut session, hashes, positions) = recorded("3");
    swap(&mut session, mutant::bad_edit());
    session.start_loop(FRAMES).unwrap();
    session.start_compare().unwrap();
    let mut largest = 0.0_f64;
    for frame in 1..=FRAMES as usize {
        step(&mut session);
        let twin = session.timeline().twin().unwrap();
        assert_eq!(
            StateHash::of(&twin.run.state),
            hashes[frame],
            "the code before does what it did, frame {frame}"
        );
        let apart = positions[frame].iter().zip(session.positions()).map(|(a, b)| {
            let square: f64 = (0..3).map(|i| (f64::from(a[i]) - f64::from(b[i])).powi(2)).sum();
            square.sqrt()
        });
        let apart: Vec<f64> = apart.collect();
        let now = weft_core::statistics::largest(apart.iter().copied());
        largest = largest.max(now);
        assert_eq!((twin.difference.now, twin.difference.largest), (now, largest), "frame {frame}");
        assert_eq!(apart[twin.difference.particle], now);
    }
    assert!(largest > 1e-3, "the codes differ: {largest}");
    let difference = |name: &str| {
        weft_session::readings::find(&session.run().generation, name)
            .expect("it is listed")
            .of(&session.readings())
    };
    assert_eq!(difference("code_difference"), session.timeline().twin().map(|twin| twin.difference.now));
    // The next generation is compared with this one, from the start of the pass.
    let bad = hash(&session);
    swap(&mut session, Generation::built_in());
    assert_eq!((session.run().frame, session.timeline().twin().unwrap().difference.steps), (0, 0));
    (0..FRAMES).for_each(|_| step(&mut session));
    assert_eq!(hash(&session), hashes[FRAMES as usize]);
    assert_eq!(StateHash::of(&session.timeline().twin().unwrap().run.state), bad);
    // A solver that the code before has not: it says so and stands still, the present one goes on.
    swap(&mut session, mutant::code());
    session.choose_solver("forgets_lambda");
    step(&mut session);
    let problem = session.timeline().twin().unwrap().problem.as_ref().map(ToString::to_string);
    assert!(problem.is_some_and(|text| text.contains("no solver `forgets_lambda`")));
    session.end_compare();
    assert!(session.start_compare().unwrap_err().contains("has no solver `forgets_lambda`"));
    step(&mut session);
    assert_eq!((session.timeline().twin().is_none(), session.run().frame), (true, 2));
}

/// The built-in code with one more column, which grows by the step and pushes the cloth.
static WARM: LazyLock<&'static Api> = LazyLock::new(|| {
    let particle = TABLES[0].columns.as_slice();
    let template =
        particle.iter().find(|column| column.name.as_str() == "predicted").expect("a state column");
    let more = ColumnDesc { name: sim_api::Str::new("heat"), ..*template };
    let columns: &'static [ColumnDesc] = Vec::leak(particle.iter().copied().chain([more]).collect());
    let mut tables = TABLES.to_vec();
    tables[0] = TableDesc { columns: List::new(columns), ..tables[0] };
    let tables: &'static [TableDesc] = Vec::leak(tables);
    Box::leak(Box::new(Api {
        fingerprint: FINGERPRINT,
        size: size_of::<Api>(),
        tables: List::new(tables),
        solvers: List::new(&solvers::DESCRIPTIONS),
        readings: List::new(sim::self_collision::READINGS),
        step: warm,
    }))
});

#[expect(clippy::cast_ptr_alignment, reason = "columns are aligned to 64 bytes")]
unsafe extern "C" fn warm(frame: *mut Frame) -> Status {
    let run = |frame: &Frame| {
        // SAFETY: the host bound the tables to the schema above; `heat` is the last column of the first table.
        unsafe {
            let bound = frame.tables();
            let particle = &bound[0];
            let last = &*particle.columns.add(particle.column_count - 1);
            let heat = std::slice::from_raw_parts_mut(last.data.cast::<[f32; 4]>(), last.rows);
            let views: Vec<TableView> = (0..bound.len())
                .map(|i| TableView {
                    column_count: bound[i].column_count - usize::from(i == 0),
                    ..std::ptr::read(&raw const bound[i])
                })
                .collect();
            let solver = &solvers::SOLVERS[frame.solver as usize];
            let state = sim::state::State::bind(&views).expect("the built-in tables");
            for (velocity, heat) in state.particle.velocity.iter_mut().zip(heat) {
                heat[0] += 1.0;
                velocity[0] += 1e-3 * heat[0];
            }
            (solver.step)(&mut Sim::new(frame, solver, state));
        }
        Status::Ok
    };
    // SAFETY: the frame is the host's.
    unsafe { catch_step(frame, run) }
}

#[test]
fn a_loop_survives_a_new_column_and_starts_it_anew_each_pass() {
    let (mut session, hashes, _) = recorded("1");
    let from = (FRAMES - LOOP) as usize + 1;
    session.start_loop(LOOP).unwrap();
    (0..7).for_each(|_| step(&mut session));
    // SAFETY: the library is this program.
    let code = Arc::new(unsafe { Generation::from_api(*WARM, 5, 0) }.expect("it fits"));
    swap(&mut session, code);
    assert_eq!(session.run().frame, FRAMES - LOOP, "the pass starts again");
    let heat = |session: &Session| session.run().state.get(Key::<[f32; 4]>::new("particle", "heat"))[50][0];
    assert_eq!(heat(&session), 0.0);
    let pass = |session: &mut Session| -> Vec<StateHash> {
        let steps = (0..LOOP).map(|_| {
            step(session);
            hash(session)
        });
        steps.collect()
    };
    let first = pass(&mut session);
    assert_eq!(heat(&session), LOOP as f32);
    assert!(first.iter().zip(&hashes[from..]).all(|(a, b)| a != b), "other code, other bits");
    let second = pass(&mut session);
    assert_eq!(heat(&session), LOOP as f32, "not twice as much");
    assert!(first == second);
    // Beside it the code without the column, and back to that code.
    session.start_compare().unwrap();
    pass(&mut session);
    let twin = session.timeline().twin().unwrap();
    assert_eq!(
        (StateHash::of(&twin.run.state), hash(&session)),
        (hashes[FRAMES as usize], *first.last().unwrap())
    );
    session.end_compare();
    swap(&mut session, Generation::built_in());
    assert!(pass(&mut session) == hashes[from..]);
    session.go_to(5).unwrap();
    assert_eq!(hash(&session), hashes[5]);
}
