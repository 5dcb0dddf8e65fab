// Force of the segments of strands at the end of a frame [N], from the multipliers of their constraints.
//
// CPU twin: `compliant::tell`, `projection::write_forces`.

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let base = strand_span[0][0];
    if idx.x >= base {
        distance_force[row] = -segment_pull[idx.x - base] * frame.per_h2;
    }
}
