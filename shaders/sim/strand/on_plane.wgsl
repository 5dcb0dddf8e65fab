// A particle at the length from the one before it, in front of its plane.
//
// CPU twin: `leader::follow`, `leader::on_plane`.

#import <strand/lead.wgsl>

// The place on a plane at the length from the origin, as near as may be to where the first way leads, or the second where that has
// no part along the plane. A plane too far away is come as near to as may be.
fn on_plane(normal: vec3f, level: f32, rest: f32, first: vec3f, second: vec3f) -> vec3f {
    let up = clamp(level, -rest, rest);
    let least = rest * rest * 1e-10;
    var along = first - normal * dot(normal, first);
    if dot(along, along) <= least {
        along = second - normal * dot(normal, second);
    }
    if dot(along, along) <= least {
        along = vec3f(normal.y, -normal.x, 0.0);
        if dot(along, along) <= 0.1 {
            along = vec3f(0.0, normal.z, -normal.y);
        }
    }
    let radius = sqrt(max(rest * rest - up * up, 0.0));
    return normal * up + along * (radius / max(length(along), 1e-15));
}

// A particle that was led.
struct InFront {
    place: vec3f,
    // Of its plane; 0 without one.
    normal: vec3f,
    // How far behind that it was led [m]; 0 in front.
    depth: f32,
}

// Leads particle i to the length from the one before it, which is at `before` and `stride` rows away.
fn lead_in_front(i: u32, stride: u32, before: vec3f, place: vec3f, rest: f32) -> InFront {
    var led = InFront(at_length(before, place, rest), vec3f(0.0), 0.0);
#ifdef colliders
    if particle_plane_depth[i].y >= 0.0 {
        let plane = particle_plane[i];
        let level = plane.w - dot(plane.xyz, before);
        led.normal = plane.xyz;
        led.depth = max(level - dot(plane.xyz, led.place - before), 0.0);
        if led.depth > 0.0 {
            let old = particle_previous[i].xyz - particle_previous[i - stride].xyz;
            led.place = before + on_plane(plane.xyz, level, rest, led.place - before, old);
        }
    }
#endif
    return led;
}
