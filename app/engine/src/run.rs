//! One run: a state, the code that moves it, and the last state that was good.

mod finite;
mod host_services;
mod image;
mod step_error;

use std::{collections::BTreeMap, sync::Arc};
use weft_core::pulse;

use sim_api::{Frame, FrameParts, Hold, ParamDesc, SolverDesc, Status, World};

use host_services::{Context, FrameOnPool, MOST_READINGS};
pub use image::RunImage;
pub use step_error::{INVERSE_MASS, NO_ROTATION, StepError, made_not_finite};

use weft_core::{
    factor::{self, Factorizations},
    stages::StageClock,
    state::{Blueprint, Bound, Report, Snapshot, State},
};
use weft_scene::{Scene, assemble};

use crate::{
    generation::Generation,
    guard::{Change, Guard, STARTED},
    left_out,
    threads::Threads,
};

/// Frames between two looks at the process, each of which is a dozen system calls.
const LOOK_EVERY: u64 = 16;

/// Lines that are told of what hot code said as it panicked.
const SAID_LINES: usize = 20;

/// Values of the present solver's parameters that differ from their defaults, by name.
pub type Params = BTreeMap<String, f32>;

pub struct Run {
    pub state: State,
    pub generation: Arc<Generation>,
    /// The scene's columns, to fill what a reload adds.
    pub blueprint: Blueprint,
    /// Name of the solver; looked up in the generation at each step.
    pub solver: String,
    pub params: Params,
    /// Frames done since the last reset.
    pub frame: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Stages inside the last step.
    pub stages: StageClock,
    /// Lines that the hot code logged.
    pub log: Vec<String>,
    /// Numbers that the hot code gave about the last step, by name; NaN: it gave one before, but not now.
    pub readings: BTreeMap<String, f32>,
    /// The matrix that the solver had factored, and how often that was done.
    pub factor: Factorizations,
    bound: Bound,
    values: Vec<f32>,
    /// The state before the step, for a solver that fails.
    before: Snapshot,
    message: Vec<u8>,
    /// Solver and rows left out that the log speaks of.
    told_left_out: (String, usize),
    /// The log speaks of readings for which there was no room.
    told_readings: bool,
    /// How the process was before the first guarded step.
    guard: Option<Guard>,
    /// Frames between two looks at what the hot code changed of the process; 0: somebody else looks.
    pub look_every: u64,
}

/// What a step needs besides the state.
pub struct StepInput<'a> {
    /// Length of the frame [s].
    pub dt: f32,
    pub world: World,
    pub holds: &'a [Hold],
    /// Keep a copy to go back to if the solver fails. Off only in benchmarks.
    pub guarded: bool,
}

/// What a guarded step of a scene needs besides the state.
pub fn input<'a>(scene: &Scene, holds: &'a [Hold]) -> StepInput<'a> {
    StepInput { dt: scene.step, world: assemble::world(scene), holds, guarded: true }
}

impl Run {
    pub fn new(generation: Arc<Generation>, blueprint: Blueprint, solver: &str) -> Result<Self, String> {
        let state = State::build(&generation.schema, &blueprint)?;
        Ok(Self::of(generation, state, blueprint, solver))
    }

    /// A run that begins with this state.
    fn of(generation: Arc<Generation>, state: State, blueprint: Blueprint, solver: &str) -> Self {
        Self {
            state,
            generation,
            blueprint: blueprint.packed(),
            solver: solver.to_string(),
            params: Params::new(),
            frame: 0,
            time: 0.0,
            stages: StageClock::default(),
            log: Vec::new(),
            readings: BTreeMap::new(),
            factor: Factorizations::default(),
            bound: Bound::default(),
            values: Vec::new(),
            before: Snapshot::default(),
            message: vec![0; 4096],
            told_left_out: Default::default(),
            told_readings: false,
            guard: None,
            look_every: LOOK_EVERY,
        }
    }

    /// Goes on with other code; columns are kept by key.
    pub fn swap(&mut self, generation: Arc<Generation>) -> Result<Report, String> {
        let report = self.state.reconcile(&generation.schema, &self.blueprint)?;
        pulse::code(generation.number, generation.hash);
        self.generation = generation;
        // Names that the last step did not give may be of code that is gone.
        self.readings.retain(|_, value| !value.is_nan());
        self.told_readings = false;
        Ok(report)
    }

    /// Hands over the copy of the state from before the last step, which the next step replaces, for the memory of
    /// another. The step was guarded.
    pub fn swap_before(&mut self, with: &mut Snapshot) {
        std::mem::swap(&mut self.before, with);
    }

    /// What the present solver says of itself, if the code has it.
    pub fn description(&self) -> Option<&'static SolverDesc> {
        self.generation.description(&self.solver)
    }

    /// Rows of the state that the present solver has no form of.
    pub fn constraints_left_out(&self) -> usize {
        self.description().map_or(0, |solver| left_out::rows(&self.state, solver))
    }

    /// Value of a parameter of the present solver.
    pub fn param(&self, name: &str) -> Option<f32> {
        self.description()?.param(name).map(|param| self.value(param))
    }

    /// Of any solver: what was chosen for that name, or its default here.
    pub fn value(&self, param: &ParamDesc) -> f32 {
        let has_strands = || self.state.table("strand").is_some_and(|table| table.rows > 0);
        let chosen = self.params.get(param.name.as_str());
        param.clamp(chosen.copied().unwrap_or_else(|| param.default_of(has_strands())))
    }

    /// Brings the host's tables to what the present solver steps on; a step begins with it.
    pub fn update_topology(&mut self) {
        let by_particle = self.description().is_some_and(|solver| solver.by_particle);
        self.state.update_topology(&self.blueprint, by_particle);
    }

    /// Advances by one frame. On an error the state is as before, and so are time and frame.
    pub fn step(&mut self, threads: &Threads, input: &StepInput) -> Result<(), StepError> {
        let index = self.generation.solver(&self.solver).ok_or_else(|| StepError::UnknownSolver {
            solver: self.solver.clone(),
            known: self.generation.solvers().iter().map(|solver| solver.name.to_string()).collect(),
        })?;
        self.update_topology();
        if input.guarded {
            self.before.take(&self.state);
        }
        if cfg!(debug_assertions) {
            self.state.tables.iter_mut().for_each(weft_core::state::Table::poison_scratch);
        }
        self.collect_params(index);
        if input.guarded && self.look_every > 0 {
            self.guard.get_or_insert_default();
        }
        let (status, not_factored) = self.call(index, threads, input);
        if input.guarded && self.look_every > 0 && self.frame.is_multiple_of(self.look_every) {
            self.put_back();
        }
        let failure = match status {
            _ if let Some(column) = self.state.hit() => {
                Some(StepError::WroteBeside { solver: self.solver.clone(), column })
            }
            Status::Ok => not_factored
                .map(|message| StepError::NotFactored { solver: self.solver.clone(), message })
                .or_else(|| self.not_finite_on(threads))
                .or_else(|| if input.guarded { self.other_mass() } else { None }),
            Status::Panicked => {
                let message = String::from_utf8_lossy(&self.message);
                // Its lines are not to be taken for the program's, and there are no more of them than one reads.
                let lines = message.trim_end_matches('\0').lines().take(SAID_LINES);
                let message = lines.collect::<Vec<_>>().join("\n    ");
                Some(StepError::Panicked { solver: self.solver.clone(), message })
            }
            Status::BadFrame => Some(StepError::BadFrame),
        };
        if let Some(failure) = failure {
            if input.guarded {
                self.before.restore(&mut self.state);
            }
            return Err(failure);
        }
        self.state.compact();
        self.tell_left_out();
        self.frame += 1;
        self.time += f64::from(input.dt);
        Ok(())
    }

    /// Puts back what the hot code changed of the process, and says so, and that it started threads.
    fn put_back(&mut self) {
        let Some(guard) = &mut self.guard else { return };
        let solver = &self.solver;
        let changed = guard.put_back();
        let told = changed.iter().map(|Change { what, is_back }| {
            let came_of =
                if *is_back { "it is put back" } else { "only a new start of this program mends that" };
            format!("solver {solver} changed {what}; {came_of}")
        });
        self.log.extend(told);
        if guard.started_in_steps() {
            self.log.push(format!("solver {solver} {STARTED}; it is not stopped"));
        }
    }

    /// Goes on from a state that was put in, of this frame and time [s]: what the last step said is not of it.
    pub fn set_time(&mut self, frame: u64, time: f64) {
        (self.frame, self.time) = (frame, time);
        self.readings.values_mut().for_each(|value| *value = f32::NAN);
    }

    /// Keeps a copy of the state, as a guarded step does.
    pub fn keep_before(&mut self) {
        self.before.take(&self.state);
    }

    /// Undoes the last step if it was guarded, with the frame and the time [s] from before it.
    pub fn take_back(&mut self, frame: u64, time: f64) {
        self.before.restore(&mut self.state);
        (self.frame, self.time) = (frame, time);
    }

    /// The parameters' values in the declared order.
    fn collect_params(&mut self, index: usize) {
        let solver = &self.generation.solvers()[index];
        self.values.clear();
        for param in solver.params.as_slice() {
            self.values.push(self.value(param));
        }
    }

    /// The status, and why there is no factor if the solver asked for one in vain.
    fn call(&mut self, index: usize, threads: &Threads, input: &StepInput) -> (Status, Option<String>) {
        let code = &self.generation;
        let _inside = pulse::enter_step(code.number, code.hash, &self.solver, self.frame);
        self.message.fill(0);
        threads.count_work(self.stages.wants_threads());
        self.stages.start(threads.counters());
        // Those that this step does not give again are unknown, and no memory is freed in a step.
        self.readings.values_mut().for_each(|value| *value = f32::NAN);
        let tables = self.bound.bind(&mut self.state.tables[..self.generation.schema.tables.len()]);
        let mut context = Context {
            stages: &mut self.stages,
            threads,
            log: &mut self.log,
            readings: &mut self.readings,
            no_room: None,
        };
        let mut matrices = factor::Context::new(&mut self.factor, threads.par());
        let parts = FrameParts {
            solver: index as u32,
            params: &self.values,
            dt: input.dt,
            time: self.time as f32,
            world: input.world,
            tables,
            holds: input.holds,
            par: threads.par(),
            factor: matrices.service(),
            stage: host_services::stage,
            log: host_services::log,
            reading: host_services::reading,
            context: (&raw mut context).cast(),
            message: &mut self.message,
        };
        // SAFETY: all parts live until the call has returned; the functions are made for this context.
        let mut frame = unsafe { Frame::new(parts) };
        // SAFETY: the tables were bound for this generation's schema just above.
        let (frame_on_pool, generation) = (unsafe { FrameOnPool::new(&mut frame) }, &*self.generation);
        let status = threads.run(move || frame_on_pool.step(generation));
        let (refusal, no_room) = (matrices.refusal, context.no_room);
        if let Some(name) = no_room.filter(|_| !std::mem::replace(&mut self.told_readings, true)) {
            self.log.push(format!(
                "solver {} gives more than {MOST_READINGS} readings: `{name}` and others are left out",
                self.solver
            ));
        }
        (status, refusal)
    }

    /// Says once of each solver that it leaves constraints out.
    fn tell_left_out(&mut self) {
        let left_out = self.constraints_left_out();
        let (told_of, told) = &self.told_left_out;
        if *told_of == self.solver && *told == left_out {
            return;
        }
        let solver = self.solver.clone();
        if left_out > 0 {
            self.log.push(format!(
                "{solver} leaves {left_out} constraints out that it has no form of: they do nothing (`weft solvers`)"
            ));
        }
        self.told_left_out = (solver, left_out);
    }
}
