// Particles against colliders: out of the solid, with Coulomb friction, then restitution. Where colliders are, and who
// wants to know what they gave, contact/scripted.wgsl says, or contact/bodies.wgsl where some have a mass.
//
// The depth that a particle is moved stands for the normal impulse, so friction may take back up to mu depth of its way
// along the surface (Macklin et al.: Unified Particle Physics, 2014, section 6.1). Velocities: Müller et al.: Detailed
// Rigid Body Simulation with XPBD, 2020, section 3.6.
//
// CPU twin: `collide::leave::leave`, `collide::body::Body::push`, `collide::velocity::restitution`.

#import <contact/pose.wgsl>
#import <contact/sweep.wgsl>
#ifdef bodies
#import <contact/bodies.wgsl>
#else
#import <contact/scripted.wgsl>
#endif

// Depth of a plane on which the solver held a particle with friction: that is not taken a second time, and the depth is not known.
const RUBBED: f32 = -1.0;
// Times that a particle which touches something is held against all colliders.
const ROUNDS: u32 = 3u;
// Where the last digit of its height is more than this share of how deep a particle is, its friction looks at what was
// rounded: in short substeps gravity leads it by a few last digits, and a surface may be up to one away.
const ROUGH: f32 = 0.1;
const EPSILON: f32 = 1.1920929e-7;

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
    // What all colliders moved it by, less what counts as no motion [m].
    push: vec3f,
    // What its place is too coarse for of that [m].
    rest: vec3f,
}

// What holds a particle while a solver iterates: unit normal, height along it and the sum of depths taken back [m].
struct Plane {
    normal: vec3f,
    level: f32,
    depth: f32,
    collider: f32,
}

// A particle that goes `before` to `x` against collider c, which goes `begin` to `end`, in world space.
fn meet_posed(c: u32, begin: Pose, end: Pose, x: vec3f, before: vec3f) -> Met {
    var met = meet_any(c, to_local(begin, before), to_local(end, x), collider_surface[c].w);
    if met.depth > 0.0 {
        met.out = rotate(end.turn, met.out);
        met.normal = rotate(end.turn, met.normal);
        let at = x + met.out;
        met.way = at - to_world(begin, to_local(end, at));
    }
    return met;
}

// A particle that goes `before` to `x` against collider c, in world space.
fn meet_collider(c: u32, span: vec2f, x: vec3f, before: vec3f) -> Met {
    return meet_posed(c, pose_before(c, span), pose_after(c, span), x, before);
}

// How far collider c takes a point of its surface in this substep [m].
fn way_of(c: u32, span: vec2f, at: vec3f) -> vec3f {
    return at - to_world(pose_before(c, span), to_local(pose_after(c, span), at));
}

// Moves a particle out of all colliders. span: start and end of the substep as shares of the frame; factor: on friction.
// inertial: where its velocity `before` [m/s] alone took it from `previous`.
fn leave_colliders(
    count: u32, span: vec2f, per_h: f32, x: vec3f, previous: vec3f, inertial: vec3f, before: vec3f, factor: f32,
    plane: Plane,
) -> Contact {
    var contact = Contact(x, previous, vec3f(0.0), 0.0, vec3f(0.0), 0u, 0.0, 0.0, vec3f(0.0), vec3f(0.0));
    let rounds = select(1u, ROUNDS, count > 1u);
    for (var round = 0u; round < rounds; round++) {
        if round > 0u && contact.depth == 0.0 {
            break;
        }
        for (var c = 0u; c < count; c++) {
            var met = meet_collider(c, span, contact.x, previous);
            // What the plane took back already counts once.
            let held = select(0.0, max(plane.depth, 0.0), round == 0u && plane.collider == f32(c));
            let rubs = select(factor, 0.0, plane.depth == RUBBED && plane.collider == f32(c));
            var gap = 0.0;
            if met.depth == 0.0 && held > 0.0 {
                gap = max(dot(plane.normal, contact.x) - plane.level, 0.0);
                met = Met(vec3f(0.0), plane.normal, 0.0, way_of(c, span, contact.x));
            }
            let depth = met.depth + held;
            if depth == 0.0 {
                continue;
            }
            let here = contact.x;
            let at = here + met.out;
            let moved = at - contact.previous - met.way;
            var slides = depth;
            let digit = EPSILON * dot(abs(met.normal), abs(here));
            if digit > ROUGH * depth {
                let began = met.depth - gap + dot(met.normal, here - contact.previous - met.way);
                let off = dot(met.normal, (inertial - previous) - before / per_h);
                slides = unrounded(select(0.0, off, contact.depth == 0.0), depth, began, digit);
            }
            let slip = rub(c, moved, met.normal, rubs * max(depth, slides), rubs * slides);
            contact.x = at - slip;
            contact.rest += (met.out - slip) - (contact.x - here);
            let along = met.normal * dot(met.normal, contact.x - contact.previous - met.way);
            let led = inertial + (contact.previous - previous);
            let behind = max(dot(met.normal, contact.x - led) - gap, 0.0);
            contact.previous += along;
            contact.push += (met.out - slip) + met.normal * held - along;
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

// How deep its velocity alone led a particle behind a surface, which its place and the surface are too coarse for. off: what
// its place is off by where nothing else has led it there; depth: as it was found; began: how deep it began; digit: the last
// digit of its height [m].
fn unrounded(off: f32, depth: f32, began: f32, digit: f32) -> f32 {
    let rounded = select(0.0, off, abs(off) <= digit);
    let near = select(0.0, began, abs(began) <= digit);
    return max(depth - near + rounded, 0.0);
}

// How much of the slip along the surface friction takes back. holds and slides [m] stand for the normal impulse where it
// rests and where it slips.
fn rub(c: u32, moved: vec3f, normal: vec3f, holds: f32, slides: f32) -> vec3f {
    let slip = moved - normal * dot(moved, normal);
    let l = sqrt(dot(slip, slip));
    if l <= collider_surface[c].x * holds {
        return slip;
    }
    return slip * min(collider_surface[c].y * slides / l, 1.0);
}

// The same where both are one.
fn friction(c: u32, moved: vec3f, normal: vec3f, depth: f32) -> vec3f {
    return rub(c, moved, normal, depth, depth);
}

// Velocity of a particle in contact: it bounces or rests, but never keeps the speed of being pushed out; and the friction
// of the part of an impact that did not show as a depth. before: its velocity before the contact [m/s].
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
// meanwhile.
fn after_contact(i: u32, x: vec4f, inertial: vec3f, before: vec3f, plane: Plane) -> Left {
    let free = x.w > 0.0;
    var contact = Contact(x.xyz, inertial, vec3f(0.0), 0.0, vec3f(0.0), 0u, 0.0, 0.0, vec3f(0.0), vec3f(0.0));
    let factor = particle_friction[i];
    if free && frame.colliders > 0u {
#ifdef gives_back
        let previous = particle_previous[i].xyz;
#else
        let previous = inertial - before * frame.h;
#endif
        contact = leave_colliders(
            frame.colliders, frame.span, frame.per_h, x.xyz, previous, inertial, before, factor, plane,
        );
        // Being pushed out moves where it came from and `inertial` alike.
        contact.previous += inertial - previous;
    }
    let way = (contact.x - contact.previous) + contact.rest;
    let led = select(vec3f(0.0), before, free) + way * frame.per_h;
    var v = led;
    if contact.depth > 0.0 {
        v = bounce(contact, led, before, frame.gravity, frame.h, frame.per_h, factor);
    }
    // Mass times all that changed its way.
    note_push(i, contact, (v - led + contact.push * frame.per_h) / x.w);
    return Left(contact.x, v, contact.depth > 0.0);
}
