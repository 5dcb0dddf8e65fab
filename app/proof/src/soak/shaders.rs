//! Saves of drawing shaders, bad ones and good ones. What is bad is refused before the driver sees it, with the line to
//! mend, and the last good shader draws on.

use super::{
    edits::{CUT, Edit, Outcome},
    mistakes::Mistake,
};

const CLOTH: &str = "shaders/draw/cloth.wgsl";
const SKY: &str = "shaders/draw/sky.wgsl";
const GROUND: &str = "shaders/draw/ground.wgsl";
const SOLID: &str = "shaders/draw/solid.wgsl";
const COMMON: &str = "shaders/draw/common.wgsl";

const SIDE: &str = "let side = select(-1.0, 1.0, is_front);";
/// Where declarations fit.
const ABOVE: &str = "// Threads per repeat of the texture.";

const fn edit(file: &'static str, name: &'static str, from: &'static str, to: &'static str) -> Edit {
    Edit { name, file, from, to, outcome: Outcome::Runs, says: "" }
}

const fn bad(
    name: &'static str,
    from: &'static str,
    to: &'static str,
    at: &'static str,
    says: &'static str,
) -> Mistake {
    bad_in(CLOTH, name, from, to, at, says)
}

const fn bad_in(
    file: &'static str,
    name: &'static str,
    from: &'static str,
    to: &'static str,
    at: &'static str,
    says: &'static str,
) -> Mistake {
    Mistake { edit: Edit { name, file, from, to, outcome: Outcome::DoesNotCompile, says }, at }
}

macro_rules! ten {
    ($($text:tt)*) => {
        concat!($($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*, $($text)*)
    };
}

macro_rules! ten_thousand {
    ($text:literal) => {
        ten!(ten!(ten!(ten!($text))))
    };
}

pub const GOOD_SHADERS: &[Edit] = &[
    edit(CLOTH, "coarser threads", "const THREADS = 128.0;", "const THREADS = 64.0;"),
    edit(SKY, "another sky", "sky_color(normalize(", "0.5 * sky_color(normalize("),
    edit(COMMON, "a harder shadow", "const PENUMBRA_MIN = 2.0;", "const PENUMBRA_MIN = 1.0;"),
];

pub const BAD_SHADERS: &[Mistake] = &[
    // Text that is no WGSL.
    bad("a word too many", "fn vs_main", "fn fn vs_main", "fn fn", "reserved keyword"),
    bad("two numbers", "THREADS = 128.0;", "THREADS = 128.0 128.0;", "128.0;", "expected"),
    bad("a sign of nothing", SIDE, "let @;", "@", "expected"),
    bad("an open bracket", SIDE, "let side = (1.0;", ";", "expected"),
    bad("an open block", SIDE, "if is_front {", "fn fs_main", "ends before"),
    bad("a comment without end", SIDE, "/* let side", "/*", "ends before"),
    bad("cut in the middle", "let through =", CUT, "fn fs_main", "ends before"),
    bad("GLSL", "", "#version 330\nvoid main() { gl_FragColor = vec4(1.0); }\n", "#version", "expected"),
    bad("control characters", "", "\u{1}\u{2}\u{feff}\n", "\u{1}", ""),
    bad(
        "10,000 brackets",
        SIDE,
        concat!("let side = ", ten_thousand!("("), "1.0", ten_thousand!(")"), ";"),
        "let side",
        "cut it into several",
    ),
    bad("10,000 blocks", SIDE, concat!(ten_thousand!("{"), ten_thousand!("}")), "{{{", "nesting limit"),
    // Names.
    bad("an unknown name", SIDE, "let side = sied;", "sied", "no definition in scope for identifier: `sied`"),
    bad(
        "an unknown function",
        "weave_slope(thread, footprint) *",
        "waeve_slope(thread, footprint) *",
        "waeve_slope",
        "waeve_slope",
    ),
    bad("an unknown member", "in.curvature * side", "in.curvatrue * side", "curvatrue", "curvatrue"),
    bad(
        "an unknown builtin",
        "@builtin(front_facing)",
        "@builtin(front_faceing)",
        "front_faceing",
        "front_faceing",
    ),
    bad("an unknown attribute", "@fragment", "@fragmen", "@fragmen", ""),
    bad("a name twice", SIDE, "let side = 1.0;\n    let side = 2.0;", "let side = 2.0", "redefinition"),
    bad("functions in a circle", ABOVE, "fn a() { b(); }\nfn b() { a(); }\n", "fn b", "cyclic"),
    // Types.
    bad("another type", SIDE, "let side: f32 = 1u;", "side: f32", "type"),
    bad(
        "a matrix of another size",
        SIDE,
        "let side = (vec3<f32>(1.0) * mat4x4<f32>()).x;",
        "vec3<f32>(1.0) *",
        "",
    ),
    bad("a value too many", "value, normal.w);", "value, normal.w, 1.0);", "value", ""),
    bad("an argument too few", "fuzz(n, v, 0.35 + 0.5 * object.roughness)", "fuzz(n, v)", "fuzz(n, v)", ""),
    bad(
        "a result of another type",
        "return display(color, in.clip.xy);",
        "return color;",
        "fn fs_main",
        "return",
    ),
    bad("no result", "return display(color, in.clip.xy);", "", "fn fs_main", "return"),
    bad("a let that changes", SIDE, "let side = 1.0;\n    side = 2.0;", "side = 2.0", ""),
    bad("a struct in itself", ABOVE, "struct Own { own: Own }\n", "struct Own", ""),
    bad("a division by zero", ABOVE, "const NONE = 1 / 0;\n", "1 / 0", ""),
    // What the host does not supply.
    bad(
        "no fragment shader",
        "fn fs_main",
        "fn fs_mian",
        "",
        "entry point `@fragment fn fs_main` is missing",
    ),
    bad("no shadow", "fn vs_shadow", "fn vs_shade", "", "entry point `@vertex fn vs_shadow` is missing"),
    bad(
        "an input that is not there",
        "@location(3) value: f32,\n)",
        "@location(3) value: f32,\n    @location(7) more: f32,\n)",
        "more",
        "`more` at location 7 is not supplied",
    ),
    bad(
        "an input of another type",
        "fn vs_shadow(@location(0)",
        "fn vs_shadow(@location(1)",
        "",
        "Weft supplies vec4<f32>",
    ),
    bad(
        "a value that nothing writes",
        "fn fs_main(in: Vertex,",
        "fn fs_main(in: Vertex, @location(6) more: f32,",
        "more",
        "which vs_main does not write",
    ),
    bad(
        "a uniform of one's own",
        "const THREADS = 128.0;",
        "@group(0) @binding(9) var<uniform> THREADS: f32;",
        "THREADS",
        "uniform `THREADS` is not supplied",
    ),
    bad("two things in one place", "@binding(4) var albedo:", "@binding(3) var albedo:", "", ""),
    bad(
        "a buffer",
        ABOVE,
        "@group(0) @binding(9) var<storage> rows: array<f32>;\n",
        "rows",
        "uniforms, textures and samplers only",
    ),
    bad_in(
        COMMON,
        "a mistake in the common file",
        "fn saturate1",
        "fn fn saturate1",
        "fn fn",
        "reserved keyword",
    ),
    bad_in(SKY, "a mistake in the sky", "let far =", "let far: f32 =", "far: f32", ""),
    bad_in(GROUND, "a mistake in the ground", "let cell =", "let cell = nothing +", "nothing", "nothing"),
    bad_in(SOLID, "a mistake in a solid", "let local =", "let local = nothing +", "nothing", "nothing"),
];
