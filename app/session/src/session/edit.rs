//! Edits from the panel and the keys: another solver, a parameter, a field of the scene.

use crate::{beside::written, readings, tape::Input};
use sim_api::{ParamDesc, SolverDesc};

use super::Session;

impl Session {
    /// The solver that runs, if the present code has it.
    pub fn solver(&self) -> Option<&'static SolverDesc> {
        self.setup.solver(self.solvers())
    }

    /// Goes on with another solver on the same state. Its parameters are the file's, or its defaults.
    pub fn choose_solver(&mut self, name: &str) {
        if self.setup.scene.solver.name == name {
            return;
        }
        self.note(|| Input::Solver { name: name.to_string() });
        self.undo.note("solver", &self.setup.scene);
        self.setup.scene.solver = self.setup.file.solver.clone();
        self.setup.scene.solver.choose(name);
        self.use_solver();
        self.go_on();
    }

    /// The next solver in the list.
    pub fn next_solver(&mut self) {
        let solvers = self.solvers();
        let at = solvers.iter().position(|solver| solver.name.as_str() == self.setup.scene.solver.name);
        let next = at.map_or(0, |at| (at + 1) % solvers.len());
        self.choose_solver(solvers[next].name.as_str());
    }

    /// Sets a parameter of the solver that runs.
    pub fn set_param(&mut self, param: &ParamDesc, value: f32) {
        self.note(|| Input::Param { name: param.name.to_string(), value });
        self.undo.note(param.name.as_str(), &self.setup.scene);
        self.setup.scene.solver.params.insert(param.name.to_string(), written(param, value));
        self.use_solver();
        self.go_on();
    }

    /// Hands the scene's solver and parameters to the run; what the code does not know waits.
    pub(super) fn use_solver(&mut self) {
        let params = self.setup.params(self.solvers());
        let (run, name) = (self.engine.run_mut(), &self.setup.scene.solver.name);
        if run.solver != *name {
            run.stages.clear();
            run.solver.clone_from(name);
        }
        run.params = params;
        self.timeline.beside.forget_times();
    }

    /// After a swap of code: parameters that waited for it. The scene is the one that was read last.
    pub(super) fn recheck_params(&mut self) {
        let known = readings::vocabulary(&self.engine.run().generation);
        if let Some(pending) = weft_scene::pending(self.setup.path(), &self.setup.text, &known) {
            self.report.problems.pending = pending;
        }
    }
}
