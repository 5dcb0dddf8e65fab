// Hinges of one model as PBD has them.
//
// CPU twin: `projection::rigid::Rigid::solve`.

#import <constraints/hinge_model.wgsl>
#ifdef quadratic_bend
#import <pbd/quadratic_bend.wgsl>
#else
#import <pbd/angle.wgsl>
#endif

const TABLE: u32 = TABLE_HINGE;

fn is_mine(row: u32) -> bool {
    return hinge_model[row] == MODEL;
}

// The least of its corners' shares.
fn share_of(row: u32) -> f32 {
    let idx = hinge_idx[row];
    let pairs = vec2f(min(particle_share[idx.x], particle_share[idx.y]), min(particle_share[idx.z], particle_share[idx.w]));
    return min(pairs.x, pairs.y);
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let idx = hinge_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let x2 = particle_position[idx.z];
    let x3 = particle_position[idx.w];
    let w = vec4f(x0.w, x1.w, x2.w, x3.w);
    var way = bend(row, mat4x3f(x0.xyz, x1.xyz, x2.xyz, x3.xyz), w, frame.bend);
    return way[corner] * w[corner];
}
