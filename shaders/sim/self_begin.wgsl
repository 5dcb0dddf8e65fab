// Where each particle is before a substep moves it: which side of other cloth it comes from.
//
// CPU twin: `layer.sound` in sim-dylib/src/self_collision.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> layer_sound: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i < frame.end {
        layer_sound[i] = particle_position[i];
    }
}
