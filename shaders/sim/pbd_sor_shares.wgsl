// Share of the sum of what its rows want that a particle moves by: omega over its rows. Once a frame.
//
// Macklin et al.: Unified Particle Physics, 2014, section 4.3. CPU twin: `step` in sim-dylib/src/solvers/pbd_sor.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    omega: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_degree: array<u32>;
@group(0) @binding(2) var<storage, read_write> particle_share: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let rows = max(f32(particle_degree[i]), 1.0);
    particle_share[i] = frame.omega / rows;
}
