//! Columns of `lanes/columns.rs` and `substep/columns.rs` alone.

sim_api::columns! {
    /// `particle.position` as one column for each axis, while rows of a lattice are projected; `particle.columns`.
    pub struct Columns of particle {
        /// [m]
        scratch x: f32,
        scratch y: f32,
        scratch z: f32,
        /// Inverse mass [1/kg].
        scratch w: f32,
        /// `particle.velocity` [m/s].
        scratch vx: f32,
        scratch vy: f32,
        scratch vz: f32,
        /// `particle.inertial` [m].
        scratch ix: f32,
        scratch iy: f32,
        scratch iz: f32,
    }
}
