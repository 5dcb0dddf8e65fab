// Tension of each row [N]: lambda is an impulse times h, negative in tension.
//
// CPU twin: `projection::forces::write_forces`.

@rows(128)
fn main(row: u32) {
    distance_force[row] = -distance_lambda[row] * frame.per_h2;
}
