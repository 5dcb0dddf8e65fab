// StepV of the explicit pair: v += h F/m, with all forces at the start of the substep.
//
// Symplectic Euler together with explicit/position.wgsl; the order of Provot's mass-spring cloth, 1995.
//
// CPU twin: `solvers::explicit::integrate::integrate`.

#import <explicit/step.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let v = faster(i, x);
    particle_next_velocity[i] = vec4f(v, 0.0);
}
