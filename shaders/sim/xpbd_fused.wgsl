// A whole substep of XPBD with one Jacobi iteration in one pass: predict, project, velocity.
//
// Every particle predicts its neighbours again: cheaper than to store and load them. The same steps as predict.wgsl,
// xpbd_jacobi.wgsl and velocity.wgsl one after the other, without colliders and holds. CPU twin:
// sim-dylib/src/substep.rs with `order: jacobi` of sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h: f32,
    per_h2: f32,
    substep_is_last: u32,
    gravity: vec3f,
    air_damping: f32,
    wind_coefficient: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_next_position: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_next_velocity: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_predicted: array<vec4f>;
@group(0) @binding(6) var<storage, read> particle_normal: array<vec4f>;
@group(0) @binding(7) var<storage, read> particle_air: array<vec4f>;
@group(0) @binding(8) var<storage, read> particle_share: array<f32>;

// Velocity after gravity, wind and air damping [m/s]; what does not move keeps its own.
fn pushed(i: u32, w: f32) -> vec3f {
    let before = particle_velocity[i].xyz;
    var normal = vec4f(0.0);
    var air = vec3f(0.0);
    if frame.wind_coefficient > 0.0 {
        normal = particle_normal[i];
        air = particle_air[i].xyz;
    }
    let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
    return select(before, advance(push, w, before, normal, air), w > 0.0);
}

fn moved(x: vec4f, v: vec3f) -> vec4f {
    return vec4f(x.xyz + select(vec3f(0.0), v * frame.h, x.w > 0.0), x.w);
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let previous = particle_position[i];
    let v = pushed(i, previous.w);
    let x = moved(previous, v);
    let own = particle_share[i];
    let near = neighbours(i);
    var sum = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let to = neighbour(i, near.x, k);
        let there = particle_position[to.particle];
        let share = min(own, particle_share[to.particle]);
        let alpha = to.compliance * frame.per_h2;
        let d = project(x, moved(there, pushed(to.particle, there.w)), to.rest, alpha, 0.0);
        sum -= d.xyz * (x.w * share);
    }
    let to = x.xyz + sum;
    particle_next_position[i] = vec4f(to, x.w);
    particle_next_velocity[i] = vec4f((to - previous.xyz) * frame.per_h, 0.0);
    if frame.substep_is_last != 0u {
        particle_predicted[i] = vec4f(v, 0.0);
    }
}
