// XPBD over the long-range attachments, one colour a dispatch: a string to a pinned particle that only pulls.
//
// Kim, Chentanez, Müller: Long Range Attachments, 2012; the anchor does not feel it. CPU twin: `project` in
// sim-dylib/src/constraints/tether.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    iteration: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> tether_idx: array<u32>;
@group(0) @binding(2) var<storage, read> tether_anchor_position: array<vec4f>;
@group(0) @binding(3) var<storage, read> tether_rest: array<f32>;
@group(0) @binding(4) var<storage, read> tether_compliance: array<f32>;
@group(0) @binding(5) var<storage, read_write> tether_lambda: array<f32>;
@group(0) @binding(6) var<storage, read_write> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let i = tether_idx[row];
    let x = particle_position[i];
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = tether_lambda[row];
    }
    let alpha = tether_compliance[row] * frame.per_h2;
    let d = x.xyz - tether_anchor_position[row].xyz;
    let l = length_of(d);
    // Lambda never pushes.
    let change = min(-(l - tether_rest[row] + alpha * lambda) / max(x.w + alpha, TINY), -lambda);
    let taken = select(0.0, change, x.w > 0.0);
    tether_lambda[row] = lambda + taken;
    particle_position[i] = vec4f(x.xyz + d * (x.w * taken / l), x.w);
}
