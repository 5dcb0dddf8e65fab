// One substep of symplectic Euler in one pass: v += h F/m, x += h v, from one pair of columns to the other.
//
// The same as explicit/velocity.wgsl and explicit/position.wgsl, with a third less traffic.
//
// CPU twin: `solvers::explicit::integrate::integrate`.

#import <explicit/step.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let v = faster(i, x);
    particle_next_velocity[i] = vec4f(v, 0.0);
    particle_next_position[i] = vec4f(x.xyz + v * frame.h, x.w);
}
