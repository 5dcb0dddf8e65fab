//! Runs beside the one that the session is of: the code before, and other solvers on the same state.

mod half;
mod recent;
mod twin;

use std::{sync::Arc, time::Duration};

use sim_api::{ParamDesc, SolverDesc};
use weft_core::clock::Instant;
use weft_engine::{
    generation::Generation,
    run::{Params, Run, StepError, StepInput},
    threads::Threads,
};
use weft_gpu::ReadbackScope;
use weft_scene::{RunPath, Scene, SolverChoice, Value, assemble};

use recent::Recent;

pub use twin::{Own, Twin};
pub use weft_scene::MOST_BESIDE;

/// Steps between two looks at who costs more than the run.
const BALANCE_EVERY: u64 = 20;
/// Costs that are this near to each other are taken for equal.
const NEAR: f32 = 0.04;

/// They step in turns with the run; each begins at its state.
#[derive(Default)]
pub struct Beside {
    twins: Vec<Twin>,
    /// Each solver beside takes as many substeps as the run has time for, or iterations where it has no substeps.
    pub same_ms: bool,
    /// Of the last steps of the run itself.
    recent: Recent,
}

impl Beside {
    pub fn twins(&self) -> &[Twin] {
        &self.twins
    }

    pub(crate) fn twins_mut(&mut self) -> &mut [Twin] {
        &mut self.twins
    }

    /// The code before, while it is compared.
    pub fn code(&self) -> Option<&Twin> {
        self.twins.iter().find(|twin| *twin.own() == Own::Code)
    }

    /// Median time of the last steps of the run itself [ms]; 0 before the first.
    pub fn ms(&self) -> f32 {
        self.recent.median()
    }

    /// The values of the run were changed.
    pub(crate) fn forget_times(&mut self) {
        self.recent.clear();
    }

    pub(crate) fn add(&mut self, twin: Twin) -> Result<(), String> {
        if self.twins.len() >= MOST_BESIDE {
            return Err(format!(
                "{} runs are beside each other, which is all there is room for",
                1 + MOST_BESIDE
            ));
        }
        self.twins.push(twin);
        Ok(())
    }

    pub(crate) fn remove(&mut self, place: usize) {
        if place < self.twins.len() {
            self.twins.remove(place);
        }
    }

    /// Ends those of which `keep` is false.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Twin) -> bool) {
        self.twins.retain(keep);
    }

    /// All begin again at the state of `run`; why those ended that could not.
    pub(crate) fn follow(&mut self, run: &Run) -> Vec<String> {
        self.recent.clear();
        let mut ended = Vec::new();
        self.twins.retain_mut(|twin| twin.follow(run).map_err(|why| ended.push(why)).is_ok());
        ended
    }

    /// Those that share the code of the run go on with its new code; why those ended that could not.
    /// One that stood still begins at the state of `run`.
    pub(crate) fn swap(&mut self, code: &Arc<Generation>, run: &Run) -> Vec<String> {
        let mut ended = Vec::new();
        self.twins.retain_mut(|twin| {
            let Some(choice) = twin.choice().cloned() else { return true };
            let stood = twin.problem.is_some();
            let swapped = match code.solver(&choice.name) {
                None => Err(format!("the new code has no solver `{}`", choice.name)),
                Some(_) => twin.swap(code),
            };
            let swapped = swapped.map(|()| twin.choose(choice));
            let swapped = swapped.and_then(|()| if stood { twin.follow(run) } else { Ok(()) });
            swapped.map_err(|why| ended.push(why)).is_ok()
        });
        ended
    }

    pub(crate) fn measure(&mut self, scene: &Scene) {
        self.twins.iter_mut().for_each(|twin| twin.measure(scene));
    }

    /// Whether any of them is on a device.
    pub(crate) fn on_device(&self) -> bool {
        self.twins.iter().any(|twin| twin.gpu().is_some())
    }

    /// Whether any of them is to be on one.
    pub(crate) fn wants_device(&self) -> bool {
        self.twins.iter().any(|twin| twin.path() == RunPath::Gpu)
    }

    /// Whether one stands still because of its device.
    pub(crate) fn has_lost_device(&self) -> bool {
        self.twins.iter().any(|twin| matches!(twin.problem, Some(StepError::Gpu(_))))
    }

    /// The context of the picture is gone, and with it all that was made there.
    pub(crate) fn leave_context(&mut self) {
        self.twins.iter_mut().for_each(Twin::leave_context);
    }

    /// Steps all and compares; `own` is the step of `run`. Who is first changes from step to step: what lies in a cache, and
    /// what the machine does beside, meets each in turn. Of those on a device `scope` comes back, positions in any case. The
    /// result is that of `run`, with the time that it took.
    pub(crate) fn step(
        &mut self,
        run: &mut Run,
        (threads, gravity, scope): (&Threads, [f32; 3], ReadbackScope),
        input: &StepInput,
        own: impl FnOnce(&mut Run) -> Result<(), StepError>,
    ) -> Result<Duration, StepError> {
        let scope = scope.with_positions();
        let before = run.frame as usize % (self.twins.len() + 1);
        let (first, last) = self.twins.split_at_mut(before);
        first.iter_mut().for_each(|twin| twin.step(run, threads, scope, input));
        let start = Instant::now();
        own(run)?;
        let took = start.elapsed();
        last.iter_mut().for_each(|twin| twin.step(run, threads, scope, input));
        self.recent.add(took);
        self.twins.iter_mut().for_each(|twin| twin.compare(run, took, gravity));
        if self.same_ms && run.frame.is_multiple_of(BALANCE_EVERY) {
            self.balance();
        }
        Ok(took)
    }

    /// Brings the cost of each solver beside nearer to that of the run.
    fn balance(&mut self) {
        let wanted = self.recent.median();
        for twin in self.twins.iter_mut().filter(|twin| twin.problem.is_none()) {
            let has = twin.ms();
            if wanted <= 0.0 || has <= 0.0 || (has / wanted - 1.0).abs() < NEAR {
                continue;
            }
            let Some(mut choice) = twin.choice().cloned() else { continue };
            let Some(solver) = twin.run.description() else { continue };
            let Some(param) = EFFORT.iter().find_map(|name| solver.param(name)) else {
                continue;
            };
            let name = param.name.as_str();
            let now = twin.run.value(param);
            let better = param.clamp((now * wanted / has).round());
            if better != now {
                choice.params.insert(name.to_string(), written(param, better));
                twin.choose(choice);
            }
        }
    }
}

/// What costs time and makes a solver exact: the first of these that it has is turned.
pub(crate) const EFFORT: [&str; 2] = ["substeps", "iterations"];

/// A value of a parameter as a scene file has it, the nearest in its range.
pub(crate) fn written(param: &ParamDesc, value: f32) -> Value {
    let value = param.clamp(value);
    match assemble::choices(param).nth(value as usize) {
        Some(choice) => Value::Text(choice.to_string()),
        None => Value::Number(value.to_string().parse().unwrap_or(f64::from(value))),
    }
}

/// Values of the parameters that a choice gives and the code knows.
pub(crate) fn params(choice: &SolverChoice, solvers: &'static [SolverDesc]) -> Params {
    let solver = solvers.iter().find(|solver| solver.name.as_str() == choice.name);
    let set = |param: &ParamDesc| {
        let value = choice.params.get(param.name.as_str())?;
        Some((param.name.to_string(), assemble::param_value(param, value)?))
    };
    solver.map_or(&[][..], |solver| solver.params.as_slice()).iter().filter_map(set).collect()
}
