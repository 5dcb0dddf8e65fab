// The quadratic model of bending, for cloth that is flat at rest. A library of xpbd_hinge.wgsl; group 1 is its own.
//
// C is the sum of weight x over the four corners, a vector (Bergou et al.: A Quadratic Bending Model for Inextensible
// Surfaces, 2006). CPU twin: sim-dylib/src/constraints/quadratic_bend.rs and `vector` in constraints/compliant.rs.

@group(1) @binding(0) var<storage, read> hinge_weights: array<vec4f>;

const MODEL: u32 = 0u;

fn bend(row: u32, x: mat4x3f, w: vec4f, s: f32, lambda: vec3f) -> Change {
    let weights = hinge_weights[row];
    let change = -(x * weights * s + lambda) / (s * dot(weights * weights, w) + 1.0);
    let way = mat4x3f(change * weights.x, change * weights.y, change * weights.z, change * weights.w);
    return Change(way, change);
}
