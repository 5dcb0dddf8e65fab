// Tethers as PBD has them: rigid strings that only pull. A library of pbd_others.wgsl; group 3 is its own.
//
// CPU twin: `Tethers` in sim-dylib/src/projection/rigid/springs.rs.

@group(3) @binding(0) var<storage, read> tether_anchor_position: array<vec4f>;
@group(3) @binding(1) var<storage, read> tether_rest: array<f32>;
@group(3) @binding(2) var<storage, read> tether_idx: array<u32>;

const TABLE: u32 = 3u;

fn is_mine(row: u32) -> bool {
    return true;
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let x = particle_position[tether_idx[row]];
    let d = x.xyz - tether_anchor_position[row].xyz;
    let l = sqrt(dot(d, d) + 1e-20);
    return select(vec3f(0.0), d * (-max(l - tether_rest[row], 0.0) / l), x.w > 0.0);
}
