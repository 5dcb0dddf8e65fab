// Velocity before contact, where nothing is in contact: the velocity itself.
//
// CPU twin: `solvers::explicit::step`.

@rows(128)
fn main(i: u32) {
    particle_predicted[i] = particle_velocity[i];
}
