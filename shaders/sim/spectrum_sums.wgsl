// Parts of x D x and x A x, then the next x of the power method: D x - relaxation A x.
//
// CPU twin: `estimate_rho` and `direction` in sim-dylib/src/implicit/spectrum.rs.

struct Frame {
    first: u32,
    line: u32,
    relaxation: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_off_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_image: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_delta: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_search: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> part_sums: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let part = frame.first + group.y * frame.line + group.x;
    let parts = arrayLength(&part_sums);
    var own = vec4f(0.0);
    for (var i = part * THREADS + lane; i < arrayLength(&particle_delta); i += parts * THREADS) {
        let r = particle_delta[i].xyz;
        let x = particle_search[i].xyz;
        let image = particle_image[i].xyz;
        own += vec4f(dot(x, r), dot(x, image), 0.0, 0.0);
        let next = r - image * frame.relaxation;
        particle_delta[i] = vec4f(next, 0.0);
        particle_search[i] = vec4f(times_block(particle_diagonal[i], particle_off_diagonal[i], next), 0.0);
    }
    let sum = sum_up(lane, own);
    if lane == 0u && part < parts {
        part_sums[part] = sum;
    }
}
