//! How a session is opened: the scene, and what the command line lays over it.

use std::path::{Path, PathBuf};

use weft_core::suggest;
use weft_scene::{Scene, SolverInfo, Vocabulary};

use crate::live::Carry;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub scene: PathBuf,
    /// Solver instead of the scene's.
    pub solver: Option<String>,
    /// Threads of the solver; 0: one for each core.
    pub threads: usize,
    /// `--set PATH=VALUE`, in order.
    pub set: Vec<(String, String)>,
    /// Watch sources, shaders and the scene.
    pub live: bool,
    /// What a live session takes over from the process before it.
    pub carry: Carry,
}

impl Options {
    /// Whether the solver asked for is in the list; true as well for a scene that cannot be read, which is said elsewhere.
    pub fn names_solver_of(&self, solvers: &[SolverInfo]) -> bool {
        let known = |name: &str| solvers.iter().any(|solver| solver.name == name);
        match &self.solver {
            Some(name) => known(name),
            None => weft_scene::peek(&self.scene).is_none_or(|scene| known(&scene.solver.name)),
        }
    }

    /// Everything that is laid over the file each time it is read.
    pub fn overrides(&self) -> Vec<(String, String)> {
        let solver = self.solver.iter().map(|name| ("solver".to_string(), name.clone()));
        solver.chain(self.set.iter().cloned()).collect()
    }
}

/// An empty list of solvers skips the check, as in the scene's own.
fn choose_solver(scene: &mut Scene, name: &str, solvers: &[SolverInfo]) -> Result<(), String> {
    if !solvers.is_empty() && !solvers.iter().any(|solver| solver.name == name) {
        let names: Vec<&str> = solvers.iter().map(|solver| solver.name.as_str()).collect();
        let near = suggest::nearest(name, names.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(format!(
            "there is no solver `{name}`{near} (solvers: {}; one saved since this program was built: cargo build --release)",
            names.join(", ")
        ));
    }
    scene.solver.choose(name);
    Ok(())
}

/// Sets fields by path (`folder` is the scene file's); refuses unknown paths, unknown solver parameters and whatever a scene file may not hold.
pub(super) fn lay_over(
    scene: &mut Scene,
    overrides: &[(String, String)],
    known: &Vocabulary,
    folder: &Path,
) -> Result<(), String> {
    set_all(scene, overrides, known, folder).map_err(|why| weft_core::text::tame(&why))
}

fn set_all(
    scene: &mut Scene,
    overrides: &[(String, String)],
    known: &Vocabulary,
    folder: &Path,
) -> Result<(), String> {
    for (path, value) in overrides {
        if path == "solver" || path == "solver.name" {
            choose_solver(scene, value.trim_matches('"'), &known.solvers)?;
            continue;
        }
        weft_scene::set(scene, path, value).map_err(|e| format!("--set {e}"))?;
        if let Some(name) = path.strip_prefix("solver.") {
            let name = name.strip_prefix("params.").unwrap_or(name);
            check_param(scene, name, &known.solvers).map_err(|e| format!("--set {path}={value}: {e}"))?;
        }
    }
    if overrides.is_empty() {
        return Ok(());
    }
    weft_scene::obj::read_all(scene, folder);
    scene.choose_origin();
    let findings =
        weft_scene::check::check(scene, &weft_scene::locate::Located::new(""), Some(folder), known);
    findings.errors.first().map_or(Ok(()), |error| {
        let help = error.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        Err(format!("--set: {}: {}{help}", error.path, error.message))
    })
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
    let fault = scene.solver.params.get(name).and_then(|value| weft_scene::check::param_fault(info, value));
    fault.map_or(Ok(()), |(what, help)| Err(format!("`{name}` {what} ({help})")))
}
