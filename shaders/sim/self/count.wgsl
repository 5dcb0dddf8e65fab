// Self collision 2: how many particles each cell has. A sum of whole numbers has no order.

#import <self/row.wgsl>

@rows(128)
fn main(i: u32) {
    let cell = cell_of(i, arrayLength(&cell_count));
    if cell != NO_CELL {
        atomicAdd(&cell_count[cell], 1u);
    }
}
