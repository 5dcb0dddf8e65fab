// Self collision 1: no cell has particles. See self/near.wgsl for all of it.

var<storage> cell_count: array<u32>;

@rows(128)
fn main(row: u32) {
    cell_count[row] = 0u;
}
