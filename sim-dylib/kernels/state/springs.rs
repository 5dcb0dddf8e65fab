//! Columns of `implicit/contact.rs` alone.

sim_api::columns! {
    /// Contact inside an implicit step; `particle.springs`.
    pub struct Columns of particle {
        /// Contact inside an implicit step: unit normal; w: the most that friction bears [N], as the last round found it.
        scratch touch: [f32; 4],
        /// Way of the surface there in the substep [m]; w: the depth [m], 0 where nothing touches.
        scratch touch_way: [f32; 4],
        /// What the springs of contact moved the particle by in the substep [m], and in w the collider that they are of. For
        /// bodies with a mass.
        scratch touch_push: [f32; 4],
        /// xx, yy, zz of what contact adds to the particle's block of the matrix [N/m].
        scratch touch_diagonal: [f32; 4],
        /// yz, zx, xy of the same.
        scratch touch_off_diagonal: [f32; 4],
    }
}
