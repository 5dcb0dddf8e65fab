//! Saves of passes of the GPU path that are refused with the line to mend, while the last good passes go on.

use super::{
    edits::{Edit, Outcome},
    mistakes::Mistake,
};

const fn bad(
    name: &'static str,
    file: &'static str,
    (from, to): (&'static str, &'static str),
    at: &'static str,
    says: &'static str,
) -> Mistake {
    Mistake { edit: Edit { name, file, from, to, outcome: Outcome::DoesNotCompile, says }, at }
}

const COLLIDE: &str = "shaders/sim/contact/collide.wgsl";
const DISTANCE: &str = "shaders/sim/xpbd/distance.wgsl";
const FORCES: &str = "shaders/sim/lib/forces.wgsl";
const OUTCOME: &str = "shaders/sim/step/outcome.wgsl";
const PREDICT: &str = "shaders/sim/step/predict.wgsl";

pub const BAD_PASSES: &[Mistake] = &[
    bad("a word too many", FORCES, ("fn advance(", "fn fn advance("), "fn fn", "reserved keyword"),
    bad("an attribute of nothing", PREDICT, ("@rows(128)", "@row(128)"), "@row(", ""),
    bad("another type", PREDICT, ("let free = ", "let free: f32 = "), "let free", "bool"),
    bad(
        "another name of a column",
        PREDICT,
        ("particle_inertial[i]", "particle_inertal[i]"),
        "particle_inertal[i]",
        "did you mean `particle_inertial`?",
    ),
    bad(
        "another name of a number",
        PREDICT,
        ("frame.air_damping", "frame.air_dampnig"),
        "air_dampnig",
        "did you mean `air_damping`?",
    ),
    bad(
        "a line without end",
        DISTANCE,
        ("let idx = distance_idx[row];", "let idx = distance_idx[row]"),
        "let x0",
        "expected",
    ),
    bad(
        "another name of a file",
        PREDICT,
        ("#import <lib/forces.wgsl>", "#import <lib/force.wgsl>"),
        "#import <lib/force.wgsl>",
        "did you mean `shaders/sim/lib/forces.wgsl`?",
    ),
    bad(
        "another name of a condition",
        COLLIDE,
        ("#ifdef bodies", "#ifdef bodis"),
        "#ifdef bodis",
        "did you mean `bodies`?",
    ),
    bad("a condition without end", COLLIDE, ("#endif\n", "\n"), "#ifdef bodies", "without `#endif`"),
    bad(
        "a write to what is given",
        DISTANCE,
        ("    let d = ", "    distance_rest[row] = 1.0;\n    let d = "),
        "distance_rest[row] = 1.0",
        "is given",
    ),
    bad(
        "a write to what the host works out",
        OUTCOME,
        ("    let area = ", "    link_rest[0] = 1.0;\n    let area = "),
        "link_rest[0] = 1.0",
        "worked out by the host",
    ),
    bad("a mistake in a library", FORCES, ("return v;", "return vv;"), "vv", "vv"),
];
