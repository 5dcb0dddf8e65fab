// A Jacobi step on the equation of an implicit step: relaxation D^-1 r, D the particle's block, r what is left of inertia
// and springs. A library after implicit.wgsl; bindings 1 to 4 of group 0 are its own.
//
// Passes have in `frame` what is read here. What other tables add to r, elastic_step.wgsl takes. CPU twin: `advance` in
// sim-dylib/src/implicit/jacobi.rs.

@group(0) @binding(1) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(2) var<storage, read> particle_inertial: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(4) var<storage, read> particle_off_diagonal: array<vec4f>;

fn jacobi_step(i: u32, x: vec4f) -> vec3f {
    let bearing = Bearing(frame.stiffest * frame.per_h2, frame.per_h, frame.damped != 0u);
    let inertia = (particle_inertial[i].xyz - x.xyz) * (particle_mass[i] * frame.per_h2);
    let residual = inertia + springs_force(i, x, bearing);
    return times_block(particle_diagonal[i], particle_off_diagonal[i], residual) * frame.relaxation;
}
