// Soft pins as PBD has them: rigid. A library of pbd_others.wgsl; group 3 is its own.
//
// CPU twin: `Attachments` in sim-dylib/src/projection/rigid/springs.rs.

@group(3) @binding(0) var<storage, read> attachment_target: array<vec4f>;
@group(3) @binding(1) var<storage, read> attachment_idx: array<u32>;

const TABLE: u32 = 4u;

fn is_mine(row: u32) -> bool {
    return true;
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let x = particle_position[attachment_idx[row]];
    return select(vec3f(0.0), attachment_target[row].xyz - x.xyz, x.w > 0.0);
}
