//! Tables of colliders, and of the meshes that some of them are.

use sim_api::columns;

columns! {
    /// One row per collider. Poses are those of the end of the frame; `begin_*` those of its start.
    pub struct Collider in "collider" {
        /// 0 plane (solid below, local +y is the normal), 1 sphere, 2 capsule (axis local y), 3 box, 4 mesh.
        given kind: u32,
        /// Position [m]; w is 0. The host writes it before a step, the step those of bodies with a mass.
        state position: [f32; 4] = scene,
        /// Rotation, unit quaternion x y z w. Written as the position is.
        state rotation: [f32; 4] = scene,
        /// Position at the start of the frame [m]; w is 0.
        given begin_position: [f32; 4],
        /// Rotation at the start of the frame, unit quaternion x y z w.
        given begin_rotation: [f32; 4],
        /// Sphere: radius; capsule: radius, half height without its caps; box: half its edges; mesh: 1 if it is closed,
        /// radius of the ball around the local origin that holds it [m].
        given size: [f32; 4],
        /// Velocity [m/s]; w is 0. Of a body with a mass.
        state velocity: [f32; 4] = scene,
        /// Angular velocity [rad/s], world space; w is 0. Of a body with a mass.
        state spin: [f32; 4],
        /// Inverse mass [1/kg]; 0: moved by the scene or the hand only.
        given inverse_mass: f32,
        /// Inverse moments of inertia about the local axes [1/(kg m2)]; w is 0.
        given inverse_inertia: [f32; 4],
        /// Coefficients of static and of dynamic friction, restitution from 0 (dead) to 1, distance kept from the surface [m].
        given surface: [f32; 4],
        /// Of a mesh: first row in `solid_node`, and the one behind its last.
        given nodes: [u32; 2],
        /// Of a mesh: lowest corner of its grid, and in w the side of a cell [m].
        given grid_low: [f32; 4],
        /// Of a mesh: cells along x, y, z, and the first row in `solid_cell`.
        given grid_cells: [u32; 4],
        /// Pose at the start of the substep: position [m], w is unused, and rotation.
        scratch from_position: [f32; 4],
        scratch from_rotation: [f32; 4],
        /// Pose at its end.
        scratch to_position: [f32; 4],
        scratch to_rotation: [f32; 4],
    }
}

columns! {
    /// One row per vertex of the meshes of colliders, in the frame of the collider.
    pub struct SolidVertex in "solid_vertex" {
        /// Place [m]; w is 0.
        given position: [f32; 4],
        /// Sum of the normals of the faces around it, each times its angle there; w is 0.
        given normal: [f32; 4],
    }
}

columns! {
    /// One row per face of the meshes of colliders, counter-clockwise seen from outside.
    pub struct SolidFace in "solid_face" {
        /// Rows in `solid_vertex`.
        given corners: [u32; 3],
        /// Sum of the normals of the faces beside the edge from corner 0 to 1; w is 0.
        given edge0: [f32; 4],
        /// The same from corner 1 to 2.
        given edge1: [f32; 4],
        /// The same from corner 2 to 0.
        given edge2: [f32; 4],
    }
}

columns! {
    /// One row per box of the trees over those faces, a node before its children.
    pub struct SolidNode in "solid_node" {
        /// Lowest corner [m]; w is 0.
        given low: [f32; 4],
        /// Highest corner [m]; w is 0.
        given high: [f32; 4],
        /// The row behind its last descendant; first face and number of faces of a leaf, 0 and 0 of any other.
        given link: [u32; 3],
    }
}

columns! {
    /// One row per cell of the grids around those meshes, x fastest, then y.
    pub struct SolidCell in "solid_cell" {
        /// Signed distance of its centre from the surface [m].
        given distance: f32,
        /// The row in `solid_face` that is nearest to its centre.
        given face: u32,
    }
}
