// Share of the sum of what its rows want that a particle moves by: omega over the number of rows. Once a frame.
//
// Macklin et al.: Unified Particle Physics, 2014, section 4.3.
//
// CPU twin: `solvers::pbd_sor::step`.

const MOST: f32 = 3.4028235e38;

@rows(128)
fn main(i: u32) {
    let share = frame.omega / max(f32(particle_rows[i]), 1.0);
    // What does not move gives way to all.
    particle_share[i] = select(MOST, share, particle_position[i].w > 0.0);
}
