//! XPBD over distance rows as its file has it, and the same with `lambda` set to zero in every iteration, as a shipping
//! engine once had it: a bug that the validation cases must find.

use std::sync::Arc;

use sim::{
    constraints::distance,
    lanes::{self, Kernel, Lanes, Point, Rows, RowsMut, V3},
    solvers::Solver,
    state::{State, TABLES},
    substep::{self, SUBSTEPS, Sim},
};
use sim_api::{Api, FINGERPRINT, Frame, List, ParamDesc, SolverDesc, Status, catch_step};
use weft_engine::generation::Generation;

const ITERATIONS: ParamDesc = ParamDesc::count("iterations", [1, 1, 1000], "");
static SOLVERS: [Solver; 2] = [
    Solver {
        description: SolverDesc::new("xpbd", "", &[SUBSTEPS, ITERATIONS]),
        step: |sim| step(sim, false),
    },
    Solver {
        description: SolverDesc::new("forgets_lambda", "", &[SUBSTEPS, ITERATIONS]),
        step: |sim| step(sim, true),
    },
];
static DESCRIPTIONS: [SolverDesc; 2] = [SOLVERS[0].description, SOLVERS[1].description];
static API: Api = Api {
    fingerprint: FINGERPRINT,
    size: size_of::<Api>(),
    tables: List::new(TABLES),
    solvers: List::new(&DESCRIPTIONS),
    readings: List::new(&[]),
    step: run,
};

pub fn code() -> Arc<Generation> {
    // SAFETY: a static of this program.
    Arc::new(unsafe { Generation::from_api(&raw const API, 9, 0) }.expect("it fits"))
}

/// As [`code`], with the bug in its `xpbd`: what a save of a bad edit makes of the built-in code.
pub fn bad_edit() -> Arc<Generation> {
    static ONE: [SolverDesc; 1] = [DESCRIPTIONS[0]];
    static BAD: Api = Api {
        fingerprint: FINGERPRINT,
        size: size_of::<Api>(),
        tables: List::new(TABLES),
        solvers: List::new(&ONE),
        readings: List::new(&[]),
        step: run_bad,
    };
    // SAFETY: a static of this program.
    Arc::new(unsafe { Generation::from_api(&raw const BAD, 10, 0) }.expect("it fits"))
}

unsafe extern "C" fn run(frame: *mut Frame) -> Status {
    // SAFETY: the frame is the host's.
    unsafe { run_one(frame, |frame| &SOLVERS[frame.solver as usize]) }
}

unsafe extern "C" fn run_bad(frame: *mut Frame) -> Status {
    // SAFETY: as above.
    unsafe { run_one(frame, |_| &SOLVERS[1]) }
}

/// # Safety
/// The frame is the host's.
unsafe fn run_one(frame: *mut Frame, solver: fn(&Frame) -> &'static Solver) -> Status {
    let run = |frame: &Frame| {
        let solver = solver(frame);
        // SAFETY: the host bound the tables to this schema.
        let state = unsafe { State::bind(frame.tables()) }.expect("the built-in tables");
        (solver.step)(&mut Sim::new(frame, solver, state));
        Status::Ok
    };
    // SAFETY: the frame is the host's.
    unsafe { catch_step(frame, run) }
}

fn step(sim: &mut Sim, forgets: bool) {
    let iterations = sim.count(&ITERATIONS);
    substep::run(sim, |sim| {
        let (particle, rows) = (&mut sim.state.particle, &mut sim.state.distance);
        rows.multipliers.lambda.fill(0.0);
        for _ in 0..iterations {
            if forgets {
                rows.multipliers.lambda.fill(0.0);
            }
            let per_h2 = 1.0 / (sim.h * sim.h);
            let lambda = RowsMut::new(rows.multipliers.lambda);
            let kernel = Projection { rest: rows.rest, compliance: rows.compliance, lambda, per_h2 };
            lanes::project(&sim.par, rows.colors, rows.idx, particle.position, &kernel);
        }
    });
    let per_h2 = 1.0 / (sim.h * sim.h);
    let rows = &mut sim.state.distance;
    rows.force
        .iter_mut()
        .zip(&*rows.multipliers.lambda)
        .for_each(|(force, lambda)| *force = -lambda * per_h2);
}

struct Projection<'a> {
    rest: &'a [f32],
    compliance: &'a [f32],
    lambda: RowsMut<'a>,
    per_h2: f32,
}

impl Kernel<2> for Projection<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (rest, compliance) = (rows.load(self.rest), rows.load::<L>(self.compliance));
        let lambda: L = self.lambda.load(rows);
        let alpha = compliance * L::from_f32(self.per_h2);
        let (da, db, change) = distance::project((a.x, a.w), (b.x, b.w), rest, alpha, lambda);
        self.lambda.store(rows, lambda + change);
        [da, db]
    }
}
