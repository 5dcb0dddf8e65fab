// Parts of x D x and x A x, then the next x of the power method: D x - relaxation A x.
//
// CPU twin: `implicit::spectrum::estimate_rho`, `implicit::spectrum::direction`.

#import <lib/block.wgsl>
#import <lib/sums.wgsl>
#import <implicit/relaxation.wgsl>

@groups(256)
fn main(part: u32, lane: u32) {
    let parts = arrayLength(&part_sums);
    var own = vec4f(0.0);
    for (var i = part * THREADS + lane; i < arrayLength(&particle_delta); i += parts * THREADS) {
        let r = particle_delta[i].xyz;
        let x = particle_search[i].xyz;
        let image = particle_image[i].xyz;
        own += vec4f(dot(x, r), dot(x, image), 0.0, 0.0);
        let next = r - image * relaxation();
        particle_delta[i] = vec4f(next, 0.0);
        particle_search[i] = vec4f(times_block(particle_diagonal[i], particle_off_diagonal[i], next), 0.0);
    }
    let sum = sum_up(lane, own);
    if lane == 0u && part < parts {
        part_sums[part] = sum;
    }
}
