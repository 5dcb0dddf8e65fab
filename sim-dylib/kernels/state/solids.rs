//! Tables of colliders, and of the meshes that some of them are.

use sim_api::columns;

columns! {
    pub struct Collider in collider: model {
        /// Angular velocity [rad/s], world space; w is 0. Of a body with a mass.
        state spin: [f32; 4],
        /// Pose at the start of the substep: position [m], w is unused, and rotation.
        scratch from_position: [f32; 4],
        scratch from_rotation: [f32; 4],
        /// Pose at its end.
        scratch to_position: [f32; 4],
        scratch to_rotation: [f32; 4],
    }
}

columns! {
    pub struct SolidVertex in solid_vertex: model {
    }
}

columns! {
    pub struct SolidFace in solid_face: model {
    }
}

columns! {
    pub struct SolidNode in solid_node: model {
    }
}

columns! {
    pub struct SolidCell in solid_cell: model {
    }
}
