// Hinges of one model as an energy.
//
// CPU twin: `constraints::quadratic_bend::QuadraticBend::load`, `constraints::hinge::Dihedral::load`, `constraints::curve_bend::CurveBend::load`.

#import <constraints/elastic_row.wgsl>
#import <constraints/hinge_model.wgsl>
#import <lib/block.wgsl>

const TABLE: u32 = TABLE_HINGE;

fn is_mine(row: u32) -> bool {
    return hinge_model[row] == MODEL;
}

fn corners_of(row: u32) -> vec4u {
    return hinge_idx[row];
}

fn places_of(row: u32) -> mat4x3f {
    let idx = hinge_idx[row];
    return mat4x3f(
        particle_position[idx.x].xyz, particle_position[idx.y].xyz,
        particle_position[idx.z].xyz, particle_position[idx.w].xyz,
    );
}

fn force_of(row: u32, corner: u32) -> vec3f {
    var gradient = gradient_of(row, places_of(row));
    return -(gradient[corner] * hinge_stiffness[row]);
}

fn product_of(row: u32, corner: u32, d: mat4x3f) -> vec3f {
    var product = stiffness_times(row, places_of(row), d);
    return product[corner] * hinge_stiffness[row];
}

// What Jacobi iterations may not outrun: half of the corners times the corner's block.
fn block_of(row: u32, corner: u32) -> Block {
    let block = stiffness_at(row, corner);
    return Block(block.diagonal * 2.0, block.off * 2.0);
}
