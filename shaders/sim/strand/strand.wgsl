// A strand that a thread takes through a substep.
//
// CPU twin: `groups::Group::particle`, `groups::Group::next`, `groups::Group::before`, `groups::Group::mass`, `groups::Group::stub`, `groups::Group::free_segments`.

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
    // The last one is held by what holds the tip.
    tip: bool,
    // How many segments there are; the last of a ring goes to the first particle.
    segments: u32,
    origin: vec3f,
    // Numbers of the particles at the root and at the tip that cloth or a body with a mass holds; none has the largest number.
    borne: vec2u,
}

fn strand_of(row: u32, origin: vec3f) -> Strand {
    let span = strand_span[row];
    let base = first_segment();
    let segments = span[2] - select(1u, 0u, is_ring(span));
    return Strand(span[0], span[1], span[2], base, is_stub(span[0] - base), has_tip_stub(span), segments, origin, strand_borne[row]);
}

// Mass of a particle [kg]; one that is borne is as heavy as what bears it is there. w: its inverse mass, 0 of what is held.
fn mass_of(i: u32, w: f32) -> f32 {
    if w > 0.0 {
        return 1.0 / w;
    }
    return particle_mass[i];
}

// Whether what holds an end holds the frame of segment number k.
fn is_held(strand: Strand, k: u32) -> bool {
    return (strand.stub && k == 0u) || (strand.tip && k + 2u == strand.count);
}

// The number behind that of the last segment whose frame is not held.
fn free_end(strand: Strand) -> u32 {
    return strand.segments - select(0u, 1u, strand.tip);
}

fn particle_of(strand: Strand, k: u32) -> u32 {
    return strand.first + strand.step * k;
}

// Rows of a strand in the table of segments by number; around a ring.
fn row_of(strand: Strand, k: u32) -> u32 {
    return strand.first - strand.base + strand.step * k;
}

fn row_behind(strand: Strand, k: u32) -> u32 {
    return row_of(strand, select(k + 1u, 0u, k + 1u == strand.count));
}

fn row_ahead_of(strand: Strand, k: u32) -> u32 {
    return row_of(strand, select(k - 1u, strand.count - 1u, k == 0u));
}
