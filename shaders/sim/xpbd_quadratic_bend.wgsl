// XPBD over the hinges of the quadratic model, Gauss-Seidel: one colour a dispatch. For cloth that is flat at rest.
//
// C is the sum of weight x over the four corners, a vector (Bergou et al.: A Quadratic Bending Model for Inextensible
// Surfaces, 2006); eq. 18 of XPBD times k h2, so that nothing is divided by the stiffness. CPU twin: `QuadraticBends` in
// sim-dylib/src/projection/compliant/bending.rs and `vector` in sim-dylib/src/constraints/compliant.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    iteration: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> hinge_idx: array<vec4u>;
@group(0) @binding(2) var<storage, read> hinge_model: array<u32>;
@group(0) @binding(3) var<storage, read> hinge_stiffness: array<f32>;
@group(0) @binding(4) var<storage, read_write> hinge_lambda: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(6) var<storage, read> hinge_weights: array<vec4f>;

const MODEL: u32 = 0u;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    if hinge_model[row] != MODEL {
        return;
    }
    let idx = hinge_idx[row];
    let weights = hinge_weights[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let x2 = particle_position[idx.z];
    let x3 = particle_position[idx.w];
    var lambda = vec3f(0.0);
    if frame.iteration > 0u {
        lambda = hinge_lambda[row].xyz;
    }
    let s = hinge_stiffness[row] * (frame.h * frame.h);
    let c = x0.xyz * weights.x + x1.xyz * weights.y + x2.xyz * weights.z + x3.xyz * weights.w;
    let w = vec4f(x0.w, x1.w, x2.w, x3.w);
    let change = -(c * s + lambda) / (s * dot(weights * weights, w) + 1.0);
    let share = weights * w;
    hinge_lambda[row] = vec4f(lambda + change, 0.0);
    particle_position[idx.x] = vec4f(x0.xyz + change * share.x, x0.w);
    particle_position[idx.y] = vec4f(x1.xyz + change * share.y, x1.w);
    particle_position[idx.z] = vec4f(x2.xyz + change * share.z, x2.w);
    particle_position[idx.w] = vec4f(x3.xyz + change * share.w, x3.w);
}
