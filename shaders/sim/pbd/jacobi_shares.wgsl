// Share of the sum of what its rows want that a particle moves by: 1 over the number of rows and `weight`, for its own
// place counts as so many rows in the average. Once a frame.
//
// CPU twin: `solvers::pbd_jacobi::step`.

@rows(128)
fn main(i: u32) {
    particle_share[i] = 1.0 / (max(f32(particle_rows[i]), 1.0) + frame.weight);
}
