// The cell that a particle of a cloth which collides is in. A library after self_cell; its passes run over `layer`.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> layer_room: array<f32>;

const NO_CELL: u32 = 0xffffffffu;

// For cells so many; none, if the particle is not there or keeps off nothing.
fn cell_of(i: u32, cells: u32) -> u32 {
    if i < frame.end && layer_room[i] > 0.0 {
        return row_of(place_of(particle_position[i].xyz), cells);
    }
    return NO_CELL;
}
