//! `weft bench --kind`: the rows of one constraint table alone, on the particles of W(n).
//!
//! What holds the cloth together besides is taken out, so that the time is that of one kind's rows and of the particles.
//! They are where the cloth was made: it drifts apart, and each row has the same work to do.

use sim_api::SolverDesc;
use weft_core::state::Blueprint;
use weft_scene::{Scene, assemble::Assembly, workload};

/// A constraint table of W(n).
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Structural, shear and skip-one rows: W(n) itself
    Distance,
    /// Stable neo-Hookean triangles
    Triangle,
    /// Dihedral angles between triangles
    Hinge,
    /// Every particle to the nearer of the two pins
    Tether,
}

impl Kind {
    /// The table.
    pub(crate) fn table(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Triangle => "triangle",
            Self::Hinge => "hinge",
            Self::Tether => "tether",
        }
    }

    /// W(n) with these rows, and its tables with no others.
    pub(super) fn workload(self, n: u32) -> Result<(Scene, Assembly), String> {
        let (cloth, material) = match self {
            Self::Distance => ("", ""),
            Self::Triangle => ("", "membrane: NeoHookean, sheet: (stretch: 1000.0),"),
            Self::Hinge => ("", "bending: Dihedral, sheet: (bend: 1e-5),"),
            Self::Tether => ("tethers: (slack: 0.0),", ""),
        };
        let scene = workload::with(n, cloth, material)?;
        let mut assembly = workload::assembly(&scene);
        if self != Self::Distance {
            self.alone(&mut assembly.blueprint);
        }
        Ok((scene, assembly))
    }

    fn alone(self, blueprint: &mut Blueprint) {
        let others = ["distance", "triangle", "hinge", "tether", "attachment"];
        blueprint.tables.retain(|table| table.name == self.table() || !others.contains(&table.name));
    }

    /// An error if these rows do nothing while a solver runs.
    pub(super) fn check(self, solver: &SolverDesc) -> Result<(), String> {
        if solver.taken(self.table()).is_some() {
            return Ok(());
        }
        Err(format!("--kind: the solver {} has no form of the rows of `{}`", solver.name, self.table()))
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn a_kind_has_its_own_rows_alone() {
        // 9 squares of two triangles: 21 edges inside; all particles but the two pinned ones are tied.
        for (kind, rows) in Kind::value_variants().iter().zip([12 + 12 + 18 + 16, 18, 21, 14]) {
            let (_, Assembly { blueprint, .. }) = kind.workload(4).unwrap();
            for table in ["distance", "triangle", "hinge", "tether"] {
                let expected = if table == kind.table() { rows } else { 0 };
                let found = blueprint.table(table).map_or(0, |table| table.rows);
                // Triangles of W(n) itself are drawn only.
                assert!(
                    found == expected || (*kind, table) == (Kind::Distance, "triangle"),
                    "{table}: {found}"
                );
            }
        }
    }

    #[test]
    fn a_solver_without_a_form_of_them_is_refused() {
        let plain = SolverDesc::new("plain", "", &[]);
        assert_eq!(Kind::Distance.check(&plain), Ok(()));
        let says = Kind::Hinge.check(&plain).unwrap_err();
        assert_eq!(says, "--kind: the solver plain has no form of the rows of `hinge`");
    }
}
