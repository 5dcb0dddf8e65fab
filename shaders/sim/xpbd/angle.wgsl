// A model of bending whose error is an angle, as XPBD has it: `bend_of` is that of the model.
//
// CPU twin: `constraints::value::Scalar::stiff`.

fn bend(row: u32, x: mat4x3f, w: vec4f, s: f32, lambda: vec3f) -> Change {
    let angle = bend_of(row, x);
    let g = angle.g;
    let square = vec4f(dot(g[0], g[0]), dot(g[1], g[1]), dot(g[2], g[2]), dot(g[3], g[3]));
    let change = -(s * angle.c + lambda.x) / (s * dot(square, w) + 1.0);
    return Change(g * change, vec3f(change, 0.0, 0.0));
}
