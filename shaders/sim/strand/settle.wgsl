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
            let led = lead_in_front(i, span[1], before, place, segment_rest[segment]);
            place = led.place;
            let speed = (place - x.xyz) * frame.per_h;
            let along = speed - led.normal * dot(led.normal, speed);
            particle_velocity[i] = vec4f(particle_velocity[i].xyz + along, 0.0);
            particle_position[i] = vec4f(place, x.w);
        }
        before = place;
    }
}
