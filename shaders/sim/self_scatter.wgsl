// Self collision 5: particles sorted by cell. Within a cell they come as threads do; self_sort.wgsl gives them one order.

@group(0) @binding(3) var<storage, read_write> cell_end: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> scan_sum: array<u32>;
@group(0) @binding(5) var<storage, read_write> crowd_particle: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    let cell = cell_of(i, arrayLength(&cell_end));
    if cell != NO_CELL {
        crowd_particle[scan_sum[cell / 1024u] + atomicAdd(&cell_end[cell], 1u)] = i;
    }
}
