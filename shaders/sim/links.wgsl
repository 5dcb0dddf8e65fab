// The distance rows at a particle, from tables of links: any mesh. A library; group 2 is its own.
//
// Links of a particle lie 32 apart, so that 32 threads side by side load 32 values side by side. Layout and padding:
// app/src/gpu/links.rs. stencils.wgsl has the same functions.

@group(2) @binding(0) var<storage, read> particle_links: array<vec2u>;
@group(2) @binding(1) var<storage, read> link_other: array<u32>;
@group(2) @binding(2) var<storage, read> link_rest: array<f32>;
@group(2) @binding(3) var<storage, read> link_compliance: array<f32>;
@group(2) @binding(4) var<storage, read> link_damping: array<f32>;

const STRIP: u32 = 32u;

struct Neighbour {
    particle: u32,
    // [m]
    rest: f32,
    // [m/N]
    compliance: f32,
}

// First link of a particle, and how many.
fn neighbours(i: u32) -> vec2u {
    return particle_links[i];
}

fn neighbour(i: u32, first: u32, k: u32) -> Neighbour {
    let link = first + k * STRIP;
    return Neighbour(link_other[link], link_rest[link], link_compliance[link]);
}

// [N s/m]
fn neighbour_damping(first: u32, k: u32) -> f32 {
    return link_damping[first + k * STRIP];
}
