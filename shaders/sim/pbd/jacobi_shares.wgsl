// Share of the sum of what its rows want that a particle moves by: 1 over the number of rows and `weight`, for its own
// place counts as so many rows in the average. Once a frame.
//
// CPU twin: `solvers::pbd_jacobi::step`.

const MOST: f32 = 3.4028235e38;

@rows(128)
fn main(i: u32) {
    let share = 1.0 / (max(f32(particle_rows[i]), 1.0) + frame.weight);
    // What does not move gives way to all.
    particle_share[i] = select(MOST, share, particle_position[i].w > 0.0);
}
