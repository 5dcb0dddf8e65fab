// Vertex block descent on springs: one Newton step of each particle, one colour of particles a dispatch.
//
// Particles of a colour share no row. Where other tables have rows, vbd_begin.wgsl and vbd_end.wgsl take its place. CPU
// twin: `descend` in sim-dylib/src/solvers/vbd/system.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(2) var<storage, read> vertex_particle: array<u32>;
@group(0) @binding(3) var<storage, read_write> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let i = vertex_particle[vertex];
    let x = particle_position[i];
    particle_position[i] = descended(i, x, springs_at(vertex, i, x, frame.stiffest * frame.per_h2));
}
