// Every free particle moves with the coarse nodes around it.
//
// With `fused` its start goes where it will be overwritten: the velocity takes the whole way from there.
//
// CPU twin: `coarse::correct`.

#import <coarse/coarse_move.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
#ifdef fused
    particle_next_position[i] = x;
#endif
    if x.w > 0.0 {
        particle_position[i] = vec4f(x.xyz + coarse_move(i), x.w);
    }
}
