// Where the power method starts: `delta` = D x for the cloth that moves as a whole along one axis, `search` = x.
//
// CPU twin: `implicit::spectrum::begin`, `implicit::spectrum::direction`.

#import <lib/block.wgsl>

@rows(128)
fn main(i: u32) {
    let diagonal = particle_diagonal[i];
    let axis = spectrum_axis[0];
    let along = vec3f(f32(axis == 0u), f32(axis == 1u), f32(axis == 2u));
    let free = particle_position[i].w > 0.0;
    let r = select(vec3f(0.0), along / dot(diagonal.xyz, along), free);
    particle_delta[i] = vec4f(r, 0.0);
    particle_search[i] = vec4f(times_block(diagonal, particle_off_diagonal[i], r), 0.0);
}
