// Before the first sweep no segment has taken back anything.
//
// CPU twin: `relax::sweep`.

@rows(128)
fn main(row: u32) {
    segment_pull[row] = 0.0;
}
