// What a particle takes of the moves of the coarse nodes around it. Layout: app/gpu/src/coarse.rs.
//
// CPU twin: `coarse::correct`.

// xyz [m] of a particle with inverse mass w; w of it is 0. Loads wait for nothing but each other.
fn coarse_move(i: u32, w: f32) -> vec4f {
    let follows = particle_follows[i];
    let bits = follower_kind_nodes[0].x;
    let row = follows & ((1u << bits) - 1u);
    let around = follower_kind_nodes[row] + (follows >> bits);
    let weights = follower_kind_weights[row] * select(0.0, 1.0, frame.coarse > 0u && w > 0.0);
    return coarse_node_moved[around.x] * weights.x + coarse_node_moved[around.y] * weights.y
        + coarse_node_moved[around.z] * weights.z + coarse_node_moved[around.w] * weights.w;
}
