// The cell that a particle of a cloth which collides is in.

#import <self/cell.wgsl>

const NO_CELL: u32 = 0xffffffffu;

// For cells so many; none, if the particle is not there or keeps off nothing.
fn cell_of(i: u32, cells: u32) -> u32 {
    if i < frame.end && layer_room[i] > 0.0 {
        return row_of(place_of(particle_position[i].xyz), cells);
    }
    return NO_CELL;
}
