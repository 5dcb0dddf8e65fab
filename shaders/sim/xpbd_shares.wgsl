// How much of what its rows want a particle allows each: 1 over their number, 1 for what does not move.
//
// Once a frame, for Jacobi iterations. CPU twin: `write_shares` in sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_degree: array<u32>;
@group(0) @binding(3) var<storage, read_write> particle_share: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let free = particle_position[i].w > 0.0;
    particle_share[i] = select(1.0, 1.0 / max(f32(particle_degree[i]), 1.0), free);
}
