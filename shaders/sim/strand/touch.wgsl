// Surfaces inside of the solve, so that contact does not stretch: as springs in the blocks of the nodes, with Coulomb friction. What
// pushes, what sticks and what slides: `sim-dylib/kernels/strands/newton/touch.rs`.
//
// CPU twin: `touch::Solver::touch`, `touch::Solver::surface`, `touch::Solver::keep_rub`, `touch::Solver::carried`, `touch::Solver::push_bodies`, `touch::find`, `touch::wedged`, `touch::rubbed`.

#import <contact/collide.wgsl>
#import <strand/block.wgsl>
#import <strand/way.wgsl>

// Way along a surface [m] in which friction grows to its limit in an iteration: stiffer, and of a rope that begins to slide only one more
// particle would in each.
const PRESLIDING: f32 = 1e-5;
// Push of a surface of which it is known that it has none [N]; 0 is not known.
const NO_PUSH: f32 = 1e-20;
// Of a square, where it is divided by.
const SMALLEST: f32 = 1e-36;
// What a particle may be behind its surface, as a share of a segment: contact behind the solve moves it out, and the segments beside
// it are longer or shorter by that.
const SHALLOW: f32 = 0.003;

// Of two surfaces: the square of the sine between their normals below which they have no edge.
const PARALLEL: f32 = 0.01;

fn forget_plane(i: u32) {
    particle_plane_depth[i] = vec2f(0.0, -1.0);
}

// Looks for the surface that a particle at x is about to meet, if it is free (w is its inverse mass); the one that it has stays where it
// meets none. Returns whether it had none and met one, or is deeper than `shallow` [m] behind it.
fn meets(i: u32, x: vec4f, shallow: f32) -> bool {
    // Ends of strands that have mass only in a solve lie in what holds them (`strand/end.wgsl`).
    if x.w == 0.0 || particle_velocity[i].w != 0.0 {
        return false;
    }
    let previous = particle_inertial[i].xyz - particle_velocity[i].xyz * frame.h;
    // The deepest one holds it.
    var depth = 0.0;
    var holder = 0u;
    var plane = vec4f(0.0);
    for (var c = 0u; c < frame.colliders; c++) {
        let met = meet_posed(c, pose_before(c, frame.span), pose_after(c, frame.span), x.xyz, previous);
        if met.depth > depth {
            depth = met.depth;
            holder = c;
            plane = vec4f(met.normal, dot(met.normal, x.xyz + met.out));
        }
    }
    if depth == 0.0 {
        return false;
    }
    let found = particle_plane_depth[i].y < 0.0;
    particle_plane[i] = wedged(holder, x.xyz, previous, plane);
    particle_plane_depth[i] = vec2f(0.0, f32(holder));
    return found || depth > shallow;
}

// The plane of a particle that is behind the surface of `holder`; where it would be behind another one's there, the plane across its way to
// the edge of both: held on one of them after the other it would come to rest on none. What has a mass is left as it is, for it gets what its
// own plane pushed.
fn wedged(holder: u32, x: vec3f, previous: vec3f, plane: vec4f) -> vec4f {
    if is_body(holder) {
        return plane;
    }
    let deep = plane.w - dot(plane.xyz, x);
    let out = x + plane.xyz * deep;
    var other = Met(vec3f(0.0), vec3f(0.0), 0.0, vec3f(0.0));
    for (var c = 0u; c < frame.colliders; c++) {
        if c == holder || is_body(c) {
            continue;
        }
        let met = meet_posed(c, pose_before(c, frame.span), pose_after(c, frame.span), out, previous);
        if met.depth > other.depth {
            other = met;
        }
    }
    if other.depth == 0.0 {
        return plane;
    }
    let across = dot(plane.xyz, other.normal);
    let behind = dot(other.normal, out + other.out - x);
    let squared = 1.0 - across * across;
    if squared < PARALLEL {
        return plane;
    }
    let shares = max(vec2f(deep - across * behind, behind - across * deep) / squared, vec2f(0.0));
    let way = plane.xyz * shares.x + other.normal * shares.y;
    let length = sqrt(dot(way, way));
    if length == 0.0 {
        return plane;
    }
    let normal = way / length;
    return vec4f(normal, dot(normal, x + way));
}

// A surface that a particle meets, in an iteration.
struct Surface {
    normal: vec3f,
    // How far the particle is behind it [m].
    depth: f32,
    // Its stiffness, 0 where it does not push, and that against slip where the particle sticks [N/m].
    k: f32,
    stick: f32,
    // What the particle went along it from where it would stick [m].
    slip: vec3f,
    // What presses the particle against it [N].
    push: f32,
    // Direction of the force along it that would hold the particle there, and the part of that which friction has where the particle
    // slides.
    way: vec3f,
    slides: f32,
    // Friction where the particle is not moved along it [N].
    friction: vec3f,
    // Coefficients of friction, static and dynamic.
    coefficients: vec2f,
}

// Part of a vector along a surface.
fn along_surface(v: vec3f, normal: vec3f) -> vec3f {
    return v - normal * dot(normal, v);
}

// Length of what may be divided by it.
fn size(v: vec3f) -> f32 {
    return sqrt(max(dot(v, v), SMALLEST));
}

// The surface of a particle at `place` that meets one; mass: m / h² [N/m]. `fresh`: in the first iteration of a substep.
fn surface_of(strand: Strand, i: u32, place: vec3f, mass: f32, fresh: bool) -> Surface {
    let c = u32(particle_plane_depth[i].y);
    let plane = particle_plane[i];
    let normal = plane.xyz;
    let level = plane.w - dot(normal, strand.origin);
    let world = particle_inertial[i].xyz;
    let inertial = world - strand.origin;
    let previous = world - particle_velocity[i].xyz * frame.h;
    let carried = to_world(pose_after(c, frame.span), to_local(pose_before(c, frame.span), previous)) - strand.origin;
    // What has a mass rubs behind the solve, for it is to get what it rubs by.
    let coefficients = collider_surface[c].xy * select(particle_friction[i], 0.0, is_body(c));
    let kept = segment_traction[i - strand.base];
    // What is not known is told from where inertia takes the particle; what is known has had the fall of a substep.
    let inertia = mass * max(level - dot(normal, inertial), 0.0);
    let fall = select(vec3f(0.0), frame.gravity * (frame.h * frame.h), kept.w > 0.0);
    let led = along_surface(inertial - carried - fall, normal) * -mass;
    var push = select(inertia, kept.w, kept.w > 0.0);
    var trial = select(led, kept.xyz, kept.w > 0.0);
    if fresh {
        push = max(inertia, kept.w);
        let known = select(vec3f(0.0), kept.xyz, kept.w > 0.0);
        trial = known * min(coefficients.x * push / size(known), 1.0) + led;
    }
    let depth = level - dot(normal, place);
    let pushes = kept.w + mass * depth > 0.0;
    let long = size(trial);
    let sticks = coefficients.x * push - long > 0.0;
    let slides = select(coefficients.y * push / long, 0.0, sticks || !pushes);
    let k = select(0.0, mass * stiffness_of(c), pushes);
    let stick = select(0.0, min(coefficients.x * push * (1.0 / PRESLIDING), k), sticks);
    let friction = select(vec3f(0.0), trial * select(slides, 1.0, sticks), pushes);
    let slip = along_surface(place - carried, normal);
    return Surface(normal, depth, k, stick, slip, push, trial * (1.0 / long), slides, friction, coefficients);
}

// What a surface does to a node.
fn touched(node: Node, strand: Strand, i: u32, place: vec3f, mass: f32, fresh: bool) -> Node {
    if particle_plane_depth[i].y < 0.0 {
        return node;
    }
    let met = surface_of(strand, i, place, mass, fresh);
    var out = node;
    out.rx += met.normal * (met.k * met.depth) + met.friction - met.slip * met.stick;
    // What slides may turn.
    let across = mass * met.slides;
    let along = met.stick + across;
    out.xx += ONE * along + along_only(met.k - along, met.normal) - along_only(across, met.way);
    return out;
}

// Keeps what the surface does to a particle at `place` that an iteration moves by `step`, for the next one. share: of the step that is
// gone.
fn keep_rub(strand: Strand, i: u32, place: vec3f, step: vec3f, mass: f32, share: f32, fresh: bool) {
    let segment = i - strand.base;
    if particle_plane_depth[i].y < 0.0 {
        segment_traction[segment] = vec4f(0.0);
        return;
    }
    let met = surface_of(strand, i, place, mass, fresh);
    let whole = max(met.k * (met.depth - dot(met.normal, step)), 0.0);
    let push = met.push + (whole - met.push) * share;
    let slip = met.slip + along_surface(step, met.normal);
    // What slides goes on until dynamic friction stops it.
    let ratio = met.coefficients.x / max(max(met.coefficients.y, met.coefficients.x * 1e-6), NO_PUSH);
    let had = met.friction - slip * met.stick;
    let trial = select((met.friction - slip * mass) * ratio, had, met.stick > 0.0);
    segment_traction[segment] = select(vec4f(0.0), vec4f(trial, max(push, NO_PUSH)), met.k > 0.0);
}

fn is_body(c: u32) -> bool {
#ifdef bodies
    return collider_inverse_mass[c] > 0.0;
#else
    return false;
#endif
}

// Of a surface, by m/h² of the particle. What a body with a mass is pushed by is told from how deep the particle is in it, and behind a
// stiffer one that is less than the rounding of a place.
fn stiffness_of(c: u32) -> f32 {
    return select(frame.stiffest, min(frame.stiffest, 100.0), is_body(c));
}

// Surfaces without a mass have rubbed what met them: contact behind the solve does not do that again. A body with a mass gets from that
// contact what it was rubbed by, and what it pushed, the other way: as contact takes it, F h² / m. Of the nodes from `first` to before
// `end`.
fn tell_contact(strand: Strand, first: u32, end: u32) {
    for (var k = first; k < end; k++) {
        let i = particle_of(strand, k);
        let met = particle_plane_depth[i].y;
        if met < 0.0 {
            continue;
        }
        var taken = RUBBED;
        if is_body(u32(met)) {
            let plane = particle_plane[i];
            let behind = plane.w - dot(plane.xyz, strand.origin + segment_place[i - strand.base].xyz);
            taken = max(behind, 0.0) * stiffness_of(u32(met));
        }
        particle_plane_depth[i] = vec2f(taken, met);
    }
}
