//! The door: libraries that do not fit are refused, and a solver that fails leaves the state as it was.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU32, Ordering},
};

use sim_api::{Api, FINGERPRINT, Frame, List, ParamDesc, SolverDesc, Status, catch_step};
use tests::{complete, fixture::Fixture, left_out, places};
use weft_core::provided::check_schema;
use weft_engine::{generation::Generation, run::StepError};
use weft_session::live::{Refusal, check_complete};

/// The place of a panic is kept in one place for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

static ONE: [SolverDesc; 1] = [SolverDesc::new("xpbd", "", &[])];

const fn api(solvers: &'static [SolverDesc], step: sim_api::Step) -> Api {
    Api {
        fingerprint: FINGERPRINT,
        size: size_of::<Api>(),
        tables: List::new(sim::state::TABLES),
        solvers: List::new(solvers),
        readings: List::new(&[]),
        step,
    }
}

unsafe extern "C" fn idle(_: *mut Frame) -> Status {
    Status::Ok
}

fn take(api: &'static Api) -> Result<Generation, Refusal> {
    // SAFETY: a static of this program.
    unsafe { Generation::from_api(api, 7, 0) }.map_err(Refusal::from)
}

fn refused(api: &'static Api) -> String {
    take(api).err().expect("refused").to_string()
}

#[test]
fn a_library_that_fits_is_taken() {
    static GOOD: Api = api(&ONE, idle);
    let generation = take(&GOOD).unwrap();
    assert_eq!((generation.number, generation.solver("xpbd")), (7, Some(0)));
    assert_eq!(generation.schema, Generation::built_in().schema);
}

#[test]
fn another_contract_is_refused() {
    static FINGER: Api = Api { fingerprint: FINGERPRINT ^ 1, ..api(&ONE, idle) };
    static SIZE: Api = Api { size: size_of::<Api>() + 8, ..api(&ONE, idle) };
    for other in [&FINGER, &SIZE] {
        assert_eq!(take(other).err(), Some(Refusal::ContractChanged(Vec::new())));
        assert!(refused(other).contains("sim_api changed"));
    }
}

#[test]
fn null_and_bad_lists_are_refused_in_words() {
    // SAFETY: null is allowed.
    let null = unsafe { Generation::from_api(std::ptr::null(), 1, 0) };
    assert_eq!(null.err().unwrap().to_string(), "sim_api() returned null");

    static NONE: Api = api(&[], idle);
    assert!(refused(&NONE).contains("lists no solver"));

    static TWICE: [SolverDesc; 2] = [SolverDesc::new("xpbd", "", &[]), SolverDesc::new("xpbd", "", &[])];
    static TWO: Api = api(&TWICE, idle);
    assert_eq!(refused(&TWO), "two solvers are called `xpbd`");

    const OUTSIDE: ParamDesc = ParamDesc::number("stiffness", "", [0.0, 2.0, 1.0], "");
    static PARAM: [SolverDesc; 1] = [SolverDesc::new("soft", "", &[OUTSIDE])];
    static RANGE: Api = api(&PARAM, idle);
    assert_eq!(refused(&RANGE), "solver `soft`: the default of `stiffness` is outside its range");

    const ITERATIONS: ParamDesc = ParamDesc::number("iterations", "", [1.0, 1.0, 9.0], "");
    static SAME: [SolverDesc; 1] = [SolverDesc::new("soft", "", &[ITERATIONS, ITERATIONS])];
    static LISTED: Api = api(&SAME, idle);
    assert_eq!(refused(&LISTED), "solver `soft` lists `iterations` twice");

    const BACKWARDS: ParamDesc = ParamDesc::number("stiffness", "", [1.0, 0.5, 0.0], "");
    const UNKNOWN: ParamDesc = ParamDesc::number("stiffness", "", [0.0, 0.0, f32::NAN], "");
    static TURNED: [SolverDesc; 1] = [SolverDesc::new("soft", "", &[BACKWARDS])];
    static BARE: [SolverDesc; 1] = [SolverDesc::new("soft", "", &[UNKNOWN])];
    static NO_RANGE: Api = api(&TURNED, idle);
    static NO_NUMBER: Api = api(&BARE, idle);
    assert_eq!(refused(&NO_RANGE), "solver `soft`: `stiffness` goes from 1 to 0, which is no range");
    assert_eq!(refused(&NO_NUMBER), "solver `soft`: `stiffness` goes from 0 to NaN, which is no range");

    static NAMES: [[SolverDesc; 1]; 4] = [
        [SolverDesc::new("", "", &[])],
        [SolverDesc::new("two words", "", &[])],
        [SolverDesc::new("x\0y", "", &[])],
        [SolverDesc::new("x\u{202e}y", "", &[])],
    ];
    static NAMED: [Api; 4] =
        [api(&NAMES[0], idle), api(&NAMES[1], idle), api(&NAMES[2], idle), api(&NAMES[3], idle)];
    for named in &NAMED {
        assert!(refused(named).ends_with(": letters, digits and `_` alone make a name"));
    }

    const ODD: ParamDesc = ParamDesc::number("a=b", "", [0.0, 0.0, 1.0], "");
    const ENDLESS: ParamDesc = ParamDesc::number("stiffness", "", [0.0, 0.0, f32::INFINITY], "");
    static SET: [SolverDesc; 1] = [SolverDesc::new("soft", "", &[ODD])];
    static FAR: [SolverDesc; 1] = [SolverDesc::new("soft", "", &[ENDLESS])];
    static NO_NAME: Api = api(&SET, idle);
    static NO_END: Api = api(&FAR, idle);
    let told = "a parameter of solver `soft` is called \"a=b\": letters, digits and `_` alone make a name";
    assert_eq!(refused(&NO_NAME), told);
    assert_eq!(refused(&NO_END), "solver `soft`: `stiffness` goes from 0 to inf, which is no range");

    static LIMITED: [SolverDesc; 1] =
        [SolverDesc::new("soft", "", &[]).stiffness(sim_api::Stiffness::inertia(&OUTSIDE))];
    static LIMIT: Api = api(&LIMITED, idle);
    let told = "solver `soft`: its stiffness is limited by `stiffness`, no parameter of its own";
    assert_eq!(refused(&LIMIT), told);

    static DRAWN: [SolverDesc; 1] =
        [SolverDesc::new("soft", "", &[]).takes(&[sim_api::Takes::rows("vertex")])];
    static TAKEN: Api = api(&DRAWN, idle);
    assert!(refused(&TAKEN).starts_with("solver `soft` takes `vertex`, which is no table of constraints"));

    static UNITS: [SolverDesc; 2] = [
        SolverDesc::new("soft", "", &[]).readings(&[sim_api::ReadingDesc::new("left", "J", "")]),
        SolverDesc::new("hard", "", &[]).readings(&[sim_api::ReadingDesc::new("left", "N", "")]),
    ];
    static UNIT: Api = api(&UNITS, idle);
    assert_eq!(refused(&UNIT), "two solvers give the reading `left`, one in `J`, one in `N`");

    static TABLES: [sim_api::TableDesc; 2] = [sim::state::Particle::TABLE, sim::state::Particle::TABLE];
    static TABLE: Api = Api { tables: List::new(&TABLES), ..api(&ONE, idle) };
    assert_eq!(refused(&TABLE), "table `particle` is declared twice");
}

#[test]
fn what_the_host_colours_cannot_be_declared_as_the_codes_own() {
    let mut schema = Generation::built_in().schema.clone();
    assert_eq!(check_schema(&schema), Ok(()));
    for (table, name) in
        [("distance", "idx"), ("vertex", "particle"), ("incident", "other"), ("node", "skip")]
    {
        let good = schema.clone();
        let columns =
            schema.tables.iter_mut().find(|known| known.name == table).map(|table| &mut table.columns);
        let column = columns.and_then(|columns| columns.iter_mut().find(|column| column.name == name));
        column.expect("a column").class = sim_api::Class::State;
        let says =
            format!("`{table}.{name}` is the host's alone and was declared `State`: write `given {name}`");
        assert_eq!(check_schema(&schema), Err(says));
        schema = good;
    }
}

#[test]
fn half_a_library_never_reaches_the_loader() {
    for garbage in [&b""[..], b"\x7fELF", b"not a library", b"\x7fELF\x01\x01 of 32 bits", &[0; 4096]] {
        assert!(check_complete(garbage).is_err());
    }
    let path = places::build().join("libsim.so");
    if !path.exists() && left_out("half_a_library_never_reaches_the_loader", "a built libsim.so") {
        return;
    }
    let whole =
        std::fs::read(&path).unwrap_or_else(|e| panic!("{} (complete: {}): {e}", path.display(), complete()));
    assert_eq!(check_complete(&whole), Ok(()));
    let step = whole.len() / 499;
    for length in (0..whole.len()).step_by(step.max(1)).chain([1, 4, 15, 16, 63, 64, whole.len() - 1]) {
        assert!(check_complete(&whole[..length]).is_err(), "{length} of {} bytes", whole.len());
    }
}

const CLOTH: &str = r#"(version: 1, cloths: [(id: "a",
    shape: Grid(columns: 50, rows: 50, width: 1.0, height: 1.0), pins: [Edge(Top)])])"#;

/// A running cloth that goes on with `api`.
fn running(api: &'static Api, threads: usize) -> Fixture {
    let mut fixture = Fixture::new(CLOTH).threads(threads);
    fixture.frames(5);
    let report = fixture.run.swap(Arc::new(take(api).unwrap())).unwrap();
    assert_eq!(report, weft_core::state::Report { kept: report.kept, ..Default::default() });
    fixture
}

/// Overwrites positions and velocities, as a step that fails half way would.
fn scribble(frame: &Frame) {
    // SAFETY: the host bound the tables of `sim`'s schema; nothing else uses them here.
    let state = unsafe { sim::state::State::bind(frame.tables()) }.unwrap();
    state.particle.position[7..].fill([9.0; 4]);
    state.particle.velocity.fill([9.0; 4]);
    state.distance.force.fill(9.0);
}

/// Everything of class `state`, as bytes.
fn state_bytes(fixture: &Fixture) -> Vec<u8> {
    let columns = fixture.run.state.tables.iter().flat_map(|table| &table.columns);
    columns.filter(|c| c.class == sim_api::Class::State).flat_map(|c| c.bytes().to_vec()).collect()
}

#[test]
fn a_panic_is_caught_and_the_state_is_the_one_before() {
    static LINE: AtomicU32 = AtomicU32::new(0);
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    unsafe extern "C" fn step(frame: *mut Frame) -> Status {
        let body = |frame: &Frame| -> Status {
            scribble(frame);
            LINE.store(line!() + 1, Ordering::Relaxed);
            panic!("the cloth is {}", "torn")
        };
        // SAFETY: the host's frame.
        unsafe { catch_step(frame, body) }
    }
    static PANICS: Api = api(&ONE, step);
    let mut fixture = running(&PANICS, 1);
    let (hash, bytes, frame) = (fixture.hash(), state_bytes(&fixture), fixture.run.frame);
    let error = fixture.try_step().unwrap_err();
    let expected =
        format!("solver xpbd panicked at tests/tests/topics/contract.rs:{}:", LINE.load(Ordering::Relaxed));
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert!(error.to_string().ends_with(": the cloth is torn"), "{error}");
    assert_eq!((fixture.hash(), fixture.run.frame), (hash, frame));
    assert_eq!(state_bytes(&fixture), bytes);
    fixture.run.swap(Generation::built_in()).unwrap();
    fixture.frames(1);
    assert_ne!(fixture.hash(), hash, "the mended code runs on");
}

#[test]
fn a_panic_in_a_job_on_another_thread_is_caught_too() {
    unsafe extern "C" fn step(frame: *mut Frame) -> Status {
        let body = |frame: &Frame| {
            scribble(frame);
            frame.par.each(64, |i| assert!(i != 41, "job {i}"));
            Status::Ok
        };
        // SAFETY: the host's frame.
        unsafe { catch_step(frame, body) }
    }
    static PANICS: Api = api(&ONE, step);
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for threads in [1, 3] {
        let mut fixture = running(&PANICS, threads);
        let bytes = state_bytes(&fixture);
        let error = fixture.try_step().unwrap_err().to_string();
        assert!(error.contains("job 41"), "{error}");
        assert_eq!(state_bytes(&fixture), bytes);
    }
}

#[test]
fn nan_is_found_and_the_particle_named() {
    unsafe extern "C" fn velocity(frame: *mut Frame) -> Status {
        // SAFETY: as in `scribble`.
        let state = unsafe { sim::state::State::bind((*frame).tables()) }.unwrap();
        state.particle.velocity[1234][1] = f32::NAN;
        Status::Ok
    }
    unsafe extern "C" fn position(frame: *mut Frame) -> Status {
        // SAFETY: as in `scribble`.
        let state = unsafe { sim::state::State::bind((*frame).tables()) }.unwrap();
        state.particle.position[2499][2] = f32::INFINITY;
        Status::Ok
    }
    unsafe extern "C" fn three(frame: *mut Frame) -> Status {
        // SAFETY: as in `scribble`.
        let state = unsafe { sim::state::State::bind((*frame).tables()) }.unwrap();
        for row in [7, 8, 900] {
            state.particle.velocity[row][0] = f32::NAN;
        }
        Status::Ok
    }
    static THREE: Api = api(&ONE, three);
    let spread = running(&THREE, 1).try_step().unwrap_err().to_string();
    assert!(spread.contains("velocity of particle 7 NaN or infinite (and 2 more)"), "{spread}");
    static VELOCITY: Api = api(&ONE, velocity);
    static POSITION: Api = api(&ONE, position);
    for (api, particle, column) in [(&VELOCITY, 1234, "velocity"), (&POSITION, 2499, "position")] {
        let mut fixture = running(api, 1);
        let bytes = state_bytes(&fixture);
        let error = fixture.try_step().unwrap_err();
        assert_eq!(
            error,
            StepError::NotFinite { solver: "xpbd".into(), particle, column, hint: String::new() }
        );
        assert_eq!(state_bytes(&fixture), bytes);
    }
}

#[test]
fn names_of_readings_that_code_makes_up_in_each_step_come_to_an_end() {
    unsafe extern "C" fn made_up(frame: *mut Frame) -> Status {
        // SAFETY: the frame of this call.
        let frame = unsafe { &*frame };
        frame.reading(format!("at {}", frame.time), 1.0);
        frame.reading("known", frame.time);
        Status::Ok
    }
    static MADE_UP: Api = api(&ONE, made_up);
    let mut fixture = running(&MADE_UP, 1);
    for _ in 0..300 {
        fixture.try_step().unwrap();
    }
    let run = &mut fixture.run;
    let names = run.readings.len();
    assert_eq!((names, run.readings["known"]), (256, (run.time - f64::from(fixture.scene.step)) as f32));
    let told: Vec<_> = run.log.iter().filter(|line| line.contains("readings")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("solver xpbd gives more than 256 readings: `at "), "{told:?}");
    // Other code has room for its own.
    run.swap(Generation::built_in()).unwrap();
    assert_eq!(run.readings.keys().collect::<Vec<_>>(), ["known"]);
}

#[test]
fn a_solver_that_is_gone_is_named_with_those_there_are() {
    let mut fixture = Fixture::new(CLOTH);
    fixture.run.solver = "leapfrog".into();
    let hash = fixture.hash();
    let error = fixture.try_step().unwrap_err().to_string();
    assert_eq!(
        error,
        format!("this code has no solver `leapfrog`; it has {}", tests::fixture::all_solvers().join(", "))
    );
    assert_eq!(fixture.hash(), hash);
}
