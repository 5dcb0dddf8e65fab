// Free particles are brought to the lengths, one after another from the root on: where Newton's iterations begin.
//
// Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur, 2012.
//
// CPU twin: `newton::lead`.

#import <strand/seat.wgsl>

// The place of a particle at the length from the one before it.
fn at_length(before: vec3f, place: vec3f, rest: f32) -> vec3f {
    let way = place - before;
    return before + way * (rest / max(sqrt(dot(way, way)), 1e-15));
}

// Whole rings, strands without a root, and pieces that are held elsewhere too, stay as they are, and so does what is cut off.
// base: particle of the first segment.
fn lead(row: u32, span: array<u32, 3>, base: u32) {
    let ring = is_ring(span);
    let borne = strand_borne[row];
    var roots = 0u;
    var held = 0u;
    var end = 0u;
    var cut = false;
    while end < span[2] && !cut {
        let i = span[0] + span[1] * end;
        if particle_position[i].w == 0.0 || is_borne(borne, end) {
            held++;
            roots += select(0u, 1u, roots == end);
        }
        cut = is_cut(i - base);
        end++;
    }
    if roots == 0u || (ring && !cut) {
        return;
    }
    if held == roots {
        var before = particle_position[span[0] + span[1] * (roots - 1u)].xyz;
        for (var k = roots; k < end; k++) {
            let i = span[0] + span[1] * k;
            before = led(i, i - span[1] - base, before);
        }
    }
    if !ring {
        return;
    }
    // A ring that is cut goes on at its other end, too.
    var back = span[2];
    held = 0u;
    while back > end && !is_cut(span[0] + span[1] * (back - 1u) - base) {
        back--;
        held += select(0u, 1u, particle_position[span[0] + span[1] * back].w == 0.0);
    }
    if held == 0u {
        var before = particle_position[span[0]].xyz;
        for (var k = span[2]; k > back; k--) {
            let i = span[0] + span[1] * (k - 1u);
            before = led(i, i - base, before);
        }
    }
}

// Leads a particle to the length of a segment. Returns where to.
fn led(i: u32, segment: u32, before: vec3f) -> vec3f {
    let inertial = particle_inertial[i];
    let place = at_length(before, inertial.xyz, segment_rest[segment]);
    particle_position[i] = vec4f(place, inertial.w);
    return place;
}
