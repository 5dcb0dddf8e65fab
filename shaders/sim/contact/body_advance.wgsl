// Where all colliders are in this substep; those with a mass fall, and bounce off the others and each other.
//
// One thread: a push changes what the next pair meets, and they are few. A sphere is its centre and a radius, a box its
// eight corners, both followed continuously; for another box it is more points (`on_cube`).
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
    // The angular momentum stays, and the inertia has turned (Euler's equations).
    let inverse = collider_inverse_inertia[i].xyz;
    if inverse.x != inverse.y || inverse.y != inverse.z {
        let momentum = rotate(here.turn, rotate(conjugate(here.turn), collider_spin[i].xyz) / inverse);
        collider_spin[i] = vec4f(spin_from(i, momentum), 0.0);
    }
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

// A point of one body on the surface of another.
struct Touch {
    at: vec3f,
    // Of the other's surface.
    normal: vec3f,
    // Velocity of that surface [m/s] if it has no mass.
    carried: vec3f,
    // Speed along the normal afterwards [m/s].
    wanted: f32,
    // Impulses so far: along the normal, and across it [N s].
    pressed: f32,
    rubbed: vec3f,
}

// Corners of a box, and its points for another box.
const CORNERS = 8u;
const POINTS = 44u;
// How far out points beside corners lie on their faces, as a share of the way to the edges.
const BESIDE = 0.98;
// Rounds over the points of contact of a pair: each changes what the others do.
const ROUNDS = 10u;

var<private> touches: array<Touch, POINTS>;

// The points of `a` against the surface of `b`: all are found before the first of them moves anything.
fn against(a: u32, b: u32) {
    let is_ball = collider_kind[a] == COLLIDER_SPHERE;
    if !is_ball && collider_kind[a] != COLLIDER_BOX {
        return;
    }
    let size = collider_size[a].xyz;
    let radius = select(0.0, size.x, is_ball);
    let begin = pose_before(b);
    // `b` may have been pushed on already.
    let end = pose_after(b);
    let weights = vec2f(collider_inverse_mass[a], collider_inverse_mass[b]);
    let resting = 2.0 * sqrt(dot(frame.gravity, frame.gravity)) * frame.h;
    let restitution = max(collider_surface[a].z, collider_surface[b].z);
    var count = 0u;
    var apart = vec3f(0.0);
    let points = select(select(CORNERS, POINTS, collider_kind[b] == COLLIDER_BOX), 1u, is_ball);
    for (var number = 0u; number < points; number++) {
        let local = select(size * on_cube(number), vec3f(0.0), is_ball);
        let point = to_world(pose_after(a), local);
        let start = to_local(begin, to_world(pose_before(a), local));
        let met = meet_any(b, start, to_local(end, point), radius);
        if met.depth == 0.0 {
            continue;
        }
        let out = rotate(end.turn, met.out);
        let normal = rotate(end.turn, met.normal);
        // What the points before it have moved is done.
        let depth = dot(out, normal);
        let left = max(depth - dot(apart, normal), 0.0);
        apart += out * min(left / max(depth, 1.17549435e-38), 1.0);
        let at = point + out - normal * radius;
        let carried = (at - to_world(begin, to_local(end, at))) / frame.h;
        var found = Touch(at, normal, carried, 0.0, 0.0, vec3f(0.0));
        let approach = dot(normal, slip(a, b, found));
        found.wanted = select(0.0, -restitution * approach, approach < -resting);
        touches[count] = found;
        count += 1u;
    }
    if all(apart == vec3f(0.0)) {
        return;
    }
    let parts = weights / (weights.x + weights.y);
    move_by(a, apart * parts.x);
    move_by(b, apart * -parts.y);
    for (var round = 0u; round < ROUNDS; round++) {
        for (var k = 0u; k < count; k++) {
            bounce(a, b, k);
        }
    }
    // What rubs off a velocity was no part of the way either: a body that friction holds does not creep.
    var rubbed = vec3f(0.0);
    for (var k = 0u; k < count; k++) {
        rubbed += touches[k].rubbed;
    }
    move_by(a, rubbed * (weights.x * frame.h));
    move_by(b, rubbed * (-weights.y * frame.h));
}

// A point of a cube of side 2: first its corners, then those beside them on the faces, then the middles of its edges.
fn on_cube(number: u32) -> vec3f {
    let corner = vec3f(vec3u(number, number >> 1u, number >> 2u) & vec3u(1u)) * 2.0 - 1.0;
    if number < CORNERS {
        return corner;
    }
    if number < 32u {
        let on_face = vec3u(0u, 1u, 2u) == vec3u((number - CORNERS) / 8u);
        return select(corner * BESIDE, corner, on_face);
    }
    let axis = (number - 32u) / 4u;
    if axis == 0u {
        return vec3f(0.0, corner.x, corner.y);
    }
    return select(vec3f(corner.x, corner.y, 0.0), vec3f(corner.y, 0.0, corner.x), axis == 1u);
}

// Velocity of a point of `a` over the surface of `b` [m/s].
fn slip(a: u32, b: u32, touch: Touch) -> vec3f {
    if has_mass(b) {
        return velocity_at(a, touch.at) - velocity_at(b, touch.at);
    }
    return velocity_at(a, touch.at) - touch.carried;
}

// Impulses at a point of contact, along the normal and against the slip. What all rounds have given together never pulls, and
// rubs no more than Coulomb's law lets it.
fn bounce(a: u32, b: u32, k: u32) {
    var touch = touches[k];
    let at = touch.at;
    let normal = touch.normal;
    let approach = dot(normal, slip(a, b, touch));
    let give = mobility(a, at, normal) + mobility(b, at, normal);
    let pressed = max(touch.pressed + (touch.wanted - approach) / give, 0.0);
    push_both(a, b, at, normal * (pressed - touch.pressed));
    touch.pressed = pressed;
    let moved = slip(a, b, touch);
    let across = moved - normal * dot(normal, moved);
    let speed = sqrt(dot(across, across));
    if speed > 0.0 {
        let along = across / speed;
        let give = mobility(a, at, along) + mobility(b, at, along);
        let friction = sqrt(collider_surface[a].xy * collider_surface[b].xy);
        let wanted = touch.rubbed - along * (speed / give);
        let most = sqrt(dot(wanted, wanted));
        let share = select(min(friction.y * pressed / most, 1.0), 1.0, most <= friction.x * pressed);
        push_both(a, b, at, wanted * share - touch.rubbed);
        touch.rubbed = wanted * share;
    }
    touches[k] = touch;
}

// An impulse on `a` [N s], and its opposite on `b`.
fn push_both(a: u32, b: u32, at: vec3f, impulse: vec3f) {
    push(a, at, impulse);
    push(b, at, -impulse);
}

fn velocity_at(i: u32, at: vec3f) -> vec3f {
    return collider_velocity[i].xyz + cross(collider_spin[i].xyz, at - pose_after(i).place);
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
