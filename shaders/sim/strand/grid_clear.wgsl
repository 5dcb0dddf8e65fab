// Strands that feel each other 1: the cells around them are empty. See sim-dylib/kernels/strands/grid.rs for all of it.
//
// CPU twin: `grid::Sums::clear`.

#import <strand/cells.wgsl>

@rows(64)
fn main(segment: u32) {
    let grid = segment_grid[segment];
    let x = particle_position[particle_of(segment)];
    if grid == NO_GRID || x.w == 0.0 {
        return;
    }
    let at = around(grid, x.xyz);
    for (var corner = 0u; corner < 8u; corner++) {
        let row = numbers(grid, at.low, corner);
        for (var k = 0u; k < 4u; k++) {
            atomicStore(&strand_cell_sum[row + k], 0u);
        }
    }
}
