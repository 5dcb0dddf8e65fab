// The first half of a substep: v += h a, inertial = x += h v, with gravity, wind and air damping.
//
// CPU twin: `predict` in sim-dylib/src/substep.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    gravity: vec3f,
    air_damping: f32,
    wind_coefficient: f32,
    damped: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_inertial: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_previous: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let before = particle_velocity[i];
    let wind = around(i, frame.wind_coefficient);
    let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
    let free = x.w > 0.0;
    // What does not move by itself has no velocity but the hand's, which holds.wgsl sets.
    let v = select(vec3f(0.0), advance(push, x.w, before.xyz, wind.normal, wind.air), free);
    // For dampers that act on the change of a length.
    if frame.damped != 0u {
        particle_previous[i] = x;
    }
    let to = vec4f(x.xyz + select(vec3f(0.0), v * frame.h, free), x.w);
    particle_velocity[i] = vec4f(v, before.w);
    particle_inertial[i] = to;
    particle_position[i] = to;
}
