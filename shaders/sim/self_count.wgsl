// Self collision 2: how many particles each cell has. A sum of whole numbers has no order.

@group(0) @binding(3) var<storage, read_write> cell_count: array<atomic<u32>>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let cell = cell_of(frame.first + id.y * frame.line + id.x, arrayLength(&cell_count));
    if cell != NO_CELL {
        atomicAdd(&cell_count[cell], 1u);
    }
}
