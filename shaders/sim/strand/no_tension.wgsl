// A solver that writes no forces leaves none of another.
//
// CPU twin: `substep::steps`.

@rows(128)
fn main(row: u32) {
    distance_force[row] = 0.0;
}
