//! `weft bench --kind`: the rows of one constraint table alone, on the particles of W(n); or strands instead of cloth.
//!
//! What holds the cloth together besides is taken out, so that the time is that of one kind's rows and of the particles.
//! They are where the cloth was made: it drifts apart, and each row has the same work to do. Strands are n hairs of 30 cm
//! and 32 particles with the constants of human hair, each in air of its own or all on a head.

use sim_api::SolverDesc;
use weft_core::state::Blueprint;
use weft_scene::{
    Scene, Vocabulary,
    assemble::{self, Assembly},
    parse_text, workload,
};

/// A constraint table of W(n).
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Structural, shear and skip-one springs: W(n) itself
    Distance,
    /// Stable neo-Hookean triangles
    Triangle,
    /// Dihedral angles between triangles
    Hinge,
    /// Every particle to the nearer of the two pins
    Tether,
    /// n hairs of 32 particles that meet nothing
    Strands,
    /// The same on a head, in the wind
    Hair,
    /// The same, and they feel each other through a grid
    HairGrid,
    /// W(n) with coarse constraints, every 8th particle
    Coarse,
}

/// Hairs of 32 particles; roots, and what else is in the scene.
const STRANDS: [&str; 2] = [
    "wind: (coefficient: 0.0), STRANDS seat: World,
     roots: Row(from: (-1, 1, 0), to: (1, 1, 0), count: COUNT, direction: (1, -0.2, 0.3)))]",
    "air_damping: 1.5, wind: (velocity: (1.2, 0, 0.6), coefficient: 0.08, gust: 0.6, gust_length: 0.8),
     STRANDS seat: Collider(\"head\"), roots: Cap(axis: (0, 1, -0.45), angle: 82, count: COUNT))],
     colliders: [
        (id: \"head\", shape: Sphere(radius: 0.105), at: (0, 1.55, 0), friction: (static: 0.3, dynamic: 0.2),
         thickness: 0.004),
        (id: \"neck\", shape: Capsule(radius: 0.055, half_height: 0.09), at: (0, 1.42, 0)),
        (id: \"shoulders\", shape: Capsule(radius: 0.085, half_height: 0.13), at: (0, 1.25, 0), rotation: (0, 0, 90))]",
];

impl Kind {
    /// The table.
    pub(crate) fn table(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Triangle => "triangle",
            Self::Hinge => "hinge",
            Self::Tether => "tether",
            Self::Coarse => "coarse",
            Self::Strands | Self::Hair | Self::HairGrid => "segment",
        }
    }

    /// The table with a row for each of its constraints: of strands, whose own table has one for each particle, segments outside of
    /// the skin; of coarse constraints the springs below.
    pub(crate) fn constraints(self) -> &'static str {
        if matches!(self.table(), "segment" | "coarse") { "distance" } else { self.table() }
    }

    /// Whether there is a GPU path for it: springs and strands, of which nothing was taken out.
    pub fn runs_on_devices(self) -> bool {
        matches!(self, Self::Distance | Self::Coarse | Self::Strands | Self::Hair | Self::HairGrid)
    }

    /// W(n) with these rows, and its tables with no others.
    pub(super) fn workload(self, n: u32) -> Result<(Scene, Assembly), String> {
        let (cloth, material) = match self {
            Self::Strands => return strands(STRANDS[0], "", n),
            Self::Hair => return strands(STRANDS[1], "", n),
            Self::HairGrid => return strands(STRANDS[1], "between: (shelter: 1),", n),
            Self::Distance => ("", ""),
            Self::Triangle => ("", "membrane: NeoHookean, sheet: (stretch: 1000.0),"),
            Self::Hinge => ("", "bending: Dihedral, sheet: (bend: 1e-5),"),
            Self::Tether => ("tethers: (slack: 0.0),", ""),
            Self::Coarse => ("coarse: (),", ""),
        };
        let scene = workload::with(n, cloth, material)?;
        let mut assembly = workload::assembly(&scene);
        if !matches!(self, Self::Distance | Self::Coarse) {
            self.alone(&mut assembly.blueprint);
        }
        Ok((scene, assembly))
    }

    fn alone(self, blueprint: &mut Blueprint) {
        let others = ["distance", "triangle", "hinge", "tether", "attachment"];
        blueprint.tables.retain(|table| table.name == self.table() || !others.contains(&table.name));
    }

    /// An error if these rows do nothing while a solver runs. Strands have rows for every solver.
    pub(super) fn check(self, solver: &SolverDesc) -> Result<(), String> {
        if solver.taken(self.table()).is_some() || self.table() == "segment" {
            return Ok(());
        }
        Err(format!("--kind: the solver {} has no form of the rows of `{}`", solver.name, self.table()))
    }
}

/// A scene of n hairs; how they feel each other.
fn strands(text: &str, between: &str, n: u32) -> Result<(Scene, Assembly), String> {
    let list = format!("strands: [(id: \"hair\", length: 0.3, particles: 32, {between}");
    let text = text.replace("STRANDS", &list).replace("COUNT", &n.to_string());
    let scene = parse_text("strands", &format!("(version: 1, {text})"), None, &Vocabulary::default());
    let scene = scene.map_err(|error| error.to_string())?.scene;
    let assembly = assemble::assemble(&scene);
    Ok((scene, assembly))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn a_kind_has_its_own_rows_alone() {
        // 9 squares of two triangles; 8 hinges along, 8 across, and one in each square; all particles but the two pinned ones are tied.
        // Strands of their own have no cloth beside them.
        let of_cloth = Kind::value_variants().iter().filter(|kind| kind.table() != "segment");
        for (kind, rows) in of_cloth.zip([12 + 12 + 18 + 16, 18, 8 + 8 + 9, 14]) {
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
    fn strands_are_as_many_as_asked_for() {
        for kind in [Kind::Strands, Kind::Hair, Kind::HairGrid] {
            let (_, Assembly { blueprint, .. }) = kind.workload(50).unwrap();
            assert_eq!(blueprint.table("strand").map(|table| table.rows), Some(50));
            assert_eq!(blueprint.table("segment").map(|table| table.rows), Some(50 * 32));
            // The first of 31 segments is in the skin.
            assert_eq!(blueprint.table(kind.constraints()).map(|table| table.rows), Some(50 * 30));
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
