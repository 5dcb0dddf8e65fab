// What the rows of one table and model add to a Jacobi iteration of PBD: the particle's share of what they want.
//
// After the pass of the springs, which wrote the next positions; all rows see those at the iteration's start. CPU twin:
// `averaged` with Share::OfParticle in sim-dylib/src/projection/order.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    stiffness: f32,
    shear: f32,
    bend: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_share: array<f32>;
@group(0) @binding(2) var<storage, read_write> particle_next_position: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let rows = vertex_others[vertex];
    var sum = vec3f(0.0);
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            sum += change_of(incident_row[at], incident_other[at]);
        }
    }
    let i = vertex_particle[vertex];
    let next = particle_next_position[i];
    particle_next_position[i] = vec4f(next.xyz + sum * particle_share[i], next.w);
}
