// After a frame of a solver that has none: frames are turned with their seats, and by the least rotation along their segments.
//
// CPU twin: `strands::turn_along`.

#import <strand/seat.wgsl>

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
    let base = first_segment();
    // The last of a ring goes to the first particle.
    let segments = span[2] - select(1u, 0u, is_ring(span));
    for (var k = 0u; k < segments; k++) {
        let i = span[0] + span[1] * k;
        let next = select(i + span[1], span[0], k + 1u == span[2]);
        let segment = i - base;
        segment_spin[segment] = vec4f(0.0);
        if is_stub(segment) && k > 0u {
            let own = strand_tip_rotation[row];
            if has_tip_seat(row) {
                segment_rotation[segment] = after(collider_rotation[strand_tip[row]], own);
            } else {
                segment_rotation[segment] = own;
            }
        } else if is_stub(segment) {
            if is_on_cloth(row) {
                continue;
            }
            let own = strand_root_rotation[row];
            if has_seat(row) {
                // Where the collider is at the end of the frame.
                segment_rotation[segment] = after(collider_rotation[strand_seat[row]], own);
            } else {
                segment_rotation[segment] = own;
            }
        } else if !is_cut(segment) {
            let edge = particle_position[next].xyz - particle_position[i].xyz;
            segment_rotation[segment] = onto(segment_rotation[segment], edge);
        }
    }
}
