// Adds the rows of one table and model to the particles' blocks of the matrix, as often as the matrix may not outrun.
//
// A row of N particles counts N/2 times, but at least once: the matrix is then at most twice its blocks, so that Jacobi iterations do not
// diverge. Tethers count as taut. CPU twin: `add_blocks` with `dominant` in sim-dylib/src/elastic.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_diagonal: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_off_diagonal: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = frame.first + id.y * frame.line + id.x;
    if vertex >= frame.end {
        return;
    }
    let rows = vertex_others[vertex];
    var sum = Block(vec3f(0.0), vec3f(0.0));
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            let own = block_of(incident_row[at], incident_other[at]);
            sum = Block(sum.diagonal + own.diagonal, sum.off + own.off);
        }
    }
    let i = vertex_particle[vertex];
    particle_diagonal[i] += vec4f(sum.diagonal, 0.0);
    particle_off_diagonal[i] += vec4f(sum.off, 0.0);
}
