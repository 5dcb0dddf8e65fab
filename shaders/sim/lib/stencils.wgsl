// The distance rows at a particle, from stencils that many particles share: grids.
//
// Layout: app/gpu/src/stencils.rs. lib/links.wgsl has the same functions for any mesh.

struct Neighbour {
    particle: u32,
    // [m]
    rest: f32,
    // [m/N]
    compliance: f32,
}

// First row of a particle's stencil, and how many.
fn neighbours(i: u32) -> vec2u {
    let stencil = particle_stencil[i];
    return vec2u(stencil >> STENCIL_BITS, stencil & ((1u << STENCIL_BITS) - 1u));
}

fn neighbour(i: u32, first: u32, k: u32) -> Neighbour {
    let row = stencil_row[first + k];
    return Neighbour(i + row.x, bitcast<f32>(row.y), bitcast<f32>(row.z));
}

// [N s/m]
fn neighbour_damping(first: u32, k: u32) -> f32 {
    return bitcast<f32>(stencil_row[first + k].w);
}
