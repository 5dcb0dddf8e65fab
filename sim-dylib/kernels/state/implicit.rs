//! Columns of `implicit.rs` alone.

sim_api::columns! {
    /// What implicit steps work with; `particle.implicit`.
    pub struct Columns of particle {
        /// What is left of an implicit step's equation [N]: inertia and forces out of balance, here or an iteration
        /// before; w is 0.
        scratch residual: [f32; 4],
        /// Correction of the positions that an implicit step looks for [m]; w is 0.
        scratch delta: [f32; 4],
        /// Direction in which a solver looks for the next positions, or the iterate before the last [m]; w is 0.
        scratch search: [f32; 4],
        /// The matrix times the direction [N]; w is 0.
        scratch image: [f32; 4],
        /// xx, yy, zz of the particle's block on the diagonal of the matrix, later of its inverse [N/m].
        scratch diagonal: [f32; 4],
        /// yz, zx, xy of the same.
        scratch off_diagonal: [f32; 4],
        /// The last iterate and the one before it, of accelerated iterations [m]; w as in `position`.
        scratch iterate: [f32; 4],
        scratch iterate_before: [f32; 4],
    }
}
