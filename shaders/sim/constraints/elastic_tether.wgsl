// Tethers as springs that only pull.
//
// CPU twin: `constraints::tether::Tether::load`, `elastic::loaded::Loaded::stiffness`.

#import <lib/block.wgsl>
#import <lib/clamped.wgsl>

const TABLE: u32 = TABLE_TETHER;

fn is_mine(row: u32) -> bool {
    return true;
}

// There is one.
fn corners_of(row: u32) -> vec4u {
    return vec4u(tether_idx[row]);
}

struct String {
    // From the anchor [m], and its length.
    d: vec3f,
    l: f32,
    // [N/m]
    k: f32,
}

fn string_of(row: u32) -> String {
    let x = particle_position[tether_idx[row]];
    let d = x.xyz - tether_anchor_position[row].xyz;
    let k = clamped_stiffness(tether_compliance[row], x.w, 0.0, frame.stiffest * frame.per_h2);
    return String(d, sqrt(dot(d, d) + 1e-20), k);
}

fn force_of(row: u32, corner: u32) -> vec3f {
    let s = string_of(row);
    return s.d * (-s.k * max(s.l - tether_rest[row], 0.0) / s.l);
}

// That of a spring where taut, 0 where slack.
fn product_of(row: u32, corner: u32, d: mat4x3f) -> vec3f {
    let s = string_of(row);
    let stretch = s.l - tether_rest[row];
    let k = select(0.0, s.k, stretch > 0.0);
    let across = k * max(stretch / s.l, 0.0);
    let n = s.d / s.l;
    return d[0] * across + n * (dot(n, d[0]) * (k - across));
}

// What Jacobi iterations may not outrun: they may make taut what is slack, and turn it.
fn block_of(row: u32, corner: u32) -> Block {
    return Block(vec3f(string_of(row).k), vec3f(0.0));
}
