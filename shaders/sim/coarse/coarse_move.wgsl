// What a particle takes of the moves of the coarse nodes around it. Layout: app/gpu/src/coarse.rs.
//
// CPU twin: `coarse::correct`.

// [m], for a free particle.
fn coarse_move(i: u32) -> vec3f {
    let follows = particle_follows[i];
    let bits = follow_nodes[0].x;
    let row = follows & ((1u << bits) - 1u);
    if row == 0u {
        return vec3f(0.0);
    }
    let around = follow_nodes[row] + (follows >> bits);
    let weights = follow_weights[row];
    return coarse_node_moved[around.x].xyz * weights.x + coarse_node_moved[around.y].xyz * weights.y
        + coarse_node_moved[around.z].xyz * weights.z + coarse_node_moved[around.w].xyz * weights.w;
}
