// Before the first iteration of a substep: the gas has not pushed yet.
//
// CPU twin: `gas::Gas::begin`.

@rows(64)
fn main(row: u32) {
    balloon_lambda[row] = 0.0;
}
