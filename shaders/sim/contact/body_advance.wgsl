// Where all colliders are in this substep; those with a mass fall, and bounce off the others and each other.
//
// One thread: a push changes what the next pair meets, and they are few. A sphere is its centre and a radius, a box its
// eight corners, both followed continuously.
//
// CPU twin: `collide::advance`, `collide::rigid::advance`, `collide::rigid::bounce`.

#import <contact/pose.wgsl>
#import <contact/sweep.wgsl>

// Of each collider: place and rotation at the start of the substep, and at its end.
var<storage> pose_row: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x > 0u || id.y > 0u {
        return;
    }
    let count = frame.colliders;
    for (var i = 0u; i < count; i++) {
        if has_mass(i) {
            fall(i);
        } else {
            follow(i);
        }
    }
    for (var a = 0u; a < count; a++) {
        if !has_mass(a) {
            continue;
        }
        for (var b = 0u; b < count; b++) {
            if has_mass(b) && b >= a {
                continue;
            }
            let is_ball = collider_kind[a] == COLLIDER_SPHERE;
            if is_ball || collider_kind[b] != COLLIDER_SPHERE {
                against(a, b);
            }
            if !is_ball {
                against(b, a);
            }
        }
    }
    for (var i = 0u; i < count; i++) {
        if has_mass(i) {
            collider_position[i] = pose_row[POSE_ROWS * i + 2u];
            collider_rotation[i] = pose_row[POSE_ROWS * i + 3u];
        }
    }
}

fn has_mass(i: u32) -> bool {
    return collider_inverse_mass[i] > 0.0;
}

// The scene and the hand have moved it.
fn follow(i: u32) {
    let begin = Pose(collider_begin_position[i].xyz, collider_begin_rotation[i]);
    let end = Pose(collider_position[i].xyz, collider_rotation[i]);
    set_poses(i, between(begin, end, frame.span.x), between(begin, end, frame.span.y));
}

fn fall(i: u32) {
    let velocity = collider_velocity[i].xyz + frame.gravity * frame.h;
    let here = Pose(collider_position[i].xyz, collider_rotation[i]);
    let turn = turned(here.turn, collider_spin[i].xyz * frame.h);
    collider_velocity[i] = vec4f(velocity, 0.0);
    set_poses(i, here, Pose(here.place + velocity * frame.h, turn));
}

fn set_poses(i: u32, before: Pose, to: Pose) {
    pose_row[POSE_ROWS * i] = vec4f(before.place, 0.0);
    pose_row[POSE_ROWS * i + 1u] = before.turn;
    pose_row[POSE_ROWS * i + 2u] = vec4f(to.place, 0.0);
    pose_row[POSE_ROWS * i + 3u] = to.turn;
}

fn pose_before(i: u32) -> Pose {
    return Pose(pose_row[POSE_ROWS * i].xyz, pose_row[POSE_ROWS * i + 1u]);
}

fn pose_after(i: u32) -> Pose {
    return Pose(pose_row[POSE_ROWS * i + 2u].xyz, pose_row[POSE_ROWS * i + 3u]);
}

fn move_by(i: u32, way: vec3f) {
    pose_row[POSE_ROWS * i + 2u] = vec4f(pose_row[POSE_ROWS * i + 2u].xyz + way, 0.0);
}

// A rotation after turning by a small angle about an axis, world space [rad].
fn turned(turn: vec4f, angle: vec3f) -> vec4f {
    let half = angle * 0.5;
    let q = vec4f(turn.xyz + half * turn.w + cross(half, turn.xyz), turn.w - dot(half, turn.xyz));
    return q / sqrt(dot(q, q));
}

// The points of `a` against the surface of `b`.
fn against(a: u32, b: u32) {
    let is_ball = collider_kind[a] == COLLIDER_SPHERE;
    if !is_ball && collider_kind[a] != COLLIDER_BOX {
        return;
    }
    let size = collider_size[a].xyz;
    let radius = select(0.0, size.x, is_ball);
    let begin = pose_before(b);
    let turn = pose_after(b).turn;
    let led = pose_after(b);
    for (var corner = 0u; corner < select(8u, 1u, is_ball); corner++) {
        let side = vec3f(vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u)) * 2.0 - 1.0;
        let local = select(size * side, vec3f(0.0), is_ball);
        // `b` moves on as the corners push it.
        let end = Pose(pose_after(b).place, turn);
        let point = to_world(pose_after(a), local);
        let start = to_local(begin, to_world(pose_before(a), local));
        let met = meet_any(b, start, to_local(end, point), radius);
        if met.depth == 0.0 {
            continue;
        }
        let out = rotate(turn, met.out);
        let normal = rotate(turn, met.normal);
        let weights = vec2f(collider_inverse_mass[a], collider_inverse_mass[b]);
        let share = 1.0 / (weights.x + weights.y);
        move_by(a, out * (weights.x * share));
        move_by(b, out * (-weights.y * share));
        let at = point + out - normal * radius;
        bounce(a, b, at, normal, (at - to_world(begin, to_local(led, at))) / frame.h);
    }
}

// Impulses at a point of contact, along the normal of `b` and against the slip. carried: velocity of the surface of `b` [m/s]
// if it has no mass.
fn bounce(a: u32, b: u32, at: vec3f, normal: vec3f, carried: vec3f) {
    let approach = dot(normal, velocity_at(a, at) - surface_velocity(b, at, carried));
    if approach >= 0.0 {
        return;
    }
    let resting = 2.0 * sqrt(dot(frame.gravity, frame.gravity)) * frame.h;
    let restitution = max(collider_surface[a].z, collider_surface[b].z);
    let wanted = select(0.0, -restitution * approach, approach < -resting);
    let impulse = (wanted - approach) / (mobility(a, at, normal) + mobility(b, at, normal));
    push(a, at, normal * impulse);
    push(b, at, normal * -impulse);
    let moved = velocity_at(a, at) - surface_velocity(b, at, carried);
    let slip = moved - normal * dot(normal, moved);
    let speed = sqrt(dot(slip, slip));
    if speed > 0.0 {
        let along = slip / speed;
        let give = mobility(a, at, along) + mobility(b, at, along);
        let friction = sqrt(collider_surface[a].xy * collider_surface[b].xy);
        // What impulse can stop, as a speed.
        let most = impulse * give;
        let stopped = select(min(friction.y * most, speed), speed, speed <= friction.x * most);
        push(a, at, along * (-stopped / give));
        push(b, at, along * (stopped / give));
    }
}

fn velocity_at(i: u32, at: vec3f) -> vec3f {
    return collider_velocity[i].xyz + cross(collider_spin[i].xyz, at - pose_after(i).place);
}

fn surface_velocity(i: u32, at: vec3f, carried: vec3f) -> vec3f {
    if has_mass(i) {
        return velocity_at(i, at);
    }
    return carried;
}

// Speed along a direction [m/s] that an impulse of 1 N s along it gives to the point.
fn mobility(i: u32, at: vec3f, direction: vec3f) -> f32 {
    let arm = at - pose_after(i).place;
    return collider_inverse_mass[i] + dot(cross(spin_from(i, cross(arm, direction)), arm), direction);
}

// Angular velocity [rad/s] from an angular impulse [N m s]: the inverse inertia in world space.
fn spin_from(i: u32, angular: vec3f) -> vec3f {
    let turn = pose_after(i).turn;
    return rotate(turn, rotate(conjugate(turn), angular) * collider_inverse_inertia[i].xyz);
}

fn push(i: u32, at: vec3f, impulse: vec3f) {
    let angular = cross(at - pose_after(i).place, impulse);
    collider_velocity[i] = vec4f(collider_velocity[i].xyz + impulse * collider_inverse_mass[i], 0.0);
    collider_spin[i] = vec4f(collider_spin[i].xyz + spin_from(i, angular), 0.0);
}
