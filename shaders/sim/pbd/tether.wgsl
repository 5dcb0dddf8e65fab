// Tethers as PBD has them: rigid strings that only pull.
//
// CPU twin: `constraints::tether::Tether::rigid`.

const TABLE: u32 = TABLE_TETHER;

fn is_mine(row: u32) -> bool {
    return true;
}

fn share_of(row: u32) -> f32 {
    return particle_share[tether_idx[row]];
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let x = particle_position[tether_idx[row]];
    let d = x.xyz - tether_anchor_position[row].xyz;
    let l = sqrt(dot(d, d) + 1e-20);
    return select(vec3f(0.0), d * (-max(l - tether_rest[row], 0.0) / l), x.w > 0.0);
}
