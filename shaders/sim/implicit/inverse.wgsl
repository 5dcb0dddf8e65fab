// Inverts each particle's block, when all tables have added theirs (implicit/blocks.wgsl,
// implicit/elastic_blocks.wgsl).
//
// CPU twin: `implicit::assemble`.

#import <lib/block.wgsl>

@rows(128)
fn main(i: u32) {
    let inverse = inverse_block(particle_diagonal[i].xyz, particle_off_diagonal[i].xyz);
    // A particle that does not move has an inverse of 0: nothing moves it.
    let free = particle_position[i].w > 0.0;
    particle_diagonal[i] = vec4f(select(vec3f(0.0), inverse.diagonal, free), 0.0);
    particle_off_diagonal[i] = vec4f(select(vec3f(0.0), inverse.off, free), 0.0);
}
