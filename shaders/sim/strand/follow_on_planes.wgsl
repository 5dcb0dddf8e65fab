// Each free particle goes to the length from the one before it, and stays in front of its plane.
//
// CPU twin: `leader::follow`.

#import <strand/on_plane.wgsl>

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
        if x.w > 0.0 && !is_cut(segment) {
            let rest = segment_rest[segment];
            place = at_length(before, place, rest);
            if particle_plane_depth[i].y >= 0.0 {
                let plane = particle_plane[i];
                let level = plane.w - dot(plane.xyz, before);
                let behind = level - dot(plane.xyz, place - before);
                if behind > 0.0 {
                    let old = particle_previous[i].xyz - particle_previous[i - span[1]].xyz;
                    place = before + on_plane(plane.xyz, level, rest, place - before, old);
                    particle_plane_depth[i].x += behind;
                }
            }
            particle_position[i] = vec4f(place, x.w);
        }
        before = place;
    }
}
