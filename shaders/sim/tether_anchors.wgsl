// Puts the anchors' positions beside their tethers, once a substep: a soft pin moves, but not for its tethers.
//
// CPU twin: `gather_anchors` in sim-dylib/src/projection.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> tether_anchor: array<u32>;
@group(0) @binding(2) var<storage, read_write> tether_anchor_position: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    tether_anchor_position[row] = particle_position[tether_anchor[row]];
}
