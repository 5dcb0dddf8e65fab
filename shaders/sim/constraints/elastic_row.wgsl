// A row's part of the matrix at one of its corners.
//
// `product_of` is that of the table; see constraints/elastic.wgsl.
//
// CPU twin: `elastic::kernels::Block::project`.

#import <lib/block.wgsl>

// A change of one corner.
fn way_of(corner: u32, way: vec3f) -> mat4x3f {
    return mat4x3f(
        select(vec3f(0.0), way, corner == 0u),
        select(vec3f(0.0), way, corner == 1u),
        select(vec3f(0.0), way, corner == 2u),
        select(vec3f(0.0), way, corner == 3u),
    );
}

// A corner's block by three products with unit vectors [N/m].
fn stiffness_at(row: u32, corner: u32) -> Block {
    let x = product_of(row, corner, way_of(corner, vec3f(1.0, 0.0, 0.0)));
    let y = product_of(row, corner, way_of(corner, vec3f(0.0, 1.0, 0.0)));
    let z = product_of(row, corner, way_of(corner, vec3f(0.0, 0.0, 1.0)));
    return Block(vec3f(x.x, y.y, z.z), vec3f(y.z, z.x, x.y));
}
