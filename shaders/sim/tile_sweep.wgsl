// What becomes of a tile's particles: they are the next positions. A library of xpbd_tile.wgsl.

@group(0) @binding(3) var<storage, read_write> particle_next_position: array<vec4f>;

fn store(i: u32, x: vec4f) {
    particle_next_position[i] = x;
}
