// Before each iteration: particles come back in front of their planes.
//
// CPU twin: `Planes::hold` in sim-dylib/src/collide/plane.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_plane: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_plane_depth: array<vec2f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end || particle_plane_depth[i].y < 0.0 {
        return;
    }
    let x = particle_position[i];
    let plane = particle_plane[i];
    let behind = plane.w - dot(plane.xyz, x.xyz);
    if behind > 0.0 {
        particle_position[i] = vec4f(x.xyz + plane.xyz * behind, x.w);
        particle_plane_depth[i].x += behind;
    }
}
