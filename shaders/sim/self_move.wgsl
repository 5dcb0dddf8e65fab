// Self collision 9: all particles move at once. What adds no speed moves where the substep began as well.
//
// CPU twin: the end of `Row::project` in sim-dylib/src/self_collision/project.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> layer_met: array<vec4f>;
@group(0) @binding(2) var<storage, read> layer_seen: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> layer_sound: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let change = layer_met[i].xyz;
    if dot(change, change) == 0.0 {
        return;
    }
    let push = layer_seen[i].xyz;
    let x = particle_position[i];
    particle_position[i] = vec4f(x.xyz + change, x.w);
    layer_sound[i] = vec4f(layer_sound[i].xyz + push, 0.0);
    give(i, change, push);
}
