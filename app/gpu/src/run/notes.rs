//! Where the device does something else than was asked, for the panel.

use super::{
    super::passes::{List, misnamed},
    GpuRun,
};
use weft_core::suggest;
use weft_engine::run::Run;

/// The spectral radius beyond which errors live longer than the iterations last, and the acceleration only swings:
/// `useful` in sim-dylib/kernels/implicit/jacobi.rs, and `spectrum_given.wgsl`.
pub(super) fn useful_rho(iterations: f32) -> f32 {
    1.0 - 4.0 / (iterations.max(3.0) * iterations.max(3.0))
}

impl GpuRun {
    /// Lists of `passes.ron` for solvers that there are none of, which do nothing: one line each, with its place.
    pub fn lists_for_nobody(&self, run: &Run) -> Vec<String> {
        let known: Vec<&str> = run.generation.solvers().iter().map(|solver| solver.name.as_str()).collect();
        let lists = self.passes.lists.iter().filter(|list| !known.contains(&list.solver.as_str()));
        let told =
            |list: &List| format!("{}: {}", list.name, suggest::unknown("solver", &list.solver, &known));
        lists.map(|list| misnamed(&self.sources, &told(list)).to_string()).collect()
    }

    /// One line each.
    pub fn notes(&self, run: &Run) -> Vec<String> {
        let mut notes = self.lists_for_nobody(run);
        if self.apart > 0.0 {
            notes.push(format!(
                "cloth keeps off cloth by its particles: {:.1} mm apart where the mesh is widest",
                1e3 * self.apart
            ));
        }
        // Only passes that take the parameter as it is limit it.
        if self.program.passes.iter().any(|pass| pass.file == "implicit/spectrum_given")
            && let (Some(rho), Some(iterations)) = (run.param("rho"), run.param("iterations"))
            && rho > useful_rho(iterations)
        {
            notes.push(format!(
                "rho {rho} is more than {iterations} iterations bear: {:.4} is used",
                useful_rho(iterations)
            ));
        }
        notes
    }
}
