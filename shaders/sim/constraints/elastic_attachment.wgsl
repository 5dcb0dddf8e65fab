// Soft pins as springs of rest length 0.
//
// CPU twin: `constraints::attachment::Attachment::load`, `elastic::loaded::Loaded::stiffness`.

#import <lib/block.wgsl>
#import <lib/clamped.wgsl>

const TABLE: u32 = TABLE_ATTACHMENT;

fn is_mine(row: u32) -> bool {
    return true;
}

// There is one.
fn corners_of(row: u32) -> vec4u {
    return vec4u(attachment_idx[row]);
}

// [N/m]
fn pin_stiffness(row: u32) -> f32 {
    let w = particle_position[attachment_idx[row]].w;
    return clamped_stiffness(attachment_compliance[row], w, 0.0, frame.stiffest * frame.per_h2);
}

fn force_of(row: u32, corner: u32) -> vec3f {
    let x = particle_position[attachment_idx[row]].xyz;
    return (attachment_target[row].xyz - x) * pin_stiffness(row);
}

fn product_of(row: u32, corner: u32, d: mat4x3f) -> vec3f {
    return d[0] * pin_stiffness(row);
}

// What Jacobi iterations may not outrun.
fn block_of(row: u32, corner: u32) -> Block {
    return Block(vec3f(pin_stiffness(row)), vec3f(0.0));
}
