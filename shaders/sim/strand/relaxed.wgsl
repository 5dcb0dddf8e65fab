// Force that held each segment of a strand [N], from what all sweeps of the last substep took back.
//
// CPU twin: `strands::tell_pulls`, `projection::forces::write_forces`.

@rows(128)
fn main(row: u32) {
    let i = distance_idx[row].x;
    let base = strand_span[0][0];
    if i >= base {
        distance_force[row] = -segment_pull[i - base] * frame.per_h2;
    }
}
