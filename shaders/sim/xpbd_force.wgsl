// Tension of each row [N]: lambda is an impulse times h, negative in tension.
//
// CPU twin: `write_forces` in sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_lambda: array<f32>;
@group(0) @binding(2) var<storage, read_write> distance_force: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    distance_force[row] = -distance_lambda[row] * frame.per_h2;
}
