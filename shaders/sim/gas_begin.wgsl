// Before the first iteration of a substep: the gas has not pushed yet.
//
// CPU twin: `Gas::begin` in sim-dylib/src/gas.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> balloon_lambda: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row < frame.end {
        balloon_lambda[row] = 0.0;
    }
}
