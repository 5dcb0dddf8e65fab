// XPBD over the hinges of one model, Gauss-Seidel: one colour a dispatch. `with` names the model.
//
// Eq. 18 of XPBD times s = k h2, so that nothing is divided by the stiffness. CPU twin:
// sim-dylib/src/projection/compliant/bending.rs.

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

// Ways of the four corners but for their masses, and the change of lambda.
struct Change {
    way: mat4x3f,
    lambda: vec3f,
}

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
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let x2 = particle_position[idx.z];
    let x3 = particle_position[idx.w];
    let w = vec4f(x0.w, x1.w, x2.w, x3.w);
    var lambda = vec3f(0.0);
    if frame.iteration > 0u {
        lambda = hinge_lambda[row].xyz;
    }
    let s = hinge_stiffness[row] * (frame.h * frame.h);
    let change = bend(row, mat4x3f(x0.xyz, x1.xyz, x2.xyz, x3.xyz), w, s, lambda);
    hinge_lambda[row] = vec4f(lambda + change.lambda, 0.0);
    particle_position[idx.x] = vec4f(x0.xyz + change.way[0] * w.x, w.x);
    particle_position[idx.y] = vec4f(x1.xyz + change.way[1] * w.y, w.y);
    particle_position[idx.z] = vec4f(x2.xyz + change.way[2] * w.z, w.z);
    particle_position[idx.w] = vec4f(x3.xyz + change.way[3] * w.w, w.w);
}
