// Place and rotation of a collider.
//
// CPU twin: `collide::pose::Pose::to_local`, `collide::pose::blend`.

struct Pose {
    // World space [m].
    place: vec3f,
    // Unit quaternion x y z w.
    turn: vec4f,
}

// v + 2 w (q x v) + 2 q x (q x v)
fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = cross(q.xyz, v) * 2.0;
    return v + t * q.w + cross(q.xyz, t);
}

fn conjugate(q: vec4f) -> vec4f {
    return vec4f(-q.xyz, q.w);
}

// Normalised linear interpolation, the short way round.
fn blend(a: vec4f, b: vec4f, share: f32) -> vec4f {
    let q = a + (select(b, -b, dot(a, b) < 0.0) - a) * share;
    let l = sqrt(dot(q, q));
    return select(a, q / l, l > 0.0);
}

fn to_local(pose: Pose, x: vec3f) -> vec3f {
    return rotate(conjugate(pose.turn), x - pose.place);
}

fn to_world(pose: Pose, x: vec3f) -> vec3f {
    return rotate(pose.turn, x) + pose.place;
}

// A share of the way from one pose to another.
fn between(a: Pose, b: Pose, share: f32) -> Pose {
    return Pose(a.place + (b.place - a.place) * share, blend(a.turn, b.turn, share));
}
