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

// Rings, strands without a root, and those that are held elsewhere too, stay as they are. base: particle of the first segment.
fn lead(row: u32, span: array<u32, 3>, base: u32) {
    let borne = borne_number(row);
    var roots = 0u;
    var held = 0u;
    for (var k = 0u; k < span[2]; k++) {
        if particle_position[span[0] + span[1] * k].w == 0.0 || k == borne {
            held++;
            roots += select(0u, 1u, roots == k);
        }
    }
    if roots == 0u || held > roots || is_ring(span) {
        return;
    }
    var before = particle_position[span[0] + span[1] * (roots - 1u)].xyz;
    for (var k = roots; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let inertial = particle_inertial[i];
        before = at_length(before, inertial.xyz, segment_rest[i - span[1] - base]);
        particle_position[i] = vec4f(before, inertial.w);
    }
}
