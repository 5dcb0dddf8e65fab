// The quadratic model as PBD has it.
//
// CPU twin: `constraints::compliant::rigid_vector`.

#import <constraints/quadratic_bend.wgsl>

// Ways of the corners but for their masses; of the error the share k is taken.
fn bend(row: u32, x: mat4x3f, w: vec4f, k: f32) -> mat4x3f {
    let weights = hinge_weights[row];
    let sum = dot(weights * weights, w);
    return weighted(x * weights * select(0.0, -k / max(sum, 1e-20), sum > 0.0), weights);
}
