// A Jacobi step on the equation of an implicit step: relaxation D^-1 r, D the particle's block, r what is left of
// inertia and springs.
//
// What other tables add to r, implicit/elastic_step.wgsl takes.
//
// CPU twin: `implicit::jacobi::advance`.

#import <implicit/springs.wgsl>
#import <lib/block.wgsl>
#import <implicit/relaxation.wgsl>

fn jacobi_step(i: u32, x: vec4f) -> vec3f {
    let bearing = Bearing(frame.stiffest * frame.per_h2, frame.per_h, frame.damped != 0u);
    let inertia = (particle_inertial[i].xyz - x.xyz) * (particle_mass[i] * frame.per_h2);
    let residual = inertia + springs_force(i, x, bearing);
    return times_block(particle_diagonal[i], particle_off_diagonal[i], residual) * relaxation();
}
