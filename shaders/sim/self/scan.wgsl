// Self collision 3: the first particle of each cell, counted from the start of its 1,024 cells; a workgroup for each of
// them.
//
// Each thread has four cells, by lib/scan.wgsl.

#import <lib/scan.wgsl>

// End of a cell's particles, counted from the first of its part, and particles before each part.
var<storage> cell_end: array<u32>;
var<storage> scan_sum: array<u32>;

@groups(256)
fn main(part: u32, lane: u32) {
    let begin = part * CELLS_A_PART + lane * 4u;
    var own = vec4u(0u);
    if part < arrayLength(&scan_sum) {
        own = vec4u(cell_count[begin], cell_count[begin + 1u], cell_count[begin + 2u], cell_count[begin + 3u]);
    }
    let sum = own.x + own.y + own.z + own.w;
    let end = sum_up_to(lane, sum);
    if part < arrayLength(&scan_sum) {
        let start = end - sum;
        cell_end[begin] = start;
        cell_end[begin + 1u] = start + own.x;
        cell_end[begin + 2u] = start + own.x + own.y;
        cell_end[begin + 3u] = start + own.x + own.y + own.z;
        if lane == THREADS - 1u {
            scan_sum[part] = end;
        }
    }
}
