// Triangles that keep their area as PBD has them.
//
// CPU twin: `projection::rigid::shapes::Areas::solve`.

#import <constraints/membrane_model.wgsl>

const TABLE: u32 = TABLE_TRIANGLE;

fn is_mine(row: u32) -> bool {
    return triangle_model[row] == MODEL;
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let idx = triangle_idx[row];
    let x0 = particle_position[idx[0]];
    let x1 = particle_position[idx[1]];
    let x2 = particle_position[idx[2]];
    let w = vec3f(x0.w, x1.w, x2.w);
    let area = area_of(mat3x3f(x0.xyz, x1.xyz, x2.xyz));
    var g = area.g;
    let sum = dot(vec3f(dot(g[0], g[0]), dot(g[1], g[1]), dot(g[2], g[2])), w);
    let change = select(0.0, -(frame.stiffness * (area.now - triangle_area[row])) / max(sum, TINY), sum > 0.0);
    return g[corner] * (w[corner] * change);
}
