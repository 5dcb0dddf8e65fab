// After a frame of a solver that has none: frames are turned with their seats, and by the least rotation along their segments.
//
// CPU twin: `carry::turn_along`.

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
        if is_stub(segment) {
            let tip = k > 0u;
            if !tip && is_on_cloth(row) {
                continue;
            }
            let seat = select(strand_seat[row], strand_tip[row], tip);
            var turn = select(strand_root_rotation[row], strand_tip_rotation[row], tip);
            if seat < frame.colliders {
                // Where the collider is at the end of the frame.
                turn = after(collider_rotation[seat], turn);
            }
            segment_rotation[segment] = turn;
        } else if !is_cut(segment) {
            let edge = particle_position[next].xyz - particle_position[i].xyz;
            segment_rotation[segment] = onto(segment_rotation[segment], edge);
        }
    }
}
