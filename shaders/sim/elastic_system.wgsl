// Adds the rows of one table and model to force and block of each particle of a colour, for vertex block descent.
//
// CPU twin: `add_others` in sim-dylib/src/solvers/vbd/system.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_force: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_off_diagonal: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let rows = vertex_others[vertex];
    var force = vec3f(0.0);
    var sum = Block(vec3f(0.0), vec3f(0.0));
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            let row = incident_row[at];
            let corner = incident_other[at];
            force += force_of(row, corner);
            let own = stiffness_at(row, corner);
            sum = Block(sum.diagonal + own.diagonal, sum.off + own.off);
        }
    }
    let i = vertex_particle[vertex];
    particle_force[i] += vec4f(force, 0.0);
    particle_diagonal[i] += vec4f(sum.diagonal, 0.0);
    particle_off_diagonal[i] += vec4f(sum.off, 0.0);
}
