//! Side by side on one state: the generation that ran before, and other solvers, beside the one that runs.

use std::sync::Arc;

use super::{Notice, Session};
use sim_api::ParamDesc;
use weft_core::state::Report;
use weft_engine::generation::Generation;
use weft_scene::{RunPath, SolverChoice};

use crate::beside::{Own, Twin, written};

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
        let twin = Twin::with_code(self.engine.run(), Arc::clone(before))?;
        self.end_compare();
        self.timeline.beside.add(twin)?;
        self.begin_together();
        Ok(())
    }

    /// Ends the comparison with the code before.
    pub fn end_compare(&mut self) {
        self.timeline.beside.retain(|twin| *twin.own() != Own::Code);
    }

    /// Steps another solver beside the one that runs, from the start of the loop, or from now on. `choice` may name the same
    /// one, to compare values.
    pub fn add_beside(&mut self, choice: SolverChoice) -> Result<(), String> {
        self.read_all();
        let mut twin = Twin::with_solver(self.engine.run(), choice.clone())?;
        twin.choose(choice);
        self.timeline.beside.add(twin)?;
        self.begin_together();
        Ok(())
    }

    /// Ends the run at this place of [`crate::beside::Beside::twins`].
    pub fn remove_beside(&mut self, place: usize) {
        self.timeline.beside.remove(place);
    }

    /// Ends all of them.
    pub fn end_beside(&mut self) {
        self.timeline.beside.retain(|_| false);
    }

    /// Another solver for the run at this place, with the scene's values for it.
    pub fn choose_beside(&mut self, place: usize, name: &str) {
        let mut choice = self.setup.file.solver.clone();
        choice.choose(name);
        self.set_beside(place, choice);
    }

    /// Sets a parameter of the run at this place.
    pub fn set_beside_param(&mut self, place: usize, param: &ParamDesc, value: f32) {
        let twin = self.timeline.beside.twins().get(place);
        if let Some(mut choice) = twin.and_then(Twin::choice).cloned() {
            choice.params.insert(param.name.to_string(), written(param, value));
            self.set_beside(place, choice);
        }
    }

    pub(super) fn set_beside(&mut self, place: usize, choice: SolverChoice) {
        self.turn_beside(place, |twin| twin.choose(choice));
    }

    /// Computes the run at this place on the other path, from where it is.
    pub fn set_beside_path(&mut self, place: usize, path: RunPath) {
        self.turn_beside(place, |twin| twin.set_path(path));
    }

    /// Changes a run beside. One that stood still begins at the state of the first.
    fn turn_beside(&mut self, place: usize, turn: impl FnOnce(&mut Twin)) {
        let Some(twin) = self.timeline.beside.twins_mut().get_mut(place) else { return };
        let stood = twin.problem.is_some();
        turn(twin);
        if stood || twin.problem.is_some() {
            self.read_all();
            let run = self.engine.run();
            let began = self.timeline.beside.twins_mut().get_mut(place).map(|twin| twin.follow(run));
            if let Some(Err(why)) = began {
                self.timeline.beside.remove(place);
                self.ends_because(&why);
            }
        }
    }

    /// Whether each solver beside gets the time that the run takes.
    pub fn set_same_ms(&mut self, same: bool) {
        self.timeline.beside.same_ms = same;
    }

    /// All runs begin at the present state again, which is that of the session's own run.
    pub fn begin_together(&mut self) {
        self.timeline.beside.twins_mut().iter_mut().for_each(|twin| twin.problem = None);
        self.restart_pass();
        self.restart_beside();
    }

    /// Goes on with other code. A loop starts its pass again, a comparison compares with what ran until now.
    pub fn use_code(&mut self, code: Arc<Generation>) -> Result<Report, String> {
        let before = Arc::clone(&self.engine.run().generation);
        let report = self.swap_engine(code)?;
        self.recovery.swapped(before);
        self.read_all();
        let run = self.engine.run();
        let ended = self.timeline.beside.swap(&run.generation, run);
        ended.iter().for_each(|why| self.ends_because(why));
        self.restart_pass();
        if self.timeline.twin().is_some()
            && let Err(why) = self.start_compare()
        {
            self.end_compare();
            self.ends_because(&why);
        }
        Ok(report)
    }

    /// Other code under the same state, with the values of the scene.
    pub(super) fn swap_engine(&mut self, code: Arc<Generation>) -> Result<Report, String> {
        self.read_all();
        self.note_code(&code);
        let report = self.engine.swap(code)?;
        self.use_solver();
        self.recheck_params();
        // A pose column that is new holds the pose of time 0.
        self.place_colliders();
        Ok(report)
    }

    /// The state was replaced: those beside begin there as well.
    pub(super) fn restart_beside(&mut self) {
        if self.timeline.beside.twins().is_empty() {
            return;
        }
        self.read_all();
        let ended = self.timeline.beside.follow(self.engine.run());
        ended.iter().for_each(|why| self.ends_because(why));
    }

    fn ends_because(&mut self, why: &str) {
        self.report.notice(Notice::good("log", format!("the comparison ends: {why}")));
    }
}
