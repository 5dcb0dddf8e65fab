//! Columns of `gas.rs` alone.

sim_api::columns! {
    /// Of cloth that holds gas; `particle.gas`.
    pub struct Columns of particle {
        /// Change of the volume inside its cloth with its position [m2]; w is 0. Only balloons have it filled.
        scratch volume_gradient: [f32; 4],
    }
}
