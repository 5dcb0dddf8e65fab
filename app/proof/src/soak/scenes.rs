//! Saves of the scene that runs, good and bad.

use super::edits::{CUT, Edit, Outcome};

const FLAG: &str = "scenes/flag.ron";

const fn edit(
    name: &'static str,
    from: &'static str,
    to: &'static str,
    outcome: Outcome,
    says: &'static str,
) -> Edit {
    Edit { name, file: FLAG, from, to, outcome, says }
}

pub const SCENES: &[Edit] = &[
    edit("more wind", "velocity: (7.0,", "velocity: (9.0,", Outcome::Runs, "wind.velocity"),
    edit("heavier cloth", "density: 0.12", "density: 0.2", Outcome::Runs, "density"),
    edit("a coarser grid", "columns: 72", "columns: 40", Outcome::Runs, "flag starts again"),
    edit(
        "a word for a number",
        "air_damping: 0.3",
        "air_damping: fast",
        Outcome::DoesNotCompile,
        "flag.ron:6:18",
    ),
    edit("a field of nothing", "air_damping:", "air_dampnig:", Outcome::DoesNotCompile, "flag.ron:6:5"),
    edit("a negative density", "density: 0.12", "density: -0.12", Outcome::DoesNotCompile, "flag.ron:"),
    edit("no such solver", "name: \"xpbd\"", "name: \"xpdb\"", Outcome::DoesNotCompile, "xpdb"),
    edit("a scene cut short", "colliders: [", CUT, Outcome::DoesNotCompile, "flag.ron:"),
];
