// Particles against colliders: out of the solid, with Coulomb friction, then restitution. A library; group 1 is its own.
// Meshes are met by the library that follows (meshes.wgsl or no_meshes.wgsl). Bodies with a mass are not here:
// `app/src/gpu/choice.rs` refuses them.
//
// The depth that a particle is moved stands for the normal impulse, so friction may take back up to mu depth of its way
// along the surface (Macklin et al.: Unified Particle Physics, 2014, section 6.1). Velocities: Müller et al.: Detailed
// Rigid Body Simulation with XPBD, 2020, section 3.6. CPU twin: sim-dylib/src/collide.rs and collide/*.rs.

@group(1) @binding(0) var<storage, read> collider_kind: array<u32>;
@group(1) @binding(1) var<storage, read> collider_begin_position: array<vec4f>;
@group(1) @binding(2) var<storage, read> collider_position: array<vec4f>;
@group(1) @binding(3) var<storage, read> collider_begin_rotation: array<vec4f>;
@group(1) @binding(4) var<storage, read> collider_rotation: array<vec4f>;
@group(1) @binding(5) var<storage, read> collider_size: array<vec4f>;
// Static friction, dynamic friction, restitution, distance kept [m].
@group(1) @binding(6) var<storage, read> collider_surface: array<vec4f>;
@group(1) @binding(7) var<storage, read> particle_friction: array<f32>;

const PLANE: u32 = 0u;
const SPHERE: u32 = 1u;
const CAPSULE: u32 = 2u;

const BOX: u32 = 3u;
const MESH: u32 = 4u;

// As far as this from a surface a particle touches it [m].
const SKIN: f32 = 2e-5;
// Steps of one walk.
const STEPS: u32 = 512u;
// Least step, as a share of the thickness.
const LEAST: f32 = 0.25;
// Times that a particle which touches something is held against all colliders.
const ROUNDS: u32 = 3u;

struct Contact {
    // The particle, and where it came from, moved along so that being pushed out adds no speed [m].
    x: vec3f,
    previous: vec3f,
    // Of the deepest contact; depth 0: none [m].
    normal: vec3f,
    depth: f32,
    // Of its surface [m/s], and its collider.
    velocity: vec3f,
    collider: u32,
    // Way off it of a particle that a solver pulled away again, and how deep inertia alone would have led behind it [m].
    off: f32,
    behind: f32,
}

// What a particle met: how it is to be moved to be outside [m], the outward normal, and how deep it was [m]; 0: nothing.
struct Met {
    out: vec3f,
    normal: vec3f,
    depth: f32,
    // Way of the surface there in this substep [m].
    way: vec3f,
}

// What holds a particle while a solver iterates: unit normal, height along it and the sum of depths taken back [m].
struct Plane {
    normal: vec3f,
    level: f32,
    depth: f32,
    collider: f32,
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

// Outward unit normal of a collider in its own frame, and the distance from its surface in w [m], negative inside.
fn surface(kind: u32, size: vec4f, x: vec3f) -> vec4f {
    if kind == PLANE {
        return vec4f(0.0, 1.0, 0.0, x.y);
    }
    if kind == BOX {
        return cuboid(x, size.xyz);
    }
    let half_height = select(0.0, size.y, kind == CAPSULE);
    let d = vec3f(x.x, x.y - clamp(x.y, -half_height, half_height), x.z);
    let l = sqrt(dot(d, d));
    // The normal at the very centre.
    let up = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), kind == CAPSULE);
    return vec4f(select(up, d / l, l > 0.0), l - size.x);
}

// Of a box: outside to its nearest point, inside to the nearest face.
fn cuboid(x: vec3f, half: vec3f) -> vec4f {
    let side = select(vec3f(1.0), vec3f(-1.0), x < vec3f(0.0));
    let beyond = abs(x) - half;
    let way = max(beyond, vec3f(0.0));
    let l = sqrt(dot(way, way));
    if l > 0.0 {
        return vec4f(way * side / l, l);
    }
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        return vec4f(side.x, 0.0, 0.0, beyond.x);
    }
    if beyond.y >= beyond.z {
        return vec4f(0.0, side.y, 0.0, beyond.y);
    }
    return vec4f(0.0, 0.0, side.z, beyond.z);
}

fn nothing() -> Met {
    return Met(vec3f(0.0), vec3f(0.0), 0.0, vec3f(0.0));
}

// The nearest surface decides. gap: from the surface at the thickness [m].
fn at_rest(gap: f32, normal: vec3f) -> Met {
    if gap < 0.0 {
        return Met(normal * -gap, normal, -gap, vec3f(0.0));
    }
    return nothing();
}

// Continuous detection in the collider's frame; all kinds but meshes are convex. CPU twin: sim-dylib/src/collide/sweep.rs.
fn meet(kind: u32, size: vec4f, start: vec3f, goal: vec3f, thickness: f32) -> Met {
    let way = goal - start;
    let length = sqrt(dot(way, way));
    let end = surface(kind, size, goal);
    let end_gap = end.w - thickness;
    if end_gap > length {
        return nothing();
    }
    if length <= thickness || kind == PLANE || length == 0.0 {
        return at_rest(end_gap, end.xyz);
    }
    let direction = way / length;
    let begin = surface(kind, size, start);
    var gap = begin.w - thickness;
    if gap >= length {
        return nothing();
    }
    if gap < SKIN {
        if gap < -SKIN || dot(direction, begin.xyz) < 0.0 {
            // Less than 60 degrees on: along the surface, not through the body.
            if dot(begin.xyz, end.xyz) > 0.5 {
                return at_rest(end_gap, end.xyz);
            }
            let held = at_rest(dot(begin.xyz, goal - (start - begin.xyz * gap)), begin.xyz);
            if held.depth >= 0.01 * SKIN {
                return held;
            }
            if gap < -SKIN {
                return nothing();
            }
        }
        gap = SKIN;
    }
    var walked = gap;
    var last = 0.0;
    var least = max(LEAST * thickness, SKIN);
    for (var step = 0u; step < STEPS; step++) {
        if walked >= length {
            return at_rest(end_gap, end.xyz);
        }
        let at = start + direction * walked;
        let face = surface(kind, size, at);
        let left = face.w - thickness;
        if left < -SKIN && last > SKIN {
            // The least step led inside: the surface is half as far, or less.
            least = 0.5 * last;
            walked -= last - least;
            last = least;
            continue;
        }
        let before = dot(face.xyz, goal - (at - face.xyz * left));
        if left >= -SKIN && before >= 0.0 {
            // All of it lies behind this plane, and the rest of the way before it.
            return nothing();
        }
        if left < SKIN && dot(direction, face.xyz) < 0.0 {
            let met = at_rest(before, face.xyz);
            if met.depth > 0.0 {
                return met;
            }
        }
        last = max(left, least);
        walked += last;
    }
    let at = start + direction * min(walked, length);
    let face = surface(kind, size, at);
    return at_rest(dot(face.xyz, goal - (at - face.xyz * (face.w - thickness))), face.xyz);
}

// A particle that goes `before` to `x` against collider c, in world space.
fn meet_collider(c: u32, span: vec2f, x: vec3f, before: vec3f) -> Met {
    if collider_kind[c] > MESH {
        return nothing();
    }
    let place = place_of(c, span.y);
    let turn = turn_of(c, span.y);
    let start = rotate(conjugate(turn_of(c, span.x)), before - place_of(c, span.x));
    let goal = rotate(conjugate(turn), x - place);
    let thickness = collider_surface[c].w;
    var met: Met;
    if collider_kind[c] == MESH {
        met = meet_mesh(c, start, goal, thickness);
    } else {
        met = meet(collider_kind[c], collider_size[c], start, goal, thickness);
    }
    if met.depth > 0.0 {
        met.out = rotate(turn, met.out);
        met.normal = rotate(turn, met.normal);
        met.way = way_of(c, span, x + met.out);
    }
    return met;
}

fn place_of(c: u32, share: f32) -> vec3f {
    return mix_of(collider_begin_position[c].xyz, collider_position[c].xyz, share);
}

fn turn_of(c: u32, share: f32) -> vec4f {
    return blend(collider_begin_rotation[c], collider_rotation[c], share);
}

// How far collider c takes a point of its surface in this substep [m].
fn way_of(c: u32, span: vec2f, at: vec3f) -> vec3f {
    let local = rotate(conjugate(turn_of(c, span.y)), at - place_of(c, span.y));
    return at - (rotate(turn_of(c, span.x), local) + place_of(c, span.x));
}

// Moves a particle out of all colliders. span: start and end of the substep as shares of the frame; factor: on friction.
// inertial: where its velocity alone took it from `previous`.
fn leave_colliders(
    count: u32, span: vec2f, per_h: f32, x: vec3f, previous: vec3f, inertial: vec3f, factor: f32, plane: Plane,
) -> Contact {
    var contact = Contact(x, previous, vec3f(0.0), 0.0, vec3f(0.0), 0u, 0.0, 0.0);
    let rounds = select(1u, ROUNDS, count > 1u);
    for (var round = 0u; round < rounds; round++) {
        if round > 0u && contact.depth == 0.0 {
            break;
        }
        for (var c = 0u; c < count; c++) {
            var met = meet_collider(c, span, contact.x, previous);
            // What the plane took back already counts once.
            let held = select(0.0, plane.depth, round == 0u && plane.collider == f32(c));
            var gap = 0.0;
            if met.depth == 0.0 && held > 0.0 {
                gap = max(dot(plane.normal, contact.x) - plane.level, 0.0);
                met = Met(vec3f(0.0), plane.normal, 0.0, way_of(c, span, contact.x));
            }
            let depth = met.depth + held;
            if depth == 0.0 {
                continue;
            }
            let at = contact.x + met.out;
            contact.x = at - friction(c, at - contact.previous - met.way, met.normal, factor * depth);
            let along = met.normal * dot(met.normal, contact.x - contact.previous - met.way);
            let led = inertial + (contact.previous - previous);
            let behind = max(dot(met.normal, contact.x - led) - gap, 0.0);
            contact.previous += along;
            if depth > contact.depth {
                contact.normal = met.normal;
                contact.depth = depth;
                contact.velocity = met.way * per_h;
                contact.collider = c;
                contact.off = select(0.0, max(dot(met.normal, along), 0.0), gap > 0.0);
                contact.behind = behind;
            }
        }
    }
    return contact;
}

fn mix_of(a: vec3f, b: vec3f, share: f32) -> vec3f {
    return a + (b - a) * share;
}

// How much of the slip along the surface friction takes back; depth [m] stands for the normal impulse.
fn friction(c: u32, moved: vec3f, normal: vec3f, depth: f32) -> vec3f {
    let slip = moved - normal * dot(moved, normal);
    let l = sqrt(dot(slip, slip));
    if l <= collider_surface[c].x * depth {
        return slip;
    }
    return slip * min(collider_surface[c].y * depth / l, 1.0);
}

// Velocity of a particle in contact: it bounces or rests, but never keeps the speed of being pushed out; and the friction
// of the part of an impact that did not show as a depth. before: its velocity before the contact [m/s].
// CPU twin: sim-dylib/src/collide/velocity.rs.
fn bounce(contact: Contact, v: vec3f, before: vec3f, gravity: vec3f, h: f32, per_h: f32, factor: f32) -> vec3f {
    let resting = 2.0 * sqrt(dot(gravity, gravity)) * h;
    let approach = dot(contact.normal, before - contact.velocity);
    let leaving = dot(contact.normal, v - contact.velocity);
    let impact = approach < -resting;
    let away = select(0.0, -collider_surface[contact.collider].z * approach, impact);
    let wanted = max(away, contact.off * per_h);
    let turned = v + contact.normal * (wanted - leaving);
    if !impact {
        return turned;
    }
    let rest = max(wanted - approach - contact.behind * per_h, 0.0);
    return turned - friction(contact.collider, turned - contact.velocity, contact.normal, factor * rest);
}

// A particle after contact.
struct Left {
    x: vec3f,
    // [m/s]
    v: vec3f,
    touched: bool,
}

// Contact and restitution of a substep. inertial: where its velocity `before` alone took the particle; plane: what held it
// meanwhile. Passes have in `frame` what is read here.
fn after_contact(i: u32, x: vec4f, inertial: vec3f, before: vec3f, plane: Plane) -> Left {
    let free = x.w > 0.0;
    var contact = Contact(x.xyz, inertial, vec3f(0.0), 0.0, vec3f(0.0), 0u, 0.0, 0.0);
    let factor = particle_friction[i];
    if free && frame.colliders > 0u {
        let previous = inertial - before * frame.h;
        contact = leave_colliders(
            frame.colliders, frame.span, frame.per_h, x.xyz, previous, inertial, factor, plane,
        );
        // Being pushed out moves where it came from and `inertial` alike.
        contact.previous += inertial - previous;
    }
    var v = select(vec3f(0.0), before, free) + (contact.x - contact.previous) * frame.per_h;
    if contact.depth > 0.0 {
        v = bounce(contact, v, before, frame.gravity, frame.h, frame.per_h, factor);
    }
    return Left(contact.x, v, contact.depth > 0.0);
}
