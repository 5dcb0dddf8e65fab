// Where a clamped root has its frame: in that of the collider that it grows from.
//
// CPU twin: `strands::seat`, `groups::is_borne`, `groups::is_cut`, `groups::has_tip_stub`.

#import <strand/rotation.wgsl>

// Particle of the first segment: those of strands lie behind all others.
fn first_segment() -> u32 {
    return strand_span[0][0];
}

// The segment is a stub, held by its seat.
fn is_stub(segment: u32) -> bool {
    return segment_stretch[segment] == 0.0;
}

fn is_cut(segment: u32) -> bool {
    return segment_stretch[segment] < 0.0;
}

// The last particle of a strand is joined to its first: the row behind its segments is one of them.
fn is_ring(span: array<u32, 3>) -> bool {
    return segment_stretch[span[0] + span[1] * (span[2] - 1u) - first_segment()] != 0.0;
}

// The last segment of a strand is a stub, held by what holds the tip.
fn has_tip_stub(span: array<u32, 3>) -> bool {
    return is_stub(span[0] + span[1] * (span[2] - 2u) - first_segment());
}

fn has_tip_seat(strand: u32) -> bool {
    return strand_tip[strand] < frame.colliders;
}

// A cloth holds it: a row of `root` says where.
fn is_on_cloth(strand: u32) -> bool {
    return strand_seat[strand] == 0xfffffffeu;
}

// Whether a particle is one of those that cloth or a body with a mass holds.
fn is_borne(borne: vec2u, number: u32) -> bool {
    return number == borne.x || number == borne.y;
}

fn has_seat(strand: u32) -> bool {
    return strand_seat[strand] < frame.colliders;
}
