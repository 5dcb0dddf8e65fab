// Force and block that the springs give each particle of a colour, before other tables add theirs (elastic_system.wgsl).
//
// CPU twin: `assemble` in sim-dylib/src/solvers/vbd/system.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> vertex_particle: array<u32>;
@group(0) @binding(2) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_force: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_diagonal: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_off_diagonal: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let i = vertex_particle[vertex];
    let system = springs_at(vertex, i, particle_position[i], frame.stiffest * frame.per_h2);
    particle_force[i] = vec4f(system.force, 0.0);
    particle_diagonal[i] = vec4f(system.diagonal, 0.0);
    particle_off_diagonal[i] = vec4f(system.off, 0.0);
}
