// The strain of each thread by its limit, and the largest of those above 1 at each particle.
//
// Numbers above 0 have the order of their bits, and a maximum has no order, so a run repeats bit for bit.
// CPU twin: `finish` in sim-dylib/src/tear.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> thread_ends: array<vec2u>;
@group(0) @binding(3) var<storage, read> thread_rest: array<f32>;
@group(0) @binding(4) var<storage, read> thread_limit: array<f32>;
@group(0) @binding(5) var<storage, read> thread_broken: array<u32>;
@group(0) @binding(6) var<storage, read_write> thread_load: array<f32>;
// Bits of a load; 0: none is above 1.
@group(0) @binding(7) var<storage, read_write> particle_most: array<atomic<u32>>;

// Limits from here on are never reached: only a cut breaks such a thread.
const ENDLESS: f32 = 1e30;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    var load = 0.0;
    if thread_broken[i] == 0u && thread_limit[i] < ENDLESS {
        let ends = thread_ends[i];
        let way = particle_position[ends.y].xyz - particle_position[ends.x].xyz;
        load = (sqrt(dot(way, way)) / thread_rest[i] - 1.0) / thread_limit[i];
        if load > 1.0 {
            atomicMax(&particle_most[ends.x], bitcast<u32>(load));
            atomicMax(&particle_most[ends.y], bitcast<u32>(load));
        }
    }
    thread_load[i] = load;
}
