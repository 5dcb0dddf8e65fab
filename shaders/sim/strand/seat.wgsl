// Where a clamped root has its frame: in that of the collider that it grows from.
//
// CPU twin: `strands::seat`.

#import <strand/rotation.wgsl>

// Particle of the first segment: those of strands lie behind all others.
fn first_segment() -> u32 {
    return strand_span[0][0];
}

// The segment is a stub, held by its seat.
fn is_stub(segment: u32) -> bool {
    return segment_stretch[segment] == 0.0;
}

// The last particle of a strand is joined to its first: the row behind its segments is one of them.
fn is_ring(span: array<u32, 3>) -> bool {
    return segment_stretch[span[0] + span[1] * (span[2] - 1u) - first_segment()] != 0.0;
}

fn has_seat(strand: u32) -> bool {
    return strand_seat[strand] < frame.colliders;
}
