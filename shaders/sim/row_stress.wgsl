// Stress of each row: force over the width of its strip of cloth [N/m].
//
// CPU twin: `row_stresses` in sim-dylib/src/outcome.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_force: array<f32>;
@group(0) @binding(2) var<storage, read> distance_width: array<f32>;
@group(0) @binding(3) var<storage, read_write> distance_stress: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let width = distance_width[i];
    distance_stress[i] = select(0.0, distance_force[i] / width, width > 0.0);
}
