//! A/B of code: the generation that ran before, beside the one that runs.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::Lab;
use weft_engine::{
    generation::Generation,
    run::{StepError, StepInput},
};

use crate::history::Twin;

impl Lab {
    /// The generation that ran before, if it is another one.
    pub fn code_before(&self) -> Option<&Arc<Generation>> {
        self.code_before.as_ref().filter(|before| !Arc::ptr_eq(before, &self.run.generation))
    }

    /// Steps the code before beside the present one: from the start of the loop, or from now on.
    pub fn start_compare(&mut self) -> Result<(), String> {
        if self.gpu.is_some() {
            return Err("before and after are compared on the CPU path: switch to it first (key g)".into());
        }
        let before = self.code_before().ok_or(
            "only one generation has run: save a change of the hot code, and compare it with what ran before",
        )?;
        self.twin = Some(Box::new(Twin::new(&self.run, Arc::clone(before))?));
        self.restart_pass();
        Ok(())
    }

    pub fn end_compare(&mut self) {
        self.twin = None;
    }

    /// Other code runs since; `before` ran until then. A loop starts its pass again, a comparison compares with `before`.
    ///
    /// Code that never finished a step is no code to compare with.
    pub fn code_swapped(&mut self, before: Arc<Generation>) {
        if self.first_step.is_none() {
            self.code_before = Some(before);
        }
        self.restart_pass();
        if self.twin.is_some()
            && let Err(why) = self.start_compare()
        {
            self.end_compare();
            self.run.log.push(format!("the comparison ends: {why}"));
        }
    }

    /// The state was replaced: the twin begins there as well.
    pub(super) fn restart_twin(&mut self) {
        if let Some(twin) = &mut self.twin
            && let Err(why) = twin.follow(&self.run)
        {
            self.end_compare();
            self.run.log.push(format!("the comparison ends: {why}"));
        }
    }
}

/// One step of the run, and of its twin if there is one; the time is that of the run.
pub(super) fn step(
    run: &mut weft_engine::run::Run,
    twin: Option<&mut Twin>,
    threads: &weft_engine::threads::Threads,
    input: &StepInput,
    gravity: [f32; 3],
) -> Result<Duration, StepError> {
    if let Some(twin) = twin {
        return twin.step_both(run, threads, input, gravity);
    }
    let start = Instant::now();
    run.step(threads, input).map(|()| start.elapsed())
}
