//! Columns of `tear.rs` alone.

sim_api::columns! {
    /// Where something can tear; `particle.tear`.
    pub struct Columns of particle {
        /// The largest load of its threads of those above 1. Written where cloth can tear.
        scratch load: f32,
    }
}
