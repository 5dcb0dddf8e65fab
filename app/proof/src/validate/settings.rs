//! What the cases hold of solvers by name, as data: how far to iterate, and what each is known to miss. What follows from a
//! solver's own description (its kind, the tables it takes, whether it reads compliance) stands in the cases.

use sim_api::Stiffness;

use super::{Trial, fixture::Fixture, known::KNOWN};

/// Solvers that average what the rows at a particle want.
const AVERAGED: &[&str] = &["pbd_jacobi", "pbd_sor"];

/// The solver that the drapes of the others are compared with: its iterations converge.
pub(super) const REFERENCE: &str = "implicit_newton";

/// Solvers that V9 asks for other loads: one by projections, one by Newton steps, one by linear steps. The mesh is the same for all.
pub(super) const LOADED: &[&str] = &["xpbd", "implicit_newton", "baraff_witkin"];

/// A solver whose iterations are accelerated, and the one with the same iterations plain.
const PLAIN: &[(&str, &str)] = &[("implicit_chebyshev", "implicit_jacobi")];

/// Parameters of some solvers.
type Settings = &'static [(&'static str, &'static [(&'static str, f32)])];

/// Those with which iterations leave next to nothing of a few hundred soft rows, where a case is about the equation that a
/// solver solves, not about how fast. Solvers that are not here project or integrate as they are.
const CONVERGED: Settings = &[
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

/// Those with which a solver goes once over the rows in a substep and no more. The others keep their own number.
const ONE_SWEEP: Settings = &[
    ("xpbd", &[("iterations", 1.0)]),
    ("pbd_gauss_seidel", &[("iterations", 1.0)]),
    ("pbd_jacobi", &[("iterations", 1.0)]),
    ("pbd_sor", &[("iterations", 1.0)]),
    ("projective_dynamics", &[("iterations", 1.0)]),
    ("vbd", &[("iterations", 1.0)]),
];

/// Those with which sweeps over rods come near to what a direct solve has.
const RODS: Settings = &[
    ("xpbd", &[("substeps", 40.0), ("iterations", 16.0)]),
    ("vbd", &[("substeps", 16.0), ("iterations", 256.0), ("stiffest", 100.0)]),
];

/// With which a belt over a support slides at its limit.
const BELT: Settings = &[
    ("xpbd", &[("substeps", 20.0), ("iterations", 100.0)]),
    ("pbd_gauss_seidel", &[("substeps", 20.0), ("iterations", 100.0)]),
    ("pbd_jacobi", &[("substeps", 20.0), ("iterations", 100.0)]),
    ("pbd_sor", &[("substeps", 20.0), ("iterations", 100.0)]),
    ("explicit", &[("substeps", 400.0)]),
    ("implicit_newton", &[("iterations", 15.0)]),
    ("baraff_witkin", &[("substeps", 20.0), ("iterations", 1000.0), ("tolerance", 1e-4)]),
    ("implicit_jacobi", &[("substeps", 40.0), ("iterations", 100.0)]),
    ("implicit_chebyshev", &[("substeps", 40.0), ("iterations", 100.0)]),
    ("projective_dynamics", &[("substeps", 20.0), ("iterations", 100.0)]),
    ("vbd", &[("iterations", 100.0)]),
];

/// Solvers that give momentum back after their iterations (`sim-dylib/kernels/momentum.rs`).
const GIVE_BACK: &[&str] = &["pbd_jacobi", "pbd_sor", "implicit_jacobi", "implicit_chebyshev", "vbd"];

/// Whether a solver gives momentum back that its iterations leave undone.
pub fn gives_back(solver: &str) -> bool {
    GIVE_BACK.contains(&solver)
}

/// Whether a solver averages what its rows want.
pub fn averages(solver: &str) -> bool {
    AVERAGED.contains(&solver)
}

/// The solver with the iterations of an accelerated one.
pub fn plain(solver: &str) -> Option<&'static str> {
    PLAIN.iter().find(|(accelerated, _)| *accelerated == solver).map(|(_, plain)| *plain)
}

impl Trial<'_> {
    /// Why the solver is known to miss a number of which the case says `facts`.
    pub fn known(&self, facts: &[&str]) -> Option<&'static str> {
        known((self.case, self.solver), self.quick, facts)
    }
}

/// Why a solver is known to miss a number of a case of which that says `facts`.
pub(super) fn known((case, solver): (&str, &str), quick: bool, facts: &[&str]) -> Option<&'static str> {
    let size = if quick { "quick" } else { "full" };
    let said = |fact: &&str| *fact == size || facts.contains(fact);
    let mut own = KNOWN.iter().filter(|known| known.case == case);
    own.find(|known| known.solvers.contains(&solver) && known.when.iter().all(said)).map(|known| known.why)
}

impl Fixture {
    /// The solver that runs, converged.
    pub fn converged(self) -> Self {
        self.with(CONVERGED)
    }

    /// The solver that runs, with the sweeps that rods want.
    pub fn rods(self) -> Self {
        self.with(RODS)
    }

    /// The solver that runs, as far as it carries the pull along a belt.
    pub fn belt(self) -> Self {
        self.with(BELT)
    }

    /// The solver that runs, each row looked at once in a substep.
    pub fn one_sweep(self) -> Self {
        self.with(ONE_SWEEP)
    }

    fn with(self, settings: Settings) -> Self {
        let own = settings.iter().find(|(solver, _)| *solver == self.run.solver);
        own.map_or(&[][..], |(_, params)| params)
            .iter()
            .fold(self, |fixture, (name, value)| fixture.set(name, *value))
    }

    /// Sets how often a substep goes over all rows: what a solver's effort is counted in. Only if it has such a parameter.
    ///
    /// A Newton step is as many as its conjugate gradients take.
    pub fn sweeps(self, count: u32) -> Self {
        let param = if self.has("cg_iterations") { "cg_iterations" } else { "iterations" };
        self.set_if(param, count as f32)
    }

    /// Limits the stiffness of rows to `times` m/h², or the nearest that the solver allows, where it has such a limit.
    pub fn stiffest(self, times: f32) -> Self {
        let Some(solver) = self.run.description() else { return self };
        let Stiffness::Inertia { parameter } = solver.stiffness else { return self };
        let value = solver.param(parameter.as_str()).map_or(times, |param| param.clamp(times));
        self.set(parameter.as_str(), value)
    }

    /// Takes the cap off an explicit solver: the true stiffness, whatever happens.
    pub fn uncapped(self) -> Self {
        match self.run.description().map(|solver| solver.stiffness) {
            Some(Stiffness::StableStep { parameter, .. }) => self.set(parameter.as_str(), 0.0),
            _ => self,
        }
    }

    /// Lifts the limit on the stiffness of rows as far as the solver lets it.
    pub fn unlimited(self) -> Self {
        self.stiffest(f32::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{CASES, fixture};

    /// A row of a table that names nobody would never hold.
    #[test]
    fn the_tables_name_solvers_and_cases_that_are_there() {
        let solvers = fixture::all_solvers();
        let settings = [CONVERGED, ONE_SWEEP, RODS, BELT].into_iter().flatten().map(|(solver, _)| *solver);
        let pairs = PLAIN.iter().flat_map(|(accelerated, plain)| [*accelerated, *plain]);
        let known = KNOWN.iter().flat_map(|known| known.solvers).copied();
        let others = AVERAGED.iter().chain(GIVE_BACK).chain(LOADED).copied();
        for solver in settings.chain(pairs).chain(known).chain(others) {
            assert!(solvers.contains(&solver), "{solver}");
        }
        for known in KNOWN {
            assert!(CASES.iter().any(|case| case.name == known.case), "{}", known.case);
        }
    }
}
