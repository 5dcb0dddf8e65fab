//! A second run with other code or another solver: the same start, the same input, the same colliders, step by step beside
//! the first.

use std::{sync::Arc, time::Duration};

use weft_core::clock::Instant;
use weft_core::state::col;

use sim_api::{Class, Hold, Key};

use weft_core::{
    energy::Energy,
    state::{State, farthest},
};
use weft_engine::{
    generation::Generation,
    run::{Run, StepError, StepInput},
    threads::Threads,
};
use weft_gpu::ReadbackScope;
use weft_scene::{RunPath, Scene, SolverChoice};

use super::{half::Half, recent::Recent};
use crate::{
    history::rebase,
    on_device::Change,
    readings::{Difference, Measured, Meter},
};

/// Collider columns that the host writes before every step.
const POSES: [Key<[f32; 4]>; 4] = [
    col::collider::position,
    col::collider::rotation,
    col::collider::begin_position,
    col::collider::begin_rotation,
];

/// What a twin does not share with the run that it goes beside.
#[derive(Clone, Debug, PartialEq)]
pub enum Own {
    /// Its code, the one before. Solver and values are those of the run.
    Code,
    /// Its solver, with values of its own. Its code is that of the run.
    Solver(SolverChoice),
}

/// A run beside the one that the session is of.
pub struct Twin {
    pub run: Run,
    own: Own,
    pub(super) path: RunPath,
    /// What it has on a device, on the GPU path.
    pub(super) half: Option<Half>,
    /// Positions before the last step, for drawing in between.
    pub previous: Vec<[f32; 4]>,
    /// Why it stands still, if it does.
    pub problem: Option<StepError>,
    /// What was last said of that.
    pub(crate) told: Option<String>,
    pub difference: Difference,
    /// Times of its last steps.
    pub(super) recent: Recent,
    measured: Measured,
    meter: Meter,
    holds: Vec<Hold>,
}

impl Twin {
    /// The code before: begins at the state of `run`.
    pub(crate) fn with_code(run: &Run, code: Arc<Generation>) -> Result<Self, String> {
        if code.solver(&run.solver).is_none() {
            return Err(format!("the code before has no solver `{}`", run.solver));
        }
        Self::new(run, code, &run.solver, Own::Code)
    }

    /// Another solver of the same code, or the same with other values: begins at the state of `run`.
    pub(crate) fn with_solver(run: &Run, choice: SolverChoice) -> Result<Self, String> {
        if run.generation.solver(&choice.name).is_none() {
            return Err(format!("the present code has no solver `{}`", choice.name));
        }
        let name = choice.name.clone();
        Self::new(run, Arc::clone(&run.generation), &name, Own::Solver(choice))
    }

    fn new(run: &Run, code: Arc<Generation>, solver: &str, own: Own) -> Result<Self, String> {
        let mut twin = Self {
            run: Run::new(code, run.blueprint.clone(), solver)?,
            own,
            path: RunPath::Cpu,
            half: None,
            previous: Vec::new(),
            problem: None,
            told: None,
            difference: Difference::default(),
            recent: Recent::default(),
            measured: Measured::default(),
            meter: Meter::default(),
            holds: Vec::new(),
        };
        twin.follow(run)?;
        Ok(twin)
    }

    pub fn own(&self) -> &Own {
        &self.own
    }

    /// The solver and the values that it has of its own; `None` for older code.
    pub fn choice(&self) -> Option<&SolverChoice> {
        match &self.own {
            Own::Code => None,
            Own::Solver(choice) => Some(choice),
        }
    }

    /// Goes on with another solver or other values.
    pub(crate) fn choose(&mut self, choice: SolverChoice) {
        if self.run.solver != choice.name {
            self.run.solver.clone_from(&choice.name);
            self.run.stages.clear();
            self.run.readings.clear();
        }
        self.run.params = super::params(&choice, self.run.generation.solvers());
        self.own = Own::Solver(choice);
        self.problem = None;
        self.recent.clear();
    }

    /// Median time of its last steps [ms]; 0 before the first.
    pub fn ms(&self) -> f32 {
        self.recent.median()
    }

    /// Numbers of its state, as of the last [`Twin::measure`].
    pub fn measured(&self) -> &Measured {
        &self.measured
    }

    pub(crate) fn measure(&mut self, scene: &Scene) {
        if self.read(ReadbackScope::All).is_err() {
            return;
        }
        self.measured = self.meter.read(&self.run, scene.gravity);
        self.measured.motion.move_by(scene.origin, scene.gravity);
    }

    /// Begins again at the state of `run`. Where its device stood in the way it tries again only when it is asked to.
    pub(crate) fn follow(&mut self, run: &Run) -> Result<(), String> {
        let twin = &mut self.run;
        let change = copy(&run.state, &mut twin.state);
        if change == Change::Tables {
            // Other rows, or columns that the newer code has no more: the way that a swap of code takes.
            twin.blueprint = run.blueprint.clone();
            twin.state = run.state.clone();
            twin.state.reconcile(&twin.generation.schema, &twin.blueprint)?;
        }
        self.half.iter_mut().for_each(|half| half.refresh(change));
        twin.set_time(run.frame, run.time);
        self.previous.clear();
        self.previous.extend_from_slice(positions(&self.run));
        if !(self.path == RunPath::Gpu && matches!(self.problem, Some(StepError::Gpu(_)))) {
            self.problem = None;
        }
        self.difference = Difference::default();
        self.recent.clear();
        Ok(())
    }

    /// Positions of all particles [m].
    pub fn positions(&self) -> &[[f32; 4]] {
        positions(&self.run)
    }

    /// One step with the input of `run`, after which `scope` of its state is up to date; none if it is ahead, because the step
    /// of `run` failed, or waits for a device.
    pub(super) fn step(&mut self, run: &Run, threads: &Threads, scope: ReadbackScope, input: &StepInput) {
        let twin = &mut self.run;
        let is_ahead = self.difference.steps > 0 && twin.frame > run.frame;
        if self.problem.is_some() || is_ahead || self.path == RunPath::Gpu && self.half.is_none() {
            return;
        }
        if self.own == Own::Code {
            twin.solver.clone_from(&run.solver);
            twin.params.clone_from(&run.params);
        }
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
        let stepped = match &mut self.half {
            None => twin.step(threads, &input),
            Some(half) => half.step(twin, &input, scope),
        };
        match stepped {
            Ok(()) => {
                let took = start.elapsed();
                self.difference.add_ms(0, took);
                self.difference.steps += 1;
                self.recent.add(took);
            }
            Err(error) => {
                if matches!(error, StepError::Gpu(_)) {
                    // It has nothing that could be read back.
                    self.half = None;
                }
                self.problem = Some(error);
            }
        }
        twin.log.clear();
    }

    /// After a step of `run` that took so long.
    pub(super) fn compare(&mut self, run: &Run, took: Duration, gravity: [f32; 3]) {
        if self.problem.is_some() {
            return;
        }
        self.difference.add_ms(1, took);
        let (particle, now) = farthest(positions(&self.run), positions(run));
        let difference = &mut self.difference;
        (difference.particle, difference.now) = (particle, now);
        difference.largest = difference.largest.max(difference.now);
        if self.own == Own::Code {
            difference.energy = [&self.run, run].map(|run| Energy::of(&run.state).total(gravity));
        }
    }
}

fn positions(run: &Run) -> &[[f32; 4]] {
    run.state.get(col::particle::position)
}

/// Copies what lives longer than a step, and says what of it was other than before. With nothing promised where that is the
/// tables: a table or a column of `to` is not in `from`.
fn copy(from: &State, to: &mut State) -> Change {
    let mut change = Change::State;
    let same = to.tables.iter_mut().all(|table| {
        let Some(source) = from.table(&table.name).filter(|source| source.rows == table.rows) else {
            return false;
        };
        let lasting = table.columns.iter_mut().filter(|column| column.class != Class::Scratch);
        source.coloring.order == table.coloring.order
            && lasting.into_iter().all(|column| {
                let found = source.column(&column.name);
                let found =
                    found.filter(|found| found.element == column.element && found.class == column.class);
                let Some(found) = found else { return false };
                if column.class == Class::Given && column.bytes() != found.bytes() {
                    change = Change::Given;
                }
                column.bytes_mut().copy_from_slice(found.bytes());
                true
            })
    });
    if same { change } else { Change::Tables }
}
