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

const PREDICT: &str = "shaders/sim/predict.wgsl";
const DISTANCE: &str = "shaders/sim/xpbd_distance.wgsl";

pub const BAD_PASSES: &[Mistake] = &[
    bad("a word too many", PREDICT, ("fn main(", "fn fn main("), "fn fn", "reserved keyword"),
    bad("an attribute of nothing", PREDICT, ("@compute", "@computee"), "@computee", ""),
    bad("another type", PREDICT, ("let free = ", "let free: f32 = "), "let free", "bool"),
    bad(
        "another name of a column",
        PREDICT,
        ("particle_previous: array", "particle_previus: array"),
        "particle_previous[i]",
        "no definition in scope",
    ),
    bad(
        "another name of a number",
        PREDICT,
        ("air_damping: f32,", "air_dampnig: f32,"),
        "frame.air_damping",
        "air_damping",
    ),
    bad(
        "a line without end",
        DISTANCE,
        ("let idx = distance_idx[row];", "let idx = distance_idx[row]"),
        "let x0",
        "expected",
    ),
    bad(
        "another name of what is bound",
        DISTANCE,
        ("particle_position: array", "particle_positoin: array"),
        "particle_position[idx.x]",
        "no definition in scope",
    ),
    bad(
        "a write to what is given",
        DISTANCE,
        ("<storage, read> distance_rest", "<storage, read_write> distance_rest"),
        "distance_rest",
        "is given",
    ),
    bad(
        "rows of another size",
        "shaders/sim/normals.wgsl",
        ("array<array<u32, 3>>", "array<vec3u>"),
        "array<vec3u>",
        "16 bytes apart here",
    ),
    bad(
        "a write to what the host works out",
        "shaders/sim/outcome.wgsl",
        ("<storage, read> link_rest", "<storage, read_write> link_rest"),
        "link_rest",
        "worked out by the host",
    ),
    bad("a mistake in a library", "shaders/sim/forces.wgsl", ("return v;", "return vv;"), "vv", "vv"),
];
