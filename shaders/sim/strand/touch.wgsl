// Surfaces inside of the solve, so that contact does not stretch: as springs in the blocks of the nodes.
//
// CPU twin: `touch::Solver::touch`, `touch::Solver::carried`, `touch::Solver::push_bodies`, `touch::find`, `touch::wedged`, `touch::rubbed`.

#import <contact/collide.wgsl>
#import <strand/way.wgsl>

// What lies above a surface by less than this share of the way that inertia takes it behind it feels friction.
const NEARLY: f32 = 0.05;
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

// A surface, where the particle is behind it: k/2 depth², and a spring along it that holds the particle where the surface
// takes it, up to Coulomb's limit of the present push (a lagged limit, as in Li et al.: Incremental Potential Contact, 2020). `fresh`: in
// the first iteration of a substep.
fn touched(node: Node, strand: Strand, i: u32, place: vec3f, mass: f32, fresh: bool) -> Node {
    let met = particle_plane_depth[i].y;
    if met < 0.0 {
        return node;
    }
    let plane = particle_plane[i];
    let normal = plane.xyz;
    let level = plane.w - dot(normal, strand.origin);
    let depth = level - dot(normal, place);
    // What stops the particle there: the spring of an iterate that is not at rest says far more.
    let inertial = particle_inertial[i].xyz;
    let behind = max(level - dot(normal, inertial - strand.origin), 0.0);
    // At rest it is as deep as its weight presses the spring, which is less than the rounding of a place.
    if depth + behind * NEARLY <= 0.0 {
        return node;
    }
    var out = node;
    let hard = mass * stiffness_of(u32(met));
    let k = select(0.0, hard, depth > 0.0);
    out.rx += normal * (k * depth);
    let push = mass * behind;
    let c = u32(met);
    let previous = inertial - particle_velocity[i].xyz * frame.h;
    let carried = to_world(pose_after(c, frame.span), to_local(pose_before(c, frame.span), previous));
    let way = place - (carried - strand.origin);
    let slip = way - normal * dot(normal, way);
    let length = sqrt(max(dot(slip, slip), 1e-30));
    let factor = particle_friction[i];
    // First where nothing was rubbed yet: what slides ends up shorter by what friction takes.
    let slides = collider_surface[c].y * factor;
    let ahead = max(select(length, length - slides * behind, fresh), 1e-15);
    let holds = collider_surface[c].x * factor * push > select(hard, mass, fresh) * length;
    let along = select(min(hard, slides * push / ahead), hard, holds);
    out.rx -= slip * along;
    let n = mat3x3f(normal * normal.x, normal * normal.y, normal * normal.z);
    out.xx += ONE * along + n * (k - along);
    return out;
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
