// Tension of each row [N] at the end of a frame, as far as it is held back.
//
// CPU twin: `write_forces` in sim-dylib/src/solvers/vbd/descent.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_idx: array<vec2u>;
@group(0) @binding(2) var<storage, read> distance_rest: array<f32>;
@group(0) @binding(3) var<storage, read> distance_compliance: array<f32>;
@group(0) @binding(4) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> distance_force: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let d = x1.xyz - x0.xyz;
    let k = held_stiffness(distance_compliance[row], x0.w, x1.w, frame.stiffest * frame.per_h2);
    distance_force[row] = k * (sqrt(dot(d, d)) - distance_rest[row]);
}
