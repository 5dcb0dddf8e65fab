// How stiff the particles' blocks are along each axis: parts of the sum, a workgroup for each [N/m].
//
// CPU twin: `begin` in sim-dylib/src/implicit/spectrum.rs.

struct Frame {
    first: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> part_sums: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let part = frame.first + group.y * frame.line + group.x;
    let parts = arrayLength(&part_sums);
    var own = vec4f(0.0);
    for (var i = part * THREADS + lane; i < arrayLength(&particle_position); i += parts * THREADS) {
        if particle_position[i].w > 0.0 {
            // The blocks are inverted already; of a diagonal dominant one the inverse's entry is close enough.
            own += vec4f(1.0 / particle_diagonal[i].xyz, 0.0);
        }
    }
    let sum = sum_up(lane, own);
    if lane == 0u && part < parts {
        part_sums[part] = sum;
    }
}
