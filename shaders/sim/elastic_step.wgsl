// What the rows of one table and model add to a Jacobi iteration: omega relaxation D^-1 f, f their force on the particle.
//
// The step is linear in the residual, so that each table may add its part to the next positions, after the pass of the
// springs. CPU twin: `advance` in sim-dylib/src/implicit/jacobi.rs with `add_forces` of sim-dylib/src/elastic.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    iteration: u32,
    stiffest: f32,
    relaxation: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_diagonal: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_off_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_next_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let rows = vertex_others[vertex];
    var force = vec3f(0.0);
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            force += force_of(incident_row[at], incident_other[at]);
        }
    }
    let i = vertex_particle[vertex];
    let step = times_block(particle_diagonal[i], particle_off_diagonal[i], force);
    let next = particle_next_position[i];
    particle_next_position[i] = vec4f(next.xyz + step * (frame.relaxation * omega_of(frame.iteration)), next.w);
}
