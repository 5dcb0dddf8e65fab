// Follow the leader: each free particle goes to the length from the one before it, from the root to the tip.
//
// CPU twin: `leader::follow`.

#import <strand/lead.wgsl>

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
    let base = strand_span[0][0];
    var before = particle_position[span[0]].xyz;
    for (var k = 1u; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let x = particle_position[i];
        var place = x.xyz;
        let segment = i - span[1] - base;
        // What is behind a cut leads the rest.
        if x.w > 0.0 && !is_cut(segment) {
            place = at_length(before, place, segment_rest[segment]);
            particle_position[i] = vec4f(place, x.w);
        }
        before = place;
    }
}
