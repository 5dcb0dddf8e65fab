// Strands that feel each other 1: all cells are empty, which takes a device less than to find those around strands. See
// sim-dylib/kernels/strands/grid.rs for all of it.
//
// CPU twin: `grid::Sums::clear`.

@rows(128)
fn main(row: u32) {
    strand_cell_sum[row] = 0u;
}
