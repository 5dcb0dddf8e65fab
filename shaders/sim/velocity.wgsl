// The second half of a substep: contact, v += (x - inertial) / h, restitution.
//
// What no row and no collider moves keeps its velocity to the last bit. What does not move by itself (pinned, held) has
// the velocity of its way, and starts from `inertial`, for predict.wgsl left it there.
// CPU twin: `contact` and `restitution` in sim-dylib/src/collide.rs around `velocities_from_positions` in
// sim-dylib/src/substep.rs; here one pass, for none of them looks at another particle.

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
@group(0) @binding(3) var<storage, read> particle_inertial: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_predicted: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let before = particle_velocity[i];
    let left = after_contact(i, x, particle_inertial[i].xyz, before.xyz, plane_of(i));
    if left.touched {
        particle_position[i] = vec4f(left.x, x.w);
    }
    particle_velocity[i] = vec4f(left.v, 0.0);
    if frame.substep_is_last != 0u {
        particle_predicted[i] = before;
    }
}
