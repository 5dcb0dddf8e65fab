// How much of what its rows want a particle allows each: omega over their number, at most 1; 1 for what does not move.
//
// A compliant row counts as the part W / (W + alpha) of a rigid one, W the inverse masses of its ends. Once a frame, for
// Jacobi iterations (Macklin et al.: Unified Particle Physics, 2014, section 4.3). CPU twin: `write_shares` in
// sim-dylib/src/solvers/xpbd.rs and `count_rows` in sim-dylib/src/projection/order.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    omega: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_share: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let own = particle_position[i].w;
    let near = neighbours(i);
    var rows = 0.0;
    for (var k = 0u; k < near.y; k++) {
        let to = neighbour(i, near.x, k);
        let w = own + particle_position[to.particle].w;
        // Padding ties a particle to itself.
        let counts = to.particle != i && w > 0.0;
        rows += select(0.0, w / (w + to.compliance * frame.per_h2), counts);
    }
    particle_share[i] = select(1.0, min(frame.omega / max(rows, 1.0), 1.0), own > 0.0);
}
