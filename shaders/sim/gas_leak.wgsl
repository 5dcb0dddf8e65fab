// Once a frame: a share of the gas that is left in each balloon leaks away.
//
// CPU twin: `leak` in sim-dylib/src/gas.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    dt: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> balloon_leak: array<f32>;
@group(0) @binding(2) var<storage, read_write> balloon_leaked: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row < frame.end {
        let lost = balloon_leak[row] * frame.dt;
        balloon_leaked[row] += (1.0 - balloon_leaked[row]) * lost / (1.0 + lost);
    }
}
