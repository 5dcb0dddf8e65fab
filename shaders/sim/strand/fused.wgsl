// A substep of strands that meet nothing, in one pass: predict, follow the leader, give back, and velocities.
//
// CPU twin: `substep::predict`, `leader::follow`, `substep::velocities_from_positions`.

#import <lib/wind_sample.wgsl>
#import <lib/forces.wgsl>
#import <strand/lead.wgsl>

// A particle on its way.
struct Led {
    i: u32,
    // Where it is led to; w: inverse mass.
    x: vec4f,
    // Where inertia took it, and its velocity there.
    inertial: vec3f,
    v: vec3f,
}

// Leaves a particle, of which the next one was moved by `moved` [m].
fn leave(led: Led, moved: vec3f) {
    if led.x.w == 0.0 {
        return;
    }
    let told = led.inertial + moved * frame.correction;
    particle_position[led.i] = led.x;
    particle_velocity[led.i] = vec4f(led.v + (led.x.xyz - told) * frame.per_h, 0.0);
    if frame.substep_is_last != 0u {
        particle_predicted[led.i] = vec4f(led.v, 0.0);
    }
}

// Particle k where inertia takes it; one that is held is where the hand has it. Of the last one where there are no more.
fn predicted(span: array<u32, 3>, k: u32) -> Led {
    let i = span[0] + span[1] * min(k, span[2] - 1u);
    let x = particle_position[i];
    var v = particle_velocity[i].xyz;
    var to = x.xyz;
    if x.w > 0.0 {
        let wind = wind_sample(i, frame.wind_coefficient);
        let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
        v = advance(push, x.w, v, wind.normal, wind.air);
        to += v * frame.h;
    }
    return Led(i, x, to, v);
}

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
    let base = strand_span[0][0];
    var before = predicted(span, 0u);
    before.x = vec4f(before.inertial, before.x.w);
    var next = predicted(span, 1u);
    for (var k = 1u; k < span[2]; k++) {
        var own = next;
        next = predicted(span, k + 1u);
        var moved = vec3f(0.0);
        if own.x.w > 0.0 {
            // What is behind a cut leads the rest.
            var place = own.inertial;
            if !is_cut(before.i - base) {
                place = at_length(before.x.xyz, own.inertial, segment_rest[before.i - base]);
            }
            own.x = vec4f(place, own.x.w);
            moved = place - own.inertial;
        }
        leave(before, moved);
        before = own;
    }
    leave(before, vec3f(0.0));
}
