// Force of the segments of strands at the end of a frame [N], from the multipliers of their constraints.
//
// CPU twin: `strands::tell_pulls`, `projection::forces::write_forces`.

#import <strand/rotation.wgsl>
#import <strand/place.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let base = strand_span[0][0];
    if idx.x >= base {
        let segment = idx.x - base;
        let pull = dot(segment_pulls[segment].xyz, along(segment_rotation[segment]));
        distance_force[row] = -pull * frame.per_h2;
    }
}
