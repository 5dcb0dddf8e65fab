// StepP of the explicit pair: previous = x, x += h v. What does not move has v = 0.
//
// CPU twin: `solvers::explicit::integrate::advance`.

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let v = particle_velocity[i];
    particle_next_position[i] = vec4f(x.xyz + v.xyz * frame.h, x.w);
}
