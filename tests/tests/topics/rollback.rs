//! New code that fails gives way to the last good code, with the state from before the step.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use sim_api::{Api, FINGERPRINT, Frame, List, SolverDesc, Status, catch_step};
use tests::places;
use weft_core::state::StateHash;
use weft_engine::{generation::Generation, run::StepError};
use weft_session::{Options, Session, live::Reload};

/// The place of a panic is kept in one place for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Simulated time of the swap [s], and of failures during and after the trial of 60 steps.
const SWAPPED: f32 = 0.5;
const EARLY: f32 = SWAPPED + 0.2;
const LATE: f32 = SWAPPED + 1.2;

/// The built-in code's own step.
unsafe fn usual(frame: *mut Frame) -> Status {
    // SAFETY: the linked library; the frame is the host's.
    unsafe { ((*sim::sim_api()).step)(frame) }
}

/// Code that does the usual step, and `$fault` with the frame from the time `$at` on.
macro_rules! code {
    ($at:expr, $solvers:expr, $fault:expr) => {{
        unsafe extern "C" fn step(frame: *mut Frame) -> Status {
            // SAFETY: the host's frame.
            let status = unsafe { usual(frame) };
            if unsafe { (*frame).time } < $at {
                return status;
            }
            let fault: fn(&Frame) = $fault;
            let run = |frame: &Frame| {
                fault(frame);
                Status::Ok
            };
            // SAFETY: as above.
            unsafe { catch_step(frame, run) }
        }
        static API: Api = Api {
            fingerprint: FINGERPRINT,
            size: size_of::<Api>(),
            tables: List::new(sim::state::TABLES),
            solvers: List::new($solvers),
            readings: List::new(&[]),
            step,
        };
        // SAFETY: a static of this program.
        Arc::new(unsafe { Generation::from_api(&raw const API, 7, 0) }.expect("it fits"))
    }};
    ($at:expr, $fault:expr) => {
        code!($at, &sim::solvers::DESCRIPTIONS, $fault)
    };
}

fn nan(frame: &Frame) {
    // SAFETY: the usual step is done with the tables.
    let state = unsafe { sim::state::State::bind(frame.tables()) }.unwrap();
    state.particle.velocity[77][1] = f32::NAN;
}

fn beside(frame: &Frame) {
    // SAFETY: as above; a guard line stands behind the rows.
    let state = unsafe { sim::state::State::bind(frame.tables()) }.unwrap();
    let rows = state.particle.velocity;
    unsafe { *rows.as_mut_ptr().add(rows.len()).cast::<u8>() ^= 0x55 };
}

fn longer(frame: &Frame) {
    // SAFETY: as above.
    let state = unsafe { sim::state::State::bind(frame.tables()) }.unwrap();
    state.segment.rotation[9].iter_mut().for_each(|part| *part *= 1.01);
}

fn pins(frame: &Frame) {
    // SAFETY: as above.
    let state = unsafe { sim::state::State::bind(frame.tables()) }.unwrap();
    state.particle.position[40][3] = 0.0;
}

fn session() -> Session {
    let options = Options { scene: places::scene("hanging.ron"), threads: 1, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    while session.run().time < f64::from(SWAPPED) {
        session.step().unwrap();
    }
    session
}

fn swap(session: &mut Session, generation: Arc<Generation>) {
    let now = Instant::now();
    let notice = session
        .swap_code(generation, Reload { saved: now, built: now, probed: now, published: now, small: false });
    assert!(notice.good, "{notice:?}");
}

/// Steps until one fails; the state must be the one from before it.
fn fails(session: &mut Session) -> StepError {
    for _ in 0..200 {
        let (hash, frame) = (StateHash::of(&session.run().state), session.run().frame);
        if let Err(error) = session.step() {
            assert_eq!((StateHash::of(&session.run().state), session.run().frame), (hash, frame));
            assert!(session.is_paused());
            return error;
        }
    }
    panic!("no step failed");
}

fn rolled_back(session: &mut Session, error: &StepError) {
    assert_eq!(session.run().generation.number, 0);
    let text = format!("generation 7 failed: {error}; the built-in code runs again; save a fix");
    let notices = session.poll().notices;
    assert_eq!(
        notices.iter().map(|n| (n.kind, n.text.as_str())).collect::<Vec<_>>(),
        [("rollback", text.as_str())]
    );
    assert!(
        session.problems().list().iter().any(|(_, listed)| *listed == text),
        "{:?}",
        session.problems().list()
    );
    // Pausing ends by hand or with the next good code; either runs.
    session.set_paused(false);
    session.step().unwrap();
    assert!(session.problems().list().iter().any(|(_, listed)| *listed == text), "until a fix is saved");
}

#[test]
fn what_fails_on_trial_gives_way() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // One slow step may be the machine's fault, and so may a step whose threads waited for a processor meanwhile.
    let cases = [
        (code!(EARLY, |_| panic!("torn")), "panicked at", 0.05),
        (code!(EARLY, nan), "NaN or infinite", 0.05),
        (code!(EARLY, beside), "wrote outside of particle.velocity", 0.05),
        (code!(EARLY, |_| std::thread::sleep(Duration::from_millis(900))), "s for a step", 0.5),
    ];
    for (code, part, late) in cases {
        let mut session = session();
        swap(&mut session, code);
        let error = fails(&mut session);
        assert!(error.to_string().contains(part), "{error}");
        assert!((session.run().time as f32 - EARLY).abs() < late, "at {}", session.run().time);
        rolled_back(&mut session, &error);
        swap(&mut session, code!(1e9, |_| ()));
        assert!(!session.is_paused() && session.problems().list().is_empty(), "the fix goes on");
        (0..70).for_each(|_| assert!(session.step().is_ok()));
    }
}

#[test]
fn after_its_trial_code_stays_through_a_blow_up_but_not_through_a_panic() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut blown = session();
    swap(&mut blown, code!(LATE, nan));
    let error = fails(&mut blown);
    assert!(matches!(error, StepError::NotFinite { particle: 77, .. }), "{error}");
    assert_eq!(blown.run().generation.number, 7);
    assert!(blown.recovery().good().iter().any(|good| good.number == 7) && blown.poll().notices.is_empty());

    let mut torn = session();
    swap(&mut torn, code!(LATE, |_| panic!("torn late")));
    let error = fails(&mut torn);
    assert!((torn.run().time as f32 - LATE).abs() < 0.05);
    rolled_back(&mut torn, &error);
}

#[test]
fn code_with_a_solver_that_nothing_before_it_has_stays() {
    static MINE: [SolverDesc; 1] = [SolverDesc::new("mine", "", &[])];
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut session = session();
    swap(&mut session, code!(0.0, &MINE, |_| panic!("mine")));
    let error = fails(&mut session);
    assert!(matches!(error, StepError::UnknownSolver { .. }), "{error}");
    session.choose_solver("mine");
    session.set_paused(false);
    let error = fails(&mut session);
    assert!(matches!(error, StepError::Panicked { .. }), "{error}");
    assert_eq!(session.run().generation.number, 7, "there is nothing to go back to");
}

/// Frames of strands that are no rotations any more are a failure as NaN is, and the state is the one from before.
#[test]
fn code_that_leaves_a_frame_longer_than_1_gives_way() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = places::temporary("rollback_rotation");
    let scene = folder.join("scene.ron");
    let text =
        "(version: 1, strands: [(id: \"rod\", length: 0.2, particles: 12, roots: Points(at: [(0, 1, 0)]))])";
    std::fs::write(&scene, text).expect("a scene");
    let mut session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    session.step().unwrap();
    swap(&mut session, code!(EARLY, longer));
    let error = fails(&mut session);
    assert!(matches!(error, StepError::NoRotation { row: 9, .. }), "{error}");
    rolled_back(&mut session, &error);
    let unit = |q: &[f32; 4]| (q.iter().map(|part| part * part).sum::<f32>() - 1.0).abs() < 1e-4;
    assert!(session.run().state.get(weft_core::state::col::segment::rotation).iter().all(unit));
}

/// What has no inverse mass is pinned: a solver that writes all of a position would stop the cloth for good.
#[test]
fn code_that_changes_an_inverse_mass_gives_way() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut session = session();
    let position = weft_core::state::col::particle::position;
    let before = session.run().state.get(position)[40][3];
    swap(&mut session, code!(EARLY, pins));
    let error = fails(&mut session);
    assert!(matches!(error, StepError::InverseMass { particle: 40, .. }), "{error}");
    rolled_back(&mut session, &error);
    assert!(before > 0.0 && session.run().state.get(position)[40][3] == before);
}

/// What a panic says in a thousand lines is told by the first twenty.
#[test]
fn code_that_panics_at_length_is_cut_short() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut session = session();
    swap(&mut session, code!(EARLY, |_| panic!("{}", "a line\n".repeat(1000))));
    let error = fails(&mut session);
    let lines = error.to_string().lines().count();
    assert!(lines == 20 && error.to_string().contains("a line"), "{lines} lines: {error}");
    rolled_back(&mut session, &error);
}
