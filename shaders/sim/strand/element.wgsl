// A rod element, the segment between two nodes and the joint at its end: what it does to both, and how it couples them.
//
// CPU twin: `system::Solver::iterate`.

#import <strand/block.wgsl>
#import <strand/joint.wgsl>
#import <strand/strand.wgsl>

// What an iteration reads of a node. Asking for the next one early costs more registers than it saves time: 10,000 strands
// took 1.6 ms for 1.2 on an H200.
struct Given {
    // From the origin of the strand [m]: where it is, and where inertia took it, or where it is if it is held.
    place: vec3f,
    inertial: vec3f,
    free: bool,
    // m / h² [N/m]
    mass: f32,
    // Of the segment that starts there.
    turn: vec4f,
    rest: f32,
    stretch: f32,
    // Of the joint before that.
    rest_turn: vec4f,
    stiffness: vec3f,
}

fn given(strand: Strand, k: u32) -> Given {
    let i = particle_of(strand, k);
    let segment = i - strand.base;
    let here = segment_place[segment];
    let place = here.xyz;
    let inertial = particle_inertial[i].xyz - strand.origin;
    let free = here.w > 0.0;
    let bend = max(segment_bend[segment], 0.0);
    return Given(
        place,
        select(place, inertial, free),
        free,
        mass_of(i, here.w) * frame.per_h2,
        segment_rotation[segment],
        segment_rest[segment],
        max(segment_stretch[segment], 0.0),
        segment_rest_turn[segment],
        vec3f(bend, bend, max(segment_twist[segment], 0.0)),
    );
}

// What an element, or all that was taken out behind it, adds to a node.
struct Share {
    // Of the block of places: that times the identity [N/m].
    k: f32,
    // Turns (rows) by places; turns.
    wx: mat3x3f,
    ww: mat3x3f,
    // Force [N] and torque [N m].
    rx: vec3f,
    rw: vec3f,
}

struct Element {
    near: Share,
    far: Share,
    // The far node (rows) to the near one (columns).
    coupling: Coupling,
}

// G K GT of gradients G by columns.
fn stiffened(gradients: mat3x3f, stiffness: vec3f) -> mat3x3f {
    return mat3x3f(gradients[0] * stiffness.x, gradients[1] * stiffness.y, gradients[2] * stiffness.z);
}

// Element number k of a strand, between the nodes k and k + 1; the last of a ring ends at the first node.
fn element_of(strand: Strand, k: u32, near: Given, far: Given) -> Element {
    var out: Element;
    let held = is_held(strand, k);
    if k + 1u < strand.segments || strand.segments == strand.count {
        let joint = joint_of(near.turn, far.turn, far.rest_turn, far.stiffness);
        let before_t = transpose(stiffened(joint.before, far.stiffness));
        out.near.rw = joint.torque_before;
        out.far.rw = joint.torque_behind;
        out.near.ww = joint.before * before_t;
        out.far.ww = joint.behind * transpose(stiffened(joint.behind, far.stiffness));
        if !held && !is_held(strand, k + 1u) {
            out.coupling.ww = joint.behind * before_t;
        }
    }
    if held {
        return out;
    }
    let stiffness = min(near.stretch, min(near.mass, far.mass) * frame.stiffest);
    let d1 = rotate(near.turn, vec3f(1.0, 0.0, 0.0));
    let d2 = rotate(near.turn, vec3f(0.0, 1.0, 0.0));
    let d3 = along(near.turn);
    let force = (far.place - near.place - d3 * near.rest) * stiffness;
    let lever = stiffness * near.rest;
    let across = (lever + max(dot(force, d3), 0.0)) * near.rest;
    let turns = mat3x3f(d2 * lever, d1 * -lever, vec3f(0.0));
    out.near.k = stiffness;
    out.far.k = stiffness;
    out.near.rx = force;
    out.far.rx = -force;
    out.near.rw += vec3f(-dot(force, d2) * near.rest, dot(force, d1) * near.rest, 0.0);
    out.near.wx = transpose(turns) * -1.0;
    out.near.ww[0].x += across;
    out.near.ww[1].y += across;
    if far.free {
        out.coupling.xw = turns;
        if near.free {
            out.coupling.xx = ONE * -stiffness;
        }
    }
    return out;
}
