// A strand that a thread takes through a substep.
//
// CPU twin: `groups::Group::particle`.

#import <strand/seat.wgsl>

// A strand, and what its places are told from.
struct Strand {
    first: u32,
    step: u32,
    count: u32,
    // Particle of the first segment of all.
    base: u32,
    // The first segment is held by the seat.
    stub: bool,
    origin: vec3f,
}

fn strand_of(row: u32, origin: vec3f) -> Strand {
    let span = strand_span[row];
    let base = first_segment();
    return Strand(span[0], span[1], span[2], base, is_stub(span[0] - base), origin);
}

fn particle_of(strand: Strand, k: u32) -> u32 {
    return strand.first + strand.step * k;
}
