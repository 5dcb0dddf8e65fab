// Where the frame of a stub is at the end of the substep.
//
// CPU twin: `strands::seat`.

#import <strand/seat.wgsl>
#ifdef colliders
#import <contact/collide.wgsl>
#endif

fn stub_frame(row: u32) -> vec4f {
    if is_on_cloth(row) {
        // strand/root.wgsl has turned it.
        return segment_rotation[strand_span[row][0] - first_segment()];
    }
    let own = strand_root_rotation[row];
#ifdef colliders
    if has_seat(row) {
        return after(pose_after(strand_seat[row], frame.span).turn, own);
    }
#endif
    return own;
}

// The same of a stub at the tip.
fn tip_frame(row: u32) -> vec4f {
    let own = strand_tip_rotation[row];
#ifdef colliders
    if has_tip_seat(row) {
        return after(pose_after(strand_tip[row], frame.span).turn, own);
    }
#endif
    return own;
}
