// The grid of cells that finds particles near each other, as a hash table: Teschner et al.: Optimized Spatial Hashing for
// Collision Detection of Deformable Objects, 2003, section 3.1. A library; binding 9 of group 0 is its own.

// Side of a cell [m]: twice the largest distance that any two particles keep.
@group(0) @binding(9) var<storage, read> hash_side: array<f32>;

// The cell around a place.
fn place_of(x: vec3f) -> vec3i {
    return vec3i(floor(x / hash_side[0]));
}

// Its row; other cells may have the same. cells: a power of two.
fn row_of(place: vec3i, cells: u32) -> u32 {
    let p = bitcast<vec3u>(place);
    return ((p.x * 73856093u) ^ (p.y * 19349663u) ^ (p.z * 83492791u)) & (cells - 1u);
}
