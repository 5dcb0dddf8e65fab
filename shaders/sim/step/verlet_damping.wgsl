// Takes their share from all velocities, once a frame.
//
// CPU twin: `verlet::damp`.

@rows(128)
fn main(i: u32) {
    let v = particle_velocity[i];
    particle_velocity[i] = vec4f(v.xyz / (1.0 + frame.damping * frame.dt), v.w);
}
