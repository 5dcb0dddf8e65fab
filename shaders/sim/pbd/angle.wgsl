// A model of bending whose error is an angle, as PBD has it: `bend_of` is that of the model.
//
// CPU twin: `constraints::value::Scalar::rigid`.

#import <pbd/lever.wgsl>

// Ways of the corners but for their masses; of the error the share k is taken.
fn bend(row: u32, x: mat4x3f, w: vec4f, k: f32) -> mat4x3f {
    let angle = bend_of(row, x);
    let g = angle.g;
    let squares = vec4f(dot(g[0], g[0]), dot(g[1], g[1]), dot(g[2], g[2]), dot(g[3], g[3]));
    let sum = dot(squares, w);
    let whole = dot(squares, vec4f(1.0));
    let lightest = max(max(w.x, w.y), max(w.z, w.w));
    return g * select(0.0, -(k * angle.c) / lever(sum, lightest, whole), sum > 0.0);
}
