// How stiff the particles' blocks are along each axis: parts of the sum, a workgroup for each [N/m].
//
// CPU twin: `implicit::spectrum::begin`.

#import <lib/sums.wgsl>

// Sums of as many workgroups.
var<storage> part_sums: array<vec4f, 1024>;

@groups(256)
fn main(part: u32, lane: u32) {
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
