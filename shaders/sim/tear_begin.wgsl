// Before threads are looked at: no particle has a loaded one, and none has broken in this frame.
//
// CPU twin: `finish` in sim-dylib/src/tear.rs, its fill of `load`.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_most: array<u32>;
@group(0) @binding(2) var<storage, read_write> torn_count: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i < frame.end {
        particle_most[i] = 0u;
    }
    if i == 0u {
        torn_count[0] = 0u;
    }
}
