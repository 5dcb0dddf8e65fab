// Triangles of one model as an energy.
//
// CPU twin: `constraints::st_venant_kirchhoff::StVenantKirchhoff::load`, `constraints::neo_hookean::NeoHookean::load`.
// CPU twin: `constraints::area::Area::load`.

#import <constraints/elastic_row.wgsl>
#import <constraints/membrane_model.wgsl>
#import <lib/block.wgsl>

const TABLE: u32 = TABLE_TRIANGLE;

fn is_mine(row: u32) -> bool {
    return triangle_model[row] == MODEL;
}

// The particles; a triangle has no fourth.
fn corners_of(row: u32) -> vec4u {
    let idx = triangle_idx[row];
    return vec4u(idx[0], idx[1], idx[2], idx[0]);
}

fn sheet_of(row: u32) -> Sheet {
    return Sheet(triangle_inverse_rest[row], triangle_area[row], triangle_mu[row], triangle_lame[row]);
}

fn places_of(row: u32) -> mat3x3f {
    let idx = triangle_idx[row];
    return mat3x3f(particle_position[idx[0]].xyz, particle_position[idx[1]].xyz, particle_position[idx[2]].xyz);
}

fn force_of(row: u32, corner: u32) -> vec3f {
    var gradient = gradient_of(places_of(row), sheet_of(row));
    return -gradient[corner];
}

fn product_of(row: u32, corner: u32, d: mat4x3f) -> vec3f {
    var product = stiffness_times(places_of(row), sheet_of(row), mat3x3f(d[0], d[1], d[2]));
    return product[corner];
}

// What Jacobi iterations may not outrun: half of the corners times the corner's block.
fn block_of(row: u32, corner: u32) -> Block {
    let block = stiffness_at(row, corner);
    return Block(block.diagonal * 1.5, block.off * 1.5);
}
