// Before a solve: what each particle is about to meet, as the constraint n . (x - q) >= 0.
//
// The position is where inertia took it, and the velocity that of the way. CPU twin: `find` in
// sim-dylib/src/collide/plane.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h: f32,
    colliders: u32,
    span: vec2f,
    gravity: vec3f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_plane: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_plane_depth: array<vec2f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let previous = x.xyz - particle_velocity[i].xyz * frame.h;
    var plane = vec4f(0.0);
    // Of the deepest, and its collider; -1: there is none.
    var deepest = vec2f(0.0, -1.0);
    if x.w > 0.0 {
        for (var c = 0u; c < frame.colliders; c++) {
            let met = meet_collider(c, frame.span, x.xyz, previous);
            if met.depth > deepest.x {
                plane = vec4f(met.normal, dot(met.normal, x.xyz + met.out));
                deepest = vec2f(met.depth, f32(c));
            }
        }
    }
    particle_plane[i] = plane;
    particle_plane_depth[i] = vec2f(0.0, deepest.y);
}
