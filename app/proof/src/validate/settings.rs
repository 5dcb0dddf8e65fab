//! Solvers set so that their iterations leave next to nothing: where a case is about the equation that a solver solves,
//! not about how fast.

use super::rig::Rig;

/// The parameters that do so for a few hundred soft rows. Solvers that are not here project or integrate as they are.
const CONVERGED: &[(&str, &[(&str, f32)])] = &[
    (
        "implicit_newton",
        &[("iterations", 20.0), ("tolerance", 1e-6), ("cg_iterations", 400.0), ("cg_tolerance", 1e-3)],
    ),
    ("baraff_witkin", &[("iterations", 1000.0), ("tolerance", 1e-6)]),
    ("implicit_jacobi", &[("iterations", 200.0)]),
    ("implicit_chebyshev", &[("iterations", 60.0)]),
    ("projective_dynamics", &[("iterations", 60.0)]),
    ("vbd", &[("iterations", 100.0)]),
];

impl Rig {
    /// The solver that runs, converged.
    pub fn converged(self) -> Self {
        let own = CONVERGED.iter().find(|(solver, _)| *solver == self.run.solver);
        own.map_or(&[][..], |(_, params)| params)
            .iter()
            .fold(self, |rig, (name, value)| rig.set(name, *value))
    }

    /// Sets how often a substep goes over all rows: what a solver's effort is counted in. Only if it has such a parameter.
    ///
    /// A Newton step is as many as its conjugate gradients take.
    pub fn sweeps(self, count: u32) -> Self {
        let param = if self.has("cg_iterations") { "cg_iterations" } else { "iterations" };
        self.set_if(param, count as f32)
    }

    /// Lifts the limit on the stiffness of rows where the solver has one.
    pub fn unlimited(self) -> Self {
        self.set_if("stiffest", 1e6)
    }
}
