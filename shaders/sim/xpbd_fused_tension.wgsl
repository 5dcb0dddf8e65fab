// Tension of each row [N] in the last fused substep of XPBD: its lambda over h2, from where the particles were predicted.
//
// Those positions are in `particle_next_position`: the columns were swapped. CPU twin: `write_forces` in
// sim-dylib/src/solvers/xpbd.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_idx: array<vec2u>;
@group(0) @binding(2) var<storage, read> distance_rest: array<f32>;
@group(0) @binding(3) var<storage, read> distance_compliance: array<f32>;
@group(0) @binding(4) var<storage, read> particle_next_position: array<vec4f>;
@group(0) @binding(5) var<storage, read> particle_share: array<f32>;
@group(0) @binding(6) var<storage, read_write> distance_force: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let idx = distance_idx[row];
    let share = min(particle_share[idx.x], particle_share[idx.y]);
    let alpha = distance_compliance[row] * frame.per_h2;
    let x0 = particle_next_position[idx.x];
    let x1 = particle_next_position[idx.y];
    let d = project(x0, x1, distance_rest[row], alpha, 0.0);
    distance_force[row] = -(d.w * share) * frame.per_h2;
}
