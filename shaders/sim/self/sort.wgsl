// Self collision 6: the particles of each cell by number, so that a run repeats bit for bit.
//
// By insertion: there are few. Shell's gaps keep a heap of a thousand in one cell from stopping everything.

@rows(128)
fn main(row: u32) {
    let count = cell_count[row];
    if count < 2u {
        return;
    }
    let start = scan_sum[row / CELLS_A_PART] + cell_end[row] - count;
    var gap = 1u;
    for (; gap < count / 3u;) {
        gap = 3u * gap + 1u;
    }
    for (; gap > 0u; gap = gap / 3u) {
        for (var at = gap; at < count; at++) {
            let own = spatial_hash_particle[start + at];
            var to = at;
            for (; to >= gap && spatial_hash_particle[start + to - gap] > own;) {
                spatial_hash_particle[start + to] = spatial_hash_particle[start + to - gap];
                to -= gap;
            }
            spatial_hash_particle[start + to] = own;
        }
    }
}
