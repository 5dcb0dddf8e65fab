// Self collision 5: particles sorted by cell. Within a cell they come as threads do; self/sort.wgsl gives them one
// order.

#import <self/row.wgsl>

var<storage> spatial_hash_particle: array<u32>;

@rows(128)
fn main(i: u32) {
    let cell = cell_of(i, arrayLength(&cell_end));
    if cell != NO_CELL {
        spatial_hash_particle[scan_sum[cell / CELLS_A_PART] + atomicAdd(&cell_end[cell], 1u)] = i;
    }
}
