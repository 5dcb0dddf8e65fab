//! Columns of `collide.rs` alone.

sim_api::columns! {
    /// What contact with colliders found in the substep; `particle.contact.contact`.
    pub struct Columns of particle {
        /// Contact of this substep: unit normal, w is the depth that was corrected [m] (0: no contact).
        scratch contact: [f32; 4],
        /// Velocity of the collider at the contact [m/s]; w is the index of the collider.
        scratch contact_velocity: [f32; 4],
        /// Rest of what contact found in this substep [m]: way off the surface of a particle that the solver pulled away
        /// again, and how deep inertia alone would have led behind it.
        scratch contact_ways: [f32; 2],
        /// What the last contact moved the particle by, less what counts as no motion [m]; w: the look (round times
        /// colliders, plus collider) that did. After the velocity pass the impulse of that pass [N s].
        scratch contact_push: [f32; 4],
        /// What the particle's position is too coarse for of what contact moved it by [m]: its velocity gets it. w is unused.
        scratch contact_rest: [f32; 4],
        /// Position at the start of the substep, whatever contact did to `previous` [m]; w is unused.
        scratch swept: [f32; 4],
        /// Plane that holds the particle while a solver iterates: unit normal, and in w its height along that [m].
        scratch plane: [f32; 4],
        /// Sum of the depths that the plane took back [m], or `leave::RUBBED`, and its collider; -1: there is no plane.
        scratch plane_depth: [f32; 2],
        /// Faces of a mesh that were nearest when the particle was looked at, nearest first, and how far they were [m];
        /// infinite where there are fewer (`collide/near.rs`).
        scratch near_faces: [u32; 4],
        scratch near_ways: [f32; 4],
        /// Where that was, in the frame of the collider [m]; w: how far all other faces were at least [m].
        scratch near_at: [f32; 4],
        /// Its collider, and 1; 0: none.
        scratch near_of: u32,
    }
}
