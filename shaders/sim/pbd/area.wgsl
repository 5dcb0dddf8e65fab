// Triangles that keep their area as PBD has them.
//
// CPU twin: `constraints::value::Scalar::rigid`.

#import <constraints/membrane_model.wgsl>
#import <pbd/lever.wgsl>

const TABLE: u32 = TABLE_TRIANGLE;

fn is_mine(row: u32) -> bool {
    return triangle_model[row] == MODEL;
}

// The least of its corners' shares.
fn share_of(row: u32) -> f32 {
    let idx = triangle_idx[row];
    return min(min(particle_share[idx[0]], particle_share[idx[1]]), particle_share[idx[2]]);
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let idx = triangle_idx[row];
    let x0 = particle_position[idx[0]];
    let x1 = particle_position[idx[1]];
    let x2 = particle_position[idx[2]];
    let w = vec3f(x0.w, x1.w, x2.w);
    let area = area_of(mat3x3f(x0.xyz, x1.xyz, x2.xyz));
    var g = area.g;
    let squares = vec3f(dot(g[0], g[0]), dot(g[1], g[1]), dot(g[2], g[2]));
    let sum = dot(squares, w);
    let least = lever(sum, max(max(w.x, w.y), w.z), dot(squares, vec3f(1.0)));
    let change = select(0.0, -(frame.stiffness * (area.now - triangle_area[row])) / least, sum > 0.0);
    return g[corner] * (w[corner] * change);
}
