// Contact after an explicit substep: out of the colliders; what touched gets its velocity from the way it went.
//
// CPU twin: `contact` and `velocities_of_contacts` in sim-dylib/src/collide.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h: f32,
    colliders: u32,
    span: vec2f,
    gravity: vec3f,
    substep_is_last: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_predicted: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let before = particle_velocity[i];
    if frame.substep_is_last != 0u {
        particle_predicted[i] = before;
    }
    let left = after_contact(i, x, x.xyz, before.xyz, plane_of(i));
    if left.touched {
        particle_position[i] = vec4f(left.x, x.w);
        particle_velocity[i] = vec4f(left.v, 0.0);
    }
}
