//! A second run with other code: the same start, the same input, the same colliders, step by step beside the first.

use std::{sync::Arc, time::Duration};

use weft_core::clock::Instant;
use weft_core::state::col;

use sim_api::Key;
use sim_api::{Class, Hold};

use super::replay::rebase;
use weft_core::{
    energy::Energy,
    state::{State, farthest},
};
use weft_engine::{
    generation::Generation,
    run::{Run, StepError, StepInput},
    threads::Threads,
};

/// Collider columns that the host writes before every step.
const POSES: [Key<[f32; 4]>; 4] = [
    col::collider::position,
    col::collider::rotation,
    col::collider::begin_position,
    col::collider::begin_rotation,
];

/// The code before, beside the code that runs.
pub struct Twin {
    pub run: Run,
    /// Positions before the last step, for drawing in between.
    pub previous: Vec<[f32; 4]>,
    /// Why it stands still, if it does.
    pub problem: Option<StepError>,
    pub difference: Difference,
    holds: Vec<Hold>,
}

/// What two runs differ by since they began at the same state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Steps since.
    pub steps: u64,
    /// Largest distance of a particle from itself now [m], and the largest since the start.
    pub now: f64,
    pub largest: f64,
    /// Particle that is farthest from itself.
    pub particle: usize,
    /// Kinetic energy and that of height [J], before and after.
    pub energy: [f64; 2],
    /// Of all steps together [ms], before and after.
    ms: [f64; 2],
}

impl Difference {
    /// Mean time of a step [ms], before and after.
    pub fn ms(&self) -> [f64; 2] {
        self.ms.map(|ms| ms / self.steps.max(1) as f64)
    }
}

impl Twin {
    /// Begins at the state of `run`.
    pub fn new(run: &Run, code: Arc<Generation>) -> Result<Self, String> {
        if code.solver(&run.solver).is_none() {
            return Err(format!("the code before has no solver `{}`", run.solver));
        }
        let mut twin = Self {
            run: Run::new(code, run.blueprint.clone(), &run.solver)?,
            previous: Vec::new(),
            problem: None,
            difference: Difference::default(),
            holds: Vec::new(),
        };
        twin.follow(run)?;
        Ok(twin)
    }

    /// Begins again at the state of `run`.
    pub fn follow(&mut self, run: &Run) -> Result<(), String> {
        let twin = &mut self.run;
        if !copy(&run.state, &mut twin.state) {
            // Other rows, or columns that the newer code has no more: the way that a swap of code takes.
            twin.blueprint = run.blueprint.clone();
            twin.state = run.state.clone();
            twin.state.reconcile(&twin.generation.schema, &twin.blueprint)?;
        }
        (twin.frame, twin.time) = (run.frame, run.time);
        self.previous.clear();
        self.previous.extend_from_slice(positions(&self.run));
        self.problem = None;
        self.difference = Difference::default();
        Ok(())
    }

    /// Positions of all particles [m].
    pub fn positions(&self) -> &[[f32; 4]] {
        positions(&self.run)
    }

    /// Steps both, in turns first, and compares. The result is that of `run`, with the time that it took.
    pub fn step_both(
        &mut self,
        run: &mut Run,
        threads: &Threads,
        input: &StepInput,
        gravity: [f32; 3],
    ) -> Result<Duration, StepError> {
        let twin_first = run.frame.is_multiple_of(2);
        if twin_first {
            self.step(run, threads, input);
        }
        let start = Instant::now();
        run.step(threads, input)?;
        let took = start.elapsed();
        if !twin_first {
            self.step(run, threads, input);
        }
        if self.problem.is_none() {
            self.difference.ms[1] += took.as_secs_f64() * 1e3;
            self.compare(run, gravity);
        }
        Ok(took)
    }

    /// One step with the input of `run`; none if it is ahead, because the step of `run` failed.
    fn step(&mut self, run: &Run, threads: &Threads, input: &StepInput) {
        let twin = &mut self.run;
        if self.problem.is_some() || self.difference.steps > 0 && twin.frame > run.frame {
            return;
        }
        twin.solver.clone_from(&run.solver);
        twin.params.clone_from(&run.params);
        let masses = run.state.get(col::collider::inverse_mass);
        for column in POSES {
            let (from, to) = (run.state.get(column), twin.state.get_mut(column));
            if to.len() == from.len() && from.len() == masses.len() {
                // Bodies with a mass go their own way in each.
                let scripted = masses.iter().map(|mass| *mass == 0.0);
                to.iter_mut()
                    .zip(from)
                    .zip(scripted)
                    .filter(|row| row.1)
                    .for_each(|((to, from), _)| *to = *from);
            }
        }
        // Who is in the hand, the host says to both.
        let masses = positions(run).iter().map(|x| x[3]);
        let rows = twin.state.get_mut(col::particle::position);
        rows.iter_mut().zip(masses).for_each(|(row, inverse_mass)| row[3] = inverse_mass);
        self.previous.clear();
        self.previous.extend_from_slice(positions(twin));
        self.holds.clear();
        self.holds.extend_from_slice(input.holds);
        rebase(&mut self.holds, twin.state.get_mut(col::particle::position));
        let start = Instant::now();
        let input = StepInput { holds: &self.holds, ..*input };
        match twin.step(threads, &input) {
            Ok(()) => {
                self.difference.ms[0] += start.elapsed().as_secs_f64() * 1e3;
                self.difference.steps += 1;
            }
            Err(error) => self.problem = Some(error),
        }
        twin.log.clear();
    }

    fn compare(&mut self, run: &Run, gravity: [f32; 3]) {
        let (particle, now) = farthest(positions(&self.run), positions(run));
        let difference = &mut self.difference;
        (difference.particle, difference.now) = (particle, now);
        difference.largest = difference.largest.max(difference.now);
        difference.energy = [&self.run, run].map(|run| Energy::of(&run.state).total(gravity));
    }
}

fn positions(run: &Run) -> &[[f32; 4]] {
    run.state.get(col::particle::position)
}

/// Copies what lives longer than a step. False, with nothing promised, if a table or a column of `to` is not in `from`.
fn copy(from: &State, to: &mut State) -> bool {
    to.tables.iter_mut().all(|table| {
        let Some(source) = from.table(&table.name).filter(|source| source.rows == table.rows) else {
            return false;
        };
        let lasting = table.columns.iter_mut().filter(|column| column.class != Class::Scratch);
        source.coloring.order == table.coloring.order
            && lasting.into_iter().all(|column| {
                let found = source.column(&column.name);
                let found =
                    found.filter(|found| found.element == column.element && found.class == column.class);
                found.inspect(|found| column.bytes_mut().copy_from_slice(found.bytes())).is_some()
            })
    })
}
