// Once a frame: a share of the gas that is left in each balloon leaks away.
//
// CPU twin: `gas::leak`.

@rows(64)
fn main(row: u32) {
    let lost = balloon_leak[row] * frame.dt;
    balloon_leaked[row] += (1.0 - balloon_leaked[row]) * lost / (1.0 + lost);
}
