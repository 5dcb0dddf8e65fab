// A particle at the length from the one before it, in front of its plane.
//
// CPU twin: `leader::on_plane`.

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
