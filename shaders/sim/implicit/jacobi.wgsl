// One Jacobi iteration on the equation of an implicit step: x += relaxation D^-1 r.
//
// CPU twin: `implicit::jacobi::iterate`.

#import <implicit/step.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    particle_next_position[i] = vec4f(x.xyz + jacobi_step(i, x), x.w);
}
