// The distance rows at a particle, from tables of links: any mesh.
//
// Links of a particle lie LINK_STRIP apart, so that threads side by side load values side by side. Layout and padding:
// app/gpu/src/links.rs. lib/stencils.wgsl has the same functions.

// Multiplier of a link in the iterations of a substep; both ends have their own.
var<storage> link_lambda: array<f32>;

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
    let link = first + k * LINK_STRIP;
    return Neighbour(link_other[link], link_rest[link], link_compliance[link]);
}

// [N s/m]
fn neighbour_damping(first: u32, k: u32) -> f32 {
    return link_damping[first + k * LINK_STRIP];
}
