// A thread above its limit breaks if it is the most loaded of those that meet at its ends; the host then takes the rows that
// lie over it out of all tables (app/src/gpu/run/torn.rs).
//
// CPU twin: `finish` in sim-dylib/src/tear.rs, which says why not all break at once.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> thread_ends: array<vec2u>;
@group(0) @binding(2) var<storage, read> thread_load: array<f32>;
@group(0) @binding(3) var<storage, read> particle_most: array<u32>;
@group(0) @binding(4) var<storage, read_write> thread_broken: array<u32>;
// How many have broken in this frame.
@group(0) @binding(5) var<storage, read_write> torn_count: array<atomic<u32>>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let ends = thread_ends[i];
    let load = thread_load[i];
    if load > 1.0 && bitcast<u32>(load) >= max(particle_most[ends.x], particle_most[ends.y]) {
        thread_broken[i] = 1u;
        atomicAdd(&torn_count[0], 1u);
    }
}
