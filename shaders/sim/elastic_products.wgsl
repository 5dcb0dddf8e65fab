// Adds the rows of one table and model to the matrix times `particle.search`, for the spectral radius.
//
// CPU twin: `add_product` in sim-dylib/src/elastic.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_search: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_image: array<vec4f>;

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
            let row = incident_row[at];
            let c = corners_of(row);
            let d = mat4x3f(
                particle_search[c.x].xyz, particle_search[c.y].xyz,
                particle_search[c.z].xyz, particle_search[c.w].xyz,
            );
            sum += product_of(row, incident_other[at], d);
        }
    }
    particle_image[vertex_particle[vertex]] += vec4f(sum, 0.0);
}
