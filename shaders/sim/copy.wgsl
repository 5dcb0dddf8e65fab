// Copies a column: the bandwidth that other passes are measured against.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> copy_from: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> copy_to: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    copy_to[i] = copy_from[i];
}
