// After contact, whose friction moved particles: lengths once more, and velocities go along, but not across a plane.
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
            var across = vec3f(0.0);
#ifdef colliders
            if particle_plane_depth[i].y >= 0.0 {
                let plane = particle_plane[i];
                across = plane.xyz;
                let level = plane.w - dot(across, before);
                if level > dot(across, place - before) {
                    let old = particle_previous[i].xyz - particle_previous[i - span[1]].xyz;
                    place = before + on_plane(across, level, rest, place - before, old);
                }
            }
#endif
            let speed = (place - x.xyz) * frame.per_h;
            let along = speed - across * dot(across, speed);
            particle_velocity[i] = vec4f(particle_velocity[i].xyz + along, 0.0);
            particle_position[i] = vec4f(place, x.w);
        }
        before = place;
    }
}
