// Share of the sum of what its rows want that a particle moves by: omega over the number of rows. Once a frame.
//
// Macklin et al.: Unified Particle Physics, 2014, section 4.3.
//
// CPU twin: `solvers::pbd_sor::step`.

@rows(128)
fn main(i: u32) {
    particle_share[i] = frame.omega / max(f32(particle_rows[i]), 1.0);
}
