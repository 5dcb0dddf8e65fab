// Self collision 5: particles sorted by cell. Within a cell they come as threads do; self_sort.wgsl gives them one order.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> layer_room: array<f32>;
@group(0) @binding(3) var<storage, read_write> cell_end: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> scan_sum: array<u32>;
@group(0) @binding(5) var<storage, read_write> crowd_particle: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i < frame.end && layer_room[i] > 0.0 {
        let row = row_of(place_of(particle_position[i].xyz), arrayLength(&cell_end));
        crowd_particle[scan_sum[row / 1024u] + atomicAdd(&cell_end[row], 1u)] = i;
    }
}
