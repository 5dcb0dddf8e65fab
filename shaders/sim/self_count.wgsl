// Self collision 2: how many particles each cell has. A sum of whole numbers has no order.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> layer_room: array<f32>;
@group(0) @binding(3) var<storage, read_write> cell_count: array<atomic<u32>>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i < frame.end && layer_room[i] > 0.0 {
        atomicAdd(&cell_count[row_of(place_of(particle_position[i].xyz), arrayLength(&cell_count))], 1u);
    }
}
