//! Edits from the panel and the keys: another solver, a parameter, a field of the scene.

use crate::readings;
use sim_api::{ParamDesc, SolverDesc};

use super::Lab;
use weft_engine::run::Params;
use weft_scene::{Value, assemble};

impl Lab {
    pub fn solvers(&self) -> &'static [SolverDesc] {
        self.run.generation.solvers()
    }

    /// The solver that runs, if the present code has it.
    pub fn solver(&self) -> Option<&'static SolverDesc> {
        self.solvers().iter().find(|solver| solver.name.as_str() == self.scene.solver.name)
    }

    /// Goes on with another solver on the same state. Its parameters are the file's, or its defaults.
    pub fn choose_solver(&mut self, name: &str) {
        if self.scene.solver.name == name {
            return;
        }
        self.scene.solver = self.file.solver.clone();
        self.scene.solver.choose(name);
        self.use_solver();
        self.go_on();
    }

    /// The next solver in the list.
    pub fn next_solver(&mut self) {
        let solvers = self.solvers();
        let at = solvers.iter().position(|solver| solver.name.as_str() == self.scene.solver.name);
        let next = at.map_or(0, |at| (at + 1) % solvers.len());
        self.choose_solver(solvers[next].name.as_str());
    }

    /// Sets a parameter of the solver that runs.
    pub fn set_param(&mut self, param: &ParamDesc, value: f32) {
        let value = param.clamp(value);
        let written = match assemble::choices(param).nth(value as usize) {
            Some(choice) => Value::Text(choice.to_string()),
            None => Value::Number(value.to_string().parse().unwrap_or(f64::from(value))),
        };
        self.scene.solver.params.insert(param.name.to_string(), written);
        self.use_solver();
        self.go_on();
    }

    /// Hands the scene's solver and parameters to the run; what the code does not know waits.
    pub(super) fn use_solver(&mut self) {
        if self.run.solver != self.scene.solver.name {
            self.run.stages.clear();
        }
        self.run.solver = self.scene.solver.name.clone();
        let params = self.solver().map_or(&[][..], |solver| solver.params.as_slice());
        let set = |param: &ParamDesc| {
            let value = self.scene.solver.params.get(param.name.as_str())?;
            Some((param.name.to_string(), assemble::param_value(param, value)?))
        };
        self.run.params = params.iter().filter_map(set).collect::<Params>();
    }

    /// After a swap of code: parameters and scenes that waited for it.
    pub(super) fn recheck_params(&mut self) {
        let known = readings::vocabulary(&self.run.generation);
        if let Ok(loaded) = weft_scene::load(&self.scene_path, &known) {
            self.problems.pending = loaded.pending;
        }
    }
}
