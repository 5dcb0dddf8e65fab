// A whole substep of XPBD with one Jacobi iteration in one pass: project, velocity, and the next substep's prediction.
//
// Between substeps the columns hold predicted positions and velocities, so that a particle reads 16 bytes of a neighbour
// and works nothing out for it; predict.wgsl makes the first ones, and the last substep leaves positions and
// velocities. The same steps as xpbd_jacobi.wgsl, velocity.wgsl and predict.wgsl one after the other, without colliders
// and holds. CPU twin: sim-dylib/src/substep.rs with `order: jacobi` of sim-dylib/src/solvers/xpbd.rs.

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

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let before = particle_velocity[i].xyz;
    let own = particle_share[i];
    let near = neighbours(i);
    var sum = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let to = neighbour(i, near.x, k);
        let share = min(own, particle_share[to.particle]);
        let d = project(x, particle_position[to.particle], to.rest, to.compliance * frame.per_h2, 0.0);
        sum -= d.xyz * share;
    }
    let free = x.w > 0.0;
    let moved = sum * x.w;
    var v = select(vec3f(0.0), before + moved * frame.per_h, free);
    var to = x.xyz + moved;
    if frame.substep_is_last != 0u {
        particle_predicted[i] = vec4f(before, 0.0);
    } else {
        var normal = vec4f(0.0);
        var air = vec3f(0.0);
        if frame.wind_coefficient > 0.0 {
            normal = particle_normal[i];
            air = particle_air[i].xyz;
        }
        let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
        v = select(v, advance(push, x.w, v, normal, air), free);
        to += v * frame.h;
    }
    particle_next_position[i] = vec4f(to, x.w);
    particle_next_velocity[i] = vec4f(v, 0.0);
}
