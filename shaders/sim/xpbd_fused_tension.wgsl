// Tension of each row [N] in the last fused substep of XPBD: its lambda over h2, from where the substep started.
//
// Those positions and velocities are in `particle_next_position` and `particle_next_velocity`: the columns were swapped.
// CPU twin: `write_forces` in sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h2: f32,
    gravity: vec3f,
    air_damping: f32,
    wind_coefficient: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_idx: array<vec2u>;
@group(0) @binding(2) var<storage, read> distance_rest: array<f32>;
@group(0) @binding(3) var<storage, read> distance_compliance: array<f32>;
@group(0) @binding(4) var<storage, read> particle_next_position: array<vec4f>;
@group(0) @binding(5) var<storage, read> particle_next_velocity: array<vec4f>;
@group(0) @binding(6) var<storage, read> particle_normal: array<vec4f>;
@group(0) @binding(7) var<storage, read> particle_air: array<vec4f>;
@group(0) @binding(8) var<storage, read> particle_share: array<f32>;
@group(0) @binding(9) var<storage, read_write> distance_force: array<f32>;

// Where a particle was predicted to be [m].
fn predicted(i: u32) -> vec4f {
    let x = particle_next_position[i];
    var normal = vec4f(0.0);
    var air = vec3f(0.0);
    if frame.wind_coefficient > 0.0 {
        normal = particle_normal[i];
        air = particle_air[i].xyz;
    }
    let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
    let v = advance(push, x.w, particle_next_velocity[i].xyz, normal, air);
    return vec4f(x.xyz + select(vec3f(0.0), v * frame.h, x.w > 0.0), x.w);
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let idx = distance_idx[row];
    let share = min(particle_share[idx.x], particle_share[idx.y]);
    let alpha = distance_compliance[row] * frame.per_h2;
    let d = project(predicted(idx.x), predicted(idx.y), distance_rest[row], alpha, 0.0);
    distance_force[row] = -(d.w * share) * frame.per_h2;
}
