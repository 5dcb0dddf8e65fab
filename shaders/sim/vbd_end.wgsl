// One Newton step of each particle of a colour with what all tables gave it.
//
// CPU twin: `descend` in sim-dylib/src/solvers/vbd/system.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(2) var<storage, read> vertex_particle: array<u32>;
@group(0) @binding(3) var<storage, read> particle_force: array<vec4f>;
@group(0) @binding(4) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(5) var<storage, read> particle_off_diagonal: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> particle_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let i = vertex_particle[vertex];
    let system = System(particle_force[i].xyz, particle_diagonal[i].xyz, particle_off_diagonal[i].xyz);
    particle_position[i] = descended(i, particle_position[i], system);
}
