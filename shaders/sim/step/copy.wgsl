// Copies a column: the bandwidth that other passes are measured against.

@rows(128)
fn main(i: u32) {
    copy_to[i] = copy_from[i];
}
