// Particles against colliders: out of the solid, with Coulomb friction, then restitution. A library; group 1 is its own.
//
// The depth that a particle is moved stands for the normal impulse, so friction may take back up to mu depth of its way
// along the surface (Macklin et al.: Unified Particle Physics, 2014, section 6.1). Velocities: Müller et al.: Detailed
// Rigid Body Simulation with XPBD, 2020, section 3.6. CPU twin: sim-dylib/src/collide.rs and collide/{pose,shape}.rs.

@group(1) @binding(0) var<storage, read> collider_kind: array<u32>;
@group(1) @binding(1) var<storage, read> collider_begin_position: array<vec4f>;
@group(1) @binding(2) var<storage, read> collider_position: array<vec4f>;
@group(1) @binding(3) var<storage, read> collider_begin_rotation: array<vec4f>;
@group(1) @binding(4) var<storage, read> collider_rotation: array<vec4f>;
@group(1) @binding(5) var<storage, read> collider_size: array<vec4f>;
@group(1) @binding(6) var<storage, read> collider_thickness: array<f32>;
@group(1) @binding(7) var<storage, read> collider_friction_static: array<f32>;
@group(1) @binding(8) var<storage, read> collider_friction_dynamic: array<f32>;
@group(1) @binding(9) var<storage, read> collider_restitution: array<f32>;
@group(1) @binding(10) var<storage, read> particle_friction: array<f32>;

const PLANE: u32 = 0u;
const SPHERE: u32 = 1u;
const CAPSULE: u32 = 2u;

struct Contact {
    // The particle, and where it came from, moved along so that being pushed out adds no speed [m].
    x: vec3f,
    previous: vec3f,
    // Of the deepest contact; depth 0: none [m].
    normal: vec3f,
    depth: f32,
    // Of its surface [m/s].
    velocity: vec3f,
    restitution: f32,
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
    let half_height = select(0.0, size.y, kind == CAPSULE);
    let d = vec3f(x.x, x.y - clamp(x.y, -half_height, half_height), x.z);
    let l = sqrt(dot(d, d));
    // The normal at the very centre.
    let up = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), kind == CAPSULE);
    return vec4f(select(up, d / l, l > 0.0), l - size.x);
}

// Moves a particle out of all colliders. span: start and end of the substep as shares of the frame; factor: on friction.
fn leave_colliders(
    count: u32, span: vec2f, per_h: f32, x: vec3f, previous: vec3f, factor: f32,
) -> Contact {
    var contact = Contact(x, previous, vec3f(0.0), 0.0, vec3f(0.0), 0.0);
    for (var c = 0u; c < count; c++) {
        let place = mix_of(collider_begin_position[c].xyz, collider_position[c].xyz, span.y);
        let turn = blend(collider_begin_rotation[c], collider_rotation[c], span.y);
        let local = rotate(conjugate(turn), contact.x - place);
        let face = surface(collider_kind[c], collider_size[c], local);
        let depth = collider_thickness[c] - face.w;
        if depth <= 0.0 || collider_kind[c] > CAPSULE {
            continue;
        }
        let normal = rotate(turn, face.xyz);
        let at = contact.x + normal * depth;
        // The way of the surface there in this substep.
        let place_before = mix_of(collider_begin_position[c].xyz, collider_position[c].xyz, span.x);
        let turn_before = blend(collider_begin_rotation[c], collider_rotation[c], span.x);
        let way = at - (rotate(turn_before, rotate(conjugate(turn), at - place)) + place_before);
        let slip = friction(c, at - contact.previous - way, normal, factor * depth);
        contact.x = at - slip;
        contact.previous += normal * dot(normal, contact.x - contact.previous - way);
        if depth > contact.depth {
            contact.normal = normal;
            contact.depth = depth;
            contact.velocity = way * per_h;
            contact.restitution = collider_restitution[c];
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
    if l <= collider_friction_static[c] * depth {
        return slip;
    }
    return slip * min(collider_friction_dynamic[c] * depth / l, 1.0);
}

// Velocity of a particle in contact: it bounces or rests, but never keeps the speed of being pushed out.
// before: its velocity before the contact [m/s].
fn bounce(contact: Contact, v: vec3f, before: vec3f, gravity: vec3f, h: f32) -> vec3f {
    let resting = 2.0 * sqrt(dot(gravity, gravity)) * h;
    let approach = dot(contact.normal, before - contact.velocity);
    let leaving = dot(contact.normal, v - contact.velocity);
    let away = select(0.0, -contact.restitution * approach, approach < -resting);
    return v + contact.normal * (away - leaving);
}

// A particle after contact.
struct Left {
    x: vec3f,
    // [m/s]
    v: vec3f,
    touched: bool,
}

// Contact and restitution of a substep. inertial: where its velocity `before` alone took the particle. Passes have in
// `frame` what is read here.
fn after_contact(i: u32, x: vec4f, inertial: vec3f, before: vec3f) -> Left {
    let free = x.w > 0.0;
    var contact = Contact(x.xyz, inertial, vec3f(0.0), 0.0, vec3f(0.0), 0.0);
    if free && frame.colliders > 0u {
        let previous = inertial - before * frame.h;
        contact = leave_colliders(
            frame.colliders, frame.span, frame.per_h, x.xyz, previous, particle_friction[i],
        );
        // Being pushed out moves where it came from and `inertial` alike.
        contact.previous += inertial - previous;
    }
    var v = select(vec3f(0.0), before, free) + (contact.x - contact.previous) * frame.per_h;
    if contact.depth > 0.0 {
        v = bounce(contact, v, before, frame.gravity, frame.h);
    }
    return Left(contact.x, v, contact.depth > 0.0);
}
