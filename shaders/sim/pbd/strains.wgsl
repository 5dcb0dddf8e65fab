// Triangles that resist strain as PBD has them: the three strains, one after another.
//
// Müller, Chentanez, Kim, Macklin: Strain Based Dynamics, 2014.
//
// CPU twin: `constraints::membrane::strain_by_strain`.

#import <constraints/membrane.wgsl>
#import <constraints/membrane_model.wgsl>
#import <pbd/lever.wgsl>

const TABLE: u32 = TABLE_TRIANGLE;

fn is_mine(row: u32) -> bool {
    return triangle_model[row] == MODEL;
}

// Ways of the corners of a scalar constraint made rigid, of which the share k is taken.
fn rigid(c: f32, g: mat3x3f, w: vec3f, k: f32) -> mat3x3f {
    let squares = vec3f(dot(g[0], g[0]), dot(g[1], g[1]), dot(g[2], g[2]));
    let sum = dot(squares, w);
    let least = lever(sum, max(max(w.x, w.y), w.z), dot(squares, vec3f(1.0)));
    let change = select(0.0, -(k * c) / least, sum > 0.0);
    return mat3x3f(g[0] * (w.x * change), g[1] * (w.y * change), g[2] * (w.z * change));
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
    let b = triangle_inverse_rest[row];
    let start = mat3x3f(x0.xyz, x1.xyz, x2.xyz);
    var x = start;
    let first = strains_of(x, b);
    x += rigid(first.c.x, first.g0, w, frame.stiffness);
    let second = strains_of(x, b);
    x += rigid(second.c.y, second.g1, w, frame.stiffness);
    let third = strains_of(x, b);
    x += rigid(third.c.z, third.g2, w, frame.shear);
    var d = x - start;
    return d[corner];
}
