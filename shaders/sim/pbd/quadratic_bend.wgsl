// The quadratic model as PBD has it.
//
// CPU twin: `constraints::value::vector::Vector::rigid`.

#import <constraints/quadratic_bend.wgsl>
#import <pbd/lever.wgsl>

// Ways of the corners but for their masses; of the error the share k is taken.
fn bend(row: u32, x: mat4x3f, w: vec4f, k: f32) -> mat4x3f {
    let weights = hinge_weights[row];
    let sum = dot(weights * weights, w);
    let lightest = max(max(w.x, w.y), max(w.z, w.w));
    let least = lever(sum, lightest, dot(weights, weights));
    return weighted(x * weights * select(0.0, -k / least, sum > 0.0), weights);
}
