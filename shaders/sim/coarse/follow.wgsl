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
    particle_position[i] = x + coarse_move(i, x.w);
}
