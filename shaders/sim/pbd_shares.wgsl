// Share of the sum of what its rows want that a particle moves by; the pass says which (`share_of`). Once a frame. A
// library with the entry point.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_rows: array<u32>;
@group(0) @binding(2) var<storage, read_write> particle_share: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    particle_share[i] = share_of(max(f32(particle_rows[i]), 1.0));
}
