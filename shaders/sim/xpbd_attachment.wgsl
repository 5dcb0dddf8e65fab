// XPBD over the soft pins, one colour a dispatch: C = x - target, a vector.
//
// CPU twin: `project` in sim-dylib/src/constraints/attachment.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    iteration: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> attachment_idx: array<u32>;
@group(0) @binding(2) var<storage, read> attachment_target: array<vec4f>;
@group(0) @binding(3) var<storage, read> attachment_compliance: array<f32>;
@group(0) @binding(4) var<storage, read_write> attachment_lambda: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let i = attachment_idx[row];
    let x = particle_position[i];
    var lambda = vec3f(0.0);
    if frame.iteration > 0u {
        lambda = attachment_lambda[row].xyz;
    }
    let alpha = attachment_compliance[row] * frame.per_h2;
    let wanted = -(x.xyz - attachment_target[row].xyz + lambda * alpha) / max(x.w + alpha, TINY);
    let change = select(vec3f(0.0), wanted, x.w > 0.0);
    attachment_lambda[row] = vec4f(lambda + change, 0.0);
    particle_position[i] = vec4f(x.xyz + change * x.w, x.w);
}
