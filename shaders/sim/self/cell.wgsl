// The grid of cells that finds particles near each other, as a hash table: Teschner et al.: Optimized Spatial Hashing
// for Collision Detection of Deformable Objects, 2003, section 3.1.

// The cell around a place.
fn place_of(x: vec3f) -> vec3i {
    return vec3i(floor(x / hash_side[0]));
}

// Its row; other cells may have the same. cells: a power of two.
fn row_of(place: vec3i, cells: u32) -> u32 {
    let p = bitcast<vec3u>(place);
    return ((p.x * 73856093u) ^ (p.y * 19349663u) ^ (p.z * 83492791u)) & (cells - 1u);
}
