// A limit to the stretch of strands, behind contact: segments keep their directions, and are brought within their lengths from the root on.
// What of a solve and of contact leaves them longer or shorter, and what this does not do: `sim-dylib/kernels/strands/limit.rs`.
// Here it comes behind the velocities, which go along.
//
// CPU twin: `limit::limit`, `limit::Limit::within`, `limit::Limit::out`, `limit::Limit::mass`, `limit::Limit::bring`.

#import <strand/rotation.wgsl>
#import <strand/on_plane.wgsl>

// Change of a segment's length, as a share of it, from which its strand is brought within this share of that.
const LIMIT: f32 = 0.005;
const WITHIN: f32 = 0.8;
// Acceleration that stretches a material by as much as is its own [m/s²].
const HARD: f32 = 500.0;
// Round-off of a place, by its largest coordinate.
const ROUNDED: f32 = 2.4e-7;

// What a segment may be longer or shorter by [m]. mass: of the strand [kg]; rounded: round-off of a place [m].
fn slack_of(segment: u32, mass: f32, rounded: f32) -> f32 {
    // M a / k is what the material itself gives way by.
    return max(segment_rest[segment] * LIMIT, mass * HARD / max(segment_stretch[segment], 1e-30)) + rounded;
}

// Whether a segment is out of its limit.
fn is_out(span: array<u32, 3>, base: u32, mass: f32, rounded: f32) -> bool {
    var before = particle_position[span[0]].xyz;
    // All are looked at: rows are fetched while others are on their way.
    var out = 0.0;
    for (var k = 1u; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let segment = i - span[1] - base;
        let here = particle_position[i].xyz;
        let way = here - before;
        let rest = segment_rest[segment];
        let slack = slack_of(segment, mass, rounded);
        let long = rest + slack;
        let short = max(rest - slack, 0.0);
        let now = dot(way, way);
        out = max(out, select(0.0, max(now - long * long, short * short - now), segment_stretch[segment] > 0.0));
        before = here;
    }
    return out > 0.0;
}

// Mass of what is free [kg]; 0 of a strand that is held a second time.
fn mass_of_free(span: array<u32, 3>) -> f32 {
    var mass = 0.0;
    for (var k = 0u; k < span[2]; k++) {
        let w = particle_position[span[0] + span[1] * k].w;
        if w > 0.0 {
            mass += 1.0 / w;
        } else if mass > 0.0 {
            return 0.0;
        }
    }
    return mass;
}

// Moves a particle, and its velocity along.
fn put(i: u32, x: vec4f, place: vec3f) {
    let v = particle_velocity[i];
    particle_velocity[i] = vec4f(v.xyz + (place - x.xyz) * frame.per_h, v.w);
    particle_position[i] = vec4f(place, x.w);
}

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
    let base = strand_span[0][0];
    let first = particle_position[span[0]];
    let rounded = max(max(abs(first.x), abs(first.y)), abs(first.z)) * ROUNDED;
    if is_ring(span) || strand_borne[row].y != 0xffffffffu || !is_out(span, base, 0.0, rounded) {
        return;
    }
    let mass = mass_of_free(span);
    if mass == 0.0 || !is_out(span, base, mass, rounded) {
        return;
    }
    // Where the last particle was, and is now.
    var old = first.xyz;
    var new_place = first.xyz;
    var moment = vec3f(0.0);
    var whole = true;
    for (var k = 1u; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let segment = i - span[1] - base;
        let x = particle_position[i];
        let rest = segment_rest[segment];
        // What is behind a cut is let be.
        whole = whole && !is_cut(segment);
        let way = x.xyz - old;
        let most = slack_of(segment, mass, rounded) * WITHIN;
        let length = sqrt(dot(way, way));
        let right = select(length, max(min(length, rest + most), rest - most), segment_stretch[segment] > 0.0);
        let led = way * (right / max(length, 1e-15));
        var place = new_place + led;
#ifdef colliders
        if particle_plane_depth[i].y >= 0.0 {
            let plane = particle_plane[i];
            let level = min(plane.w - dot(plane.xyz, new_place), dot(plane.xyz, x.xyz - new_place));
            if level > dot(plane.xyz, led) {
                place = new_place + on_plane(plane.xyz, level, right, led, led);
            }
        }
#endif
        if x.w > 0.0 && whole {
            moment += (place - x.xyz) / x.w;
            put(i, x, place);
        } else {
            place = x.xyz;
        }
        if !(k == 1u && is_stub(segment)) {
            segment_rotation[segment] = unit_rotation(after(least_rotation(way, place - new_place), segment_rotation[segment]));
        }
        old = x.xyz;
        new_place = place;
    }
    if first.w == 0.0 {
        return;
    }
    // A free strand keeps its momentum.
    let back = moment / mass;
    for (var k = 0u; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let x = particle_position[i];
        put(i, x, x.xyz - back);
    }
}
