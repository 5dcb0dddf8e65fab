//! How a lab is opened: the scene, and what the command line lays over it.

use std::path::PathBuf;

use crate::scene::{self, Scene, SolverInfo, suggest};

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub scene: PathBuf,
    /// Solver instead of the scene's.
    pub solver: Option<String>,
    /// Threads of the solver; 0: one for each core.
    pub threads: usize,
    /// `--set PATH=VALUE`, in order.
    pub overrides: Vec<(String, String)>,
    /// Watch sources, shaders and the scene.
    pub live: bool,
}

impl Options {
    /// Lays `--solver` and `--set` over a scene.
    pub fn apply(&self, scene: &mut Scene, solvers: &[SolverInfo]) -> Result<(), String> {
        if let Some(name) = &self.solver {
            choose_solver(scene, name, solvers)?;
        }
        apply_overrides(scene, &self.overrides, solvers)
    }
}

fn choose_solver(scene: &mut Scene, name: &str, solvers: &[SolverInfo]) -> Result<(), String> {
    if !solvers.iter().any(|solver| solver.name == name) {
        let names: Vec<&str> = solvers.iter().map(|solver| solver.name.as_str()).collect();
        let near = suggest::nearest(name, names.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(format!("there is no solver `{name}`{near} Solvers: {}", names.join(", ")));
    }
    if scene.solver.name != name {
        scene.solver.name = name.to_string();
        scene.solver.params.clear();
    }
    Ok(())
}

/// Sets fields by path; refuses unknown paths, values out of range and unknown solver parameters.
pub fn apply_overrides(
    scene: &mut Scene,
    overrides: &[(String, String)],
    solvers: &[SolverInfo],
) -> Result<(), String> {
    for (path, value) in overrides {
        if path == "solver" || path == "solver.name" {
            choose_solver(scene, value.trim_matches('"'), solvers)?;
            continue;
        }
        scene::set(scene, path, value).map_err(|e| format!("--set {path}={value}: {e}"))?;
        if let Some(name) = path.strip_prefix("solver.") {
            let name = name.strip_prefix("params.").unwrap_or(name);
            check_param(scene, name, solvers).map_err(|e| format!("--set {path}={value}: {e}"))?;
        }
    }
    Ok(())
}

fn check_param(scene: &Scene, name: &str, solvers: &[SolverInfo]) -> Result<(), String> {
    let Some(solver) = solvers.iter().find(|solver| solver.name == scene.solver.name) else {
        return Ok(());
    };
    let Some(info) = solver.params.iter().find(|info| info.name == name) else {
        let names: Vec<&str> = solver.params.iter().map(|info| info.name.as_str()).collect();
        return Err(format!(
            "the solver `{}` has no parameter `{name}`; it has {}",
            solver.name,
            names.join(", ")
        ));
    };
    let fault = scene.solver.params.get(name).and_then(|value| scene::check::param_fault(info, value));
    fault.map_or(Ok(()), |(what, help)| Err(format!("`{name}` {what} ({help})")))
}
