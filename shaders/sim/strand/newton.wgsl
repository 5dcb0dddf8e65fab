// Implicit Euler of each strand for itself, by Newton's method with a direct solve: a thread takes a strand from its root to
// its tip and back. What is minimised, and the blocks: `sim-dylib/kernels/strands/newton.rs`.
//
// CPU twin: `newton::run`, `system::Solver::iterate`.

#import <strand/stub.wgsl>
#import <strand/lead.wgsl>
#import <strand/block.wgsl>
#import <strand/joint.wgsl>
#import <strand/way.wgsl>
#ifdef colliders
#import <strand/touch.wgsl>
#endif
#ifdef rings
#import <strand/ring.wgsl>
#endif

// Iterations beyond those that were asked for, as long as a strand meets something new.
const MORE: u32 = 4u;

@rows(32)
fn main(row: u32) {
    let span = strand_span[row];
    lead(row, span, first_segment());
    let strand = strand_of(row, particle_position[span[0]].xyz);
    begin(strand, row);
#ifdef colliders
    let most = frame.strand_iterations + MORE;
    var news = false;
    for (var iteration = 1u; iteration <= most; iteration++) {
        let new_one = iterate(strand, iteration < most);
        // Nothing new: as many as were asked for, but two, and one for what was met on the way.
        news = news || new_one;
        let undisturbed = iteration == frame.strand_iterations && iteration > 1u && !news;
        if !new_one && (iteration > frame.strand_iterations || undisturbed) {
            break;
        }
    }
    push_bodies(strand);
#else
    for (var iteration = 0u; iteration < frame.strand_iterations; iteration++) {
        iterate(strand, false);
    }
#endif
    end(strand);
}

// Places from the root's, with inverse masses, frames that are carried along their segments, and the surfaces that particles are about
// to meet.
fn begin(strand: Strand, row: u32) {
    var before = vec3f(0.0);
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let here = particle_position[i];
        let place = here.xyz - strand.origin;
        segment_place[i - strand.base] = vec4f(place, here.w);
#ifdef colliders
        forget_plane(i);
        meets(i, here);
#endif
        if k == 1u && strand.stub {
            segment_rotation[strand.first - strand.base] = stub_frame(row);
        } else if k > 0u && is_held(strand, k - 1u) {
            segment_rotation[i - strand.step - strand.base] = tip_frame(row);
        } else if k > 0u {
            let segment = i - strand.step - strand.base;
            segment_rotation[segment] = onto(segment_rotation[segment], place - before);
        }
        before = place;
    }
    if strand.segments == strand.count {
        let last = row_of(strand, strand.count - 1u);
        segment_rotation[last] = onto(segment_rotation[last], segment_place[row_of(strand, 0u)].xyz - before);
    }
}

fn end(strand: Strand) {
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let place = segment_place[i - strand.base];
        if place.w > 0.0 {
            particle_position[i] = vec4f(strand.origin + place.xyz, place.w);
        }
        if frame.substep_is_last != 0u {
            segment_spin[i - strand.base] = vec4f(0.0);
        }
    }
}

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

// Of the last node where there are no more.
fn given(strand: Strand, k: u32) -> Given {
    let i = particle_of(strand, min(k, strand.count - 1u));
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
        mass_of(strand, k, i, here.w) * frame.per_h2,
        segment_rotation[segment],
        segment_rest[segment],
        max(segment_stretch[segment], 0.0),
        segment_rest_turn[segment],
        vec3f(bend, bend, max(segment_twist[segment], 0.0)),
    );
}

// What a joint or a segment adds to the node behind it.
struct Carry {
    k: f32,
    ww: mat3x3f,
    rx: vec3f,
    rw: vec3f,
}

// G K GT of gradients G by columns.
fn stiffened(gradients: mat3x3f, stiffness: vec3f) -> mat3x3f {
    return mat3x3f(gradients[0] * stiffness.x, gradients[1] * stiffness.y, gradients[2] * stiffness.z);
}

#ifdef rings
// The segment from the last particle to the first, and the joint behind it: what they do to both nodes.
struct Closing {
    last: Node,
    first: Carry,
    across: Across,
}

fn closing(strand: Strand) -> Closing {
    let own = given(strand, strand.count - 1u);
    let next = given(strand, 0u);
    let stiffness = min(own.stretch, min(own.mass, next.mass) * frame.stiffest);
    let d1 = rotate(own.turn, vec3f(1.0, 0.0, 0.0));
    let d2 = rotate(own.turn, vec3f(0.0, 1.0, 0.0));
    let d3 = along(own.turn);
    let force = (next.place - own.place - d3 * own.rest) * stiffness;
    let lever = stiffness * own.rest;
    let across = (lever + max(dot(force, d3), 0.0)) * own.rest;
    let joint = joint_of(own.turn, next.turn, next.rest_turn, next.stiffness);
    let before_t = transpose(stiffened(joint.before, next.stiffness));
    var out: Closing;
    out.last.xx = ONE * stiffness;
    out.last.wx = transpose(mat3x3f(d2 * lever, d1 * -lever, vec3f(0.0))) * -1.0;
    out.last.ww = joint.before * before_t;
    out.last.ww[0].x += across;
    out.last.ww[1].y += across;
    out.last.rx = force;
    out.last.rw = vec3f(-dot(force, d2) * own.rest, dot(force, d1) * own.rest, 0.0) + joint.torque_before;
    out.first = Carry(
        stiffness,
        joint.behind * transpose(stiffened(joint.behind, next.stiffness)),
        -force,
        joint.torque_behind,
    );
    let turns = out.last.wx * -1.0;
    out.across.xx = ONE * select(0.0, -stiffness, own.free && next.free);
    out.across.wx = turns * select(0.0, 1.0, next.free);
    out.across.ww = transpose(joint.behind * before_t);
    return out;
}
#endif

// Returns whether a particle that had no surface is about to meet one, if that is looked for.
fn iterate(strand: Strand, look: bool) -> bool {
    let last = strand.count - 1u;
    // Nothing else holds a strand that is not clamped, or what is behind a cut, against turning about itself.
    let own_twist = abs(segment_twist[strand.first + strand.step - strand.base]) * 1e-5;
    var loose = !strand.stub;
    var carry: Carry;
    var before: Factored;
#ifdef rings
    var end_node: Node;
    var across = nothing_across();
    let ring = strand.segments == strand.count;
    if ring {
        let closed = closing(strand);
        carry = closed.first;
        end_node = closed.last;
        across = closed.across;
    }
#endif
    for (var k = 0u; k < strand.count; k++) {
        let own = given(strand, k);
        let next = given(strand, k + 1u);
        let i = particle_of(strand, k);
        var node = Node(ONE * (own.mass + carry.k), mat3x3f(), carry.ww, carry.rx, carry.rw);
        var coupling = Coupling(mat3x3f(), mat3x3f(), mat3x3f());
        node.rx += (own.inertial - own.place) * own.mass;
#ifdef colliders
        node = touched(node, strand, i, own.place, own.mass);
#endif
        carry = Carry(0.0, mat3x3f(), vec3f(0.0), vec3f(0.0));
        let stub = is_held(strand, k);
        if k + 1u < strand.segments {
            let joint = joint_of(own.turn, next.turn, next.rest_turn, next.stiffness);
            node.rw += joint.torque_before;
            carry.rw = joint.torque_behind;
            let before_t = transpose(stiffened(joint.before, next.stiffness));
            node.ww += joint.before * before_t;
            coupling.ww = joint.behind * before_t;
            carry.ww = joint.behind * transpose(stiffened(joint.behind, next.stiffness));
        }
        if k < last && !stub {
            let stiffness = min(own.stretch, min(own.mass, next.mass) * frame.stiffest);
            let d1 = rotate(own.turn, vec3f(1.0, 0.0, 0.0));
            let d2 = rotate(own.turn, vec3f(0.0, 1.0, 0.0));
            let d3 = along(own.turn);
            let force = (next.place - own.place - d3 * own.rest) * stiffness;
            node.rx += force;
            carry.rx = -force;
            node.rw += vec3f(-dot(force, d2) * own.rest, dot(force, d1) * own.rest, 0.0);
            node.xx += ONE * stiffness;
            carry.k = stiffness;
            coupling.xx = ONE * -stiffness;
            let lever = stiffness * own.rest;
            coupling.xw = mat3x3f(d2 * lever, d1 * -lever, vec3f(0.0));
            node.wx = transpose(coupling.xw) * -1.0;
            let across = (lever + max(dot(force, d3), 0.0)) * own.rest;
            node.ww[0].x += across;
            node.ww[1].y += across;
        }
        if k < last {
            node.ww[2].z += select(0.0, own_twist, loose);
            loose = loose || is_cut(i - strand.base);
        }
#ifdef rings
        if ring && k == last {
            node.xx += end_node.xx;
            node.wx += end_node.wx;
            node.ww += end_node.ww;
            node.rx += end_node.rx;
            node.rw += end_node.rw;
        }
        if ring && k + 1u == last {
            across.xx += coupling.xx;
            across.xw += coupling.xw;
            across.ww += coupling.ww;
            coupling = Coupling(mat3x3f(), mat3x3f(), mat3x3f());
            if !next.free {
                across.xx = mat3x3f();
                across.xw = mat3x3f();
            }
        }
        if !own.free {
            across.xx = mat3x3f();
            across.wx = mat3x3f();
        }
#endif
        if !own.free {
            node.xx = ONE;
            node.wx = mat3x3f();
            node.rx = vec3f(0.0);
            coupling.xx = mat3x3f();
            before.w.xx = mat3x3f();
            before.w.xw = mat3x3f();
        }
        if k == strand.segments || stub {
            node.ww = ONE;
            node.wx = mat3x3f();
            node.rw = vec3f(0.0);
            coupling.xw = mat3x3f();
            coupling.ww = mat3x3f();
            before.w.ww = mat3x3f();
        }
        if k > 0u {
            node = eliminated(node, before);
        }
        before = factored(node, coupling);
#ifdef rings
        if ring && k < last {
            let crossing = crossed(end_node, across, before);
            end_node = crossing.last;
            across = crossing.next;
            keep_across(i - strand.base, crossing.back);
        }
#endif
        keep_way(i - strand.base, before.back);
    }
    return move_on(strand, back(strand), look);
}

// From the tip to the root. Returns the widest turn across a segment [rad], or 1.
fn back(strand: Strand) -> f32 {
    let last = strand.count - 1u;
    var step = vec3f(0.0);
    var spin = vec3f(0.0);
    var widest = 1.0;
#ifdef rings
    var end_step: Step;
#endif
    for (var k = 0u; k < strand.count; k++) {
        let way = way_at(particle_of(strand, last - k) - strand.base);
        let to = way.yx - way.xx * step - way.xw * spin;
        spin = way.yw - way.wx * step - way.ww * spin;
        step = to;
#ifdef rings
        if k == 0u {
            end_step = Step(step, spin);
        } else if strand.segments == strand.count {
            let less = with_the_last(particle_of(strand, last - k) - strand.base, end_step);
            step -= less.step;
            spin -= less.turn;
        }
#endif
        keep_step(particle_of(strand, last - k) - strand.base, step, spin);
        widest = max(widest, max(abs(spin.x), abs(spin.y)));
    }
    return widest;
}

// Turns of more than a radian are out of reach of the quadratic model. Twist moves no place. Surfaces are looked for on the way, where
// the place is at hand. Returns as `iterate`.
fn move_on(strand: Strand, widest: f32, look: bool) -> bool {
    let scale = 1.0 / widest;
    var found = false;
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let segment = i - strand.base;
        let by = step_at(segment);
        let place = segment_place[segment] + vec4f(by.step * scale, 0.0);
        segment_place[segment] = place;
        if k < strand.segments {
            let angle = vec3f(by.turn.xy * scale, clamp(by.turn.z, -1.0, 1.0));
            segment_rotation[segment] = turned_within(segment_rotation[segment], angle);
        }
#ifdef colliders
        if look {
            found = meets(i, vec4f(strand.origin + place.xyz, place.w)) || found;
        }
#endif
    }
    return found;
}
