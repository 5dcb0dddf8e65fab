// The quadratic model as XPBD has it.
//
// CPU twin: `constraints::value::vector::Vector::stiff`.

#import <constraints/quadratic_bend.wgsl>

fn bend(row: u32, x: mat4x3f, w: vec4f, s: f32, lambda: vec3f) -> Change {
    let weights = hinge_weights[row];
    let change = -(x * weights * s + lambda) / (s * dot(weights * weights, w) + 1.0);
    return Change(weighted(change, weights), change);
}
