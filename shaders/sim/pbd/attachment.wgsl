// Soft pins as PBD has them: rigid.
//
// CPU twin: `constraints::value::vector::Vector::rigid`.

const TABLE: u32 = TABLE_ATTACHMENT;

fn is_mine(row: u32) -> bool {
    return true;
}

fn share_of(row: u32) -> f32 {
    return particle_share[attachment_idx[row]];
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let x = particle_position[attachment_idx[row]];
    return select(vec3f(0.0), attachment_target[row].xyz - x.xyz, x.w > 0.0);
}
