// Keeps the velocities of the frame's start where the accelerations will be.
//
// CPU twin: `outcome::begin`.

@rows(128)
fn main(i: u32) {
    particle_acceleration[i] = particle_velocity[i];
}
