//! A/B of code: the generation that ran before, beside the one that runs.

use std::sync::Arc;

use super::{Notice, Session};
use weft_core::state::Report;
use weft_engine::generation::Generation;

use crate::history::Twin;

impl Session {
    /// The generation that ran before, if it is another one.
    pub fn code_before(&self) -> Option<&Arc<Generation>> {
        self.recovery.code_before(&self.engine.run().generation)
    }

    /// Steps the code before beside the present one: from the start of the loop, or from now on.
    pub fn start_compare(&mut self) -> Result<(), String> {
        if self.engine.gpu().is_some() {
            return Err("before and after are compared on the CPU path: switch to it first (key g)".into());
        }
        let before = self.code_before().ok_or(
            "only one generation has run: save a change of the hot code, and compare it with what ran before",
        )?;
        self.timeline.twin = Some(Box::new(Twin::new(self.engine.run(), Arc::clone(before))?));
        self.restart_pass();
        Ok(())
    }

    pub fn end_compare(&mut self) {
        self.timeline.twin = None;
    }

    /// Goes on with other code. A loop starts its pass again, a comparison compares with what ran until now.
    pub fn use_code(&mut self, code: Arc<Generation>) -> Result<Report, String> {
        let before = Arc::clone(&self.engine.run().generation);
        let report = self.swap_engine(code)?;
        self.recovery.swapped(before);
        self.restart_pass();
        if self.timeline.twin.is_some()
            && let Err(why) = self.start_compare()
        {
            self.end_compare_because(&why);
        }
        Ok(report)
    }

    /// Other code under the same state, with the values of the scene.
    pub(super) fn swap_engine(&mut self, code: Arc<Generation>) -> Result<Report, String> {
        self.read_all();
        let report = self.engine.swap(code)?;
        self.use_solver();
        self.recheck_params();
        // A pose column that is new holds the pose of time 0.
        self.place_colliders();
        Ok(report)
    }

    /// The state was replaced: the twin begins there as well.
    pub(super) fn restart_twin(&mut self) {
        if let Some(twin) = &mut self.timeline.twin
            && let Err(why) = twin.follow(self.engine.run())
        {
            self.end_compare_because(&why);
        }
    }

    fn end_compare_because(&mut self, why: &str) {
        self.end_compare();
        self.report.notice(Notice::good("log", format!("the comparison ends: {why}")));
    }
}
