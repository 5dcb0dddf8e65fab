// The distance rows at a particle, from stencils that many particles share: grids. A library; group 2 is its own.
//
// Layout: app/src/gpu/stencils.rs. links.wgsl has the same functions for any mesh.

@group(2) @binding(0) var<storage, read> particle_stencil: array<u32>;
@group(2) @binding(1) var<storage, read> stencil_row: array<vec4u>;

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
    return vec2u(stencil >> 8u, stencil & 0xffu);
}

fn neighbour(i: u32, first: u32, k: u32) -> Neighbour {
    let row = stencil_row[first + k];
    return Neighbour(i + row.x, bitcast<f32>(row.y), bitcast<f32>(row.z));
}

// [N s/m]
fn neighbour_damping(first: u32, k: u32) -> f32 {
    return bitcast<f32>(stencil_row[first + k].w);
}
