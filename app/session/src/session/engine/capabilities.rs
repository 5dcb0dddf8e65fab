//! What the GPU path offers of what the panel shows: other solvers and parameters, each with the reason why not.

use std::collections::BTreeMap;

use sim_api::ParamKind;

use super::{Engine, Path};
use weft_engine::run::StepInput;
use weft_scene::{SolverChoice, assemble};

/// Reasons; what is not here is offered. Empty on the CPU path.
#[derive(Debug, Default)]
pub struct Capabilities {
    /// By name of a solver.
    pub solvers: BTreeMap<String, String>,
    /// By name of a parameter of the present solver, and place in its list of choices.
    pub choices: BTreeMap<(String, usize), String>,
    /// Parameters that have to stay as they are.
    pub params: BTreeMap<String, String>,
}

impl Engine {
    /// Asks anew; about solvers only if tables or code are others.
    pub(super) fn ask_capabilities(&mut self, file: &SolverChoice, solvers: bool, input: &StepInput) {
        let Path::Gpu(gpu) = &self.path else { return };
        let run = &mut self.run;
        let descriptions = run.generation.solvers();
        let (solver, params) = (run.solver.clone(), run.params.clone());
        let found = &mut self.device.capabilities;
        if solvers {
            found.solvers.clear();
            for other in descriptions.iter().filter(|other| other.name.as_str() != solver) {
                run.solver = other.name.to_string();
                let own = |param: &sim_api::ParamDesc| {
                    let value = (file.name == run.solver).then(|| file.params.get(param.name.as_str()))??;
                    Some((param.name.to_string(), assemble::param_value(param, value)?))
                };
                run.params = other.params.as_slice().iter().filter_map(own).collect();
                if let Err(why) = gpu.offer(run, input, None) {
                    found.solvers.insert(run.solver.clone(), why.to_string());
                }
            }
            run.solver.clone_from(&solver);
        }
        (found.choices, found.params) = Default::default();
        let described = descriptions.iter().find(|described| described.name.as_str() == solver);
        for param in described.map_or(&[][..], |solver| solver.params.as_slice()) {
            let name = param.name.as_str();
            run.params.clone_from(&params);
            let now = run.value(param);
            let mut refusal = |value: f32| {
                run.params.clone_from(&params);
                run.params.insert(name.to_string(), value);
                gpu.offer(run, input, None).err().map(|why| why.to_string())
            };
            if param.kind == ParamKind::Choice {
                for choice in 0..assemble::choices(param).count() {
                    if let Some(why) = refusal(choice as f32) {
                        found.choices.insert((name.to_string(), choice), why);
                    }
                }
            } else {
                let ends = [param.min, param.max].into_iter().filter(|end| *end != now);
                let refusals: Vec<Option<String>> = ends.map(&mut refusal).collect();
                if let Some(Some(why)) = refusals.iter().find(|why| why.is_some())
                    && refusals.iter().all(Option::is_some)
                {
                    found.params.insert(name.to_string(), why.clone());
                }
            }
        }
        run.params = params;
    }
}
