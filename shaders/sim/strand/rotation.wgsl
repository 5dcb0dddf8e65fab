// Rotations of material frames as unit quaternions x y z w.
//
// CPU twin: `rotation::Rotation::after`, `rotation::Rotation::turned`, `rotation::Rotation::between`.
// CPU twin: `rotation::Rotation::onto`.

#import <contact/pose.wgsl>

// First b, then a.
fn after(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(b.xyz * a.w + a.xyz * b.w + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// R e3: what a frame has along its segment.
fn along(q: vec4f) -> vec3f {
    return vec3f((q.x * q.z + q.w * q.y) * 2.0, (q.y * q.z - q.w * q.x) * 2.0, 1.0 - (q.x * q.x + q.y * q.y) * 2.0);
}

fn unit_rotation(q: vec4f) -> vec4f {
    return q * (1.0 / sqrt(dot(q, q)));
}

// Turned on by a small angle about an axis in its own space [rad].
fn turned_within(q: vec4f, angle: vec3f) -> vec4f {
    let half = angle * 0.5;
    return unit_rotation(vec4f(q.xyz + half * q.w + cross(q.xyz, half), q.w - dot(q.xyz, half)));
}

// Turned on by a small rotation vector in world space [rad].
fn turned(q: vec4f, angle: vec3f) -> vec4f {
    let half = angle * 0.5;
    return unit_rotation(vec4f(q.xyz + half * q.w + cross(half, q.xyz), q.w - dot(half, q.xyz)));
}

// The least rotation that takes the direction of `from` to that of `to`; half a turn about some axis where they are opposite.
fn least_rotation(start: vec3f, end: vec3f) -> vec4f {
    let scale = 1.0 / sqrt(max(dot(start, start) * dot(end, end), 1e-30));
    let w = dot(start, end) * scale + 1.0;
    if w > 1e-6 {
        return unit_rotation(vec4f(cross(start, end) * scale, w));
    }
    let flat_way = vec3f(-start.y, start.x, 0.0);
    let steep_way = vec3f(0.0, -start.z, start.y);
    let across = select(steep_way, flat_way, dot(flat_way, flat_way) > dot(steep_way, steep_way));
    return unit_rotation(vec4f(across / sqrt(max(dot(across, across), 1e-30)), 0.0));
}

// Turned by the least rotation that brings it along an edge.
fn onto(q: vec4f, edge: vec3f) -> vec4f {
    return unit_rotation(after(least_rotation(along(q), edge), q));
}

// A unit vector along a way; none of none.
fn direction_of(way: vec3f) -> vec3f {
    return way * (1.0 / max(sqrt(dot(way, way)), 1e-15));
}
