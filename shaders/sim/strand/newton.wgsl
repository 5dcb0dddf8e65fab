// Implicit Euler of each strand for itself, by Newton's method with a direct solve: a thread takes a strand from its root to
// its tip and back. What is minimised, and the blocks: `sim-dylib/kernels/strands/newton.rs`.
//
// CPU twin: `newton::run`, `system::Solver::iterate`.

#import <strand/seat.wgsl>
#import <strand/lead.wgsl>
#import <strand/block.wgsl>
#import <strand/joint.wgsl>
#import <strand/way.wgsl>
#ifdef colliders
#import <strand/touch.wgsl>
#endif

// Iterations beyond those that were asked for, as long as a strand meets something new.
const MORE: u32 = 4u;

@rows(32)
fn main(row: u32) {
    let span = strand_span[row];
    let base = first_segment();
    lead(span, base);
    let strand = Strand(span[0], span[1], span[2], base, is_stub(span[0] - base), particle_position[span[0]].xyz);
    begin(strand, row);
#ifdef colliders
    forget_planes(strand);
    find(strand);
    let most = frame.strand_iterations + MORE;
    for (var iteration = 1u; iteration <= most; iteration++) {
        iterate(strand);
        // Nothing new: as many as were asked for, and one for what was met in the first.
        if iteration < most && !find(strand) && iteration > frame.strand_iterations {
            break;
        }
    }
    push_bodies(strand);
#else
    for (var iteration = 0u; iteration < frame.strand_iterations; iteration++) {
        iterate(strand);
    }
#endif
    end(strand);
}

// Places from the root's, and frames that are carried along their segments.
fn begin(strand: Strand, row: u32) {
    var before = vec3f(0.0);
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let place = particle_position[i].xyz - strand.origin;
        segment_place[i - strand.base] = vec4f(place, 0.0);
        if k == 1u && strand.stub {
            segment_rotation[strand.first - strand.base] = stub_frame(row);
        } else if k > 0u {
            let segment = i - strand.step - strand.base;
            segment_rotation[segment] = onto(segment_rotation[segment], place - before);
        }
        before = place;
    }
}

fn stub_frame(row: u32) -> vec4f {
    let own = strand_root_rotation[row];
#ifdef colliders
    if has_seat(row) {
        return after(pose_after(strand_seat[row], frame.span).turn, own);
    }
#endif
    return own;
}

fn end(strand: Strand) {
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let w = particle_position[i].w;
        if w > 0.0 {
            particle_position[i] = vec4f(strand.origin + segment_place[i - strand.base].xyz, w);
        }
    }
}

// Where inertia took a particle, from the root's place; one that is held is where it is.
fn inertial_place(strand: Strand, i: u32) -> vec3f {
    if particle_position[i].w > 0.0 {
        return particle_inertial[i].xyz - strand.origin;
    }
    return segment_place[i - strand.base].xyz;
}

fn iterate(strand: Strand) {
    let last = strand.count - 1u;
    // What the node before leaves: of its segment k on the place, of its joint a block on the turn.
    var carry_k = 0.0;
    var carry_ww = mat3x3f();
    var carry_rx = vec3f(0.0);
    var carry_rw = vec3f(0.0);
    var before: Factored;
    var place = segment_place[strand.first - strand.base].xyz;
    var turn = segment_rotation[strand.first - strand.base];
    var mass = particle_mass[strand.first] * frame.per_h2;
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let segment = i - strand.base;
        var node = Node(ONE * (mass + carry_k), mat3x3f(), carry_ww, carry_rx, carry_rw);
        var coupling = Coupling(mat3x3f(), mat3x3f(), mat3x3f());
        node.rx += (inertial_place(strand, i) - place) * mass;
#ifdef colliders
        node = touched(node, strand, i, place, mass);
#endif
        carry_k = 0.0;
        carry_ww = mat3x3f();
        carry_rx = vec3f(0.0);
        carry_rw = vec3f(0.0);
        var next_place = place;
        var next_turn = vec4f(0.0, 0.0, 0.0, 1.0);
        var next_mass = mass;
        if k < last {
            let next = segment + strand.step;
            next_place = segment_place[next].xyz;
            next_mass = particle_mass[i + strand.step] * frame.per_h2;
            if k + 1u < last {
                next_turn = segment_rotation[next];
                let stiffness = vec3f(segment_bend[next], segment_bend[next], segment_twist[next]);
                let joint = joint_of(turn, next_turn, segment_rest_turn[next], stiffness);
                node.rw += joint.torque_before;
                carry_rw = joint.torque_behind;
                let stiff = transpose(mat3x3f(
                    joint.before[0] * stiffness.x, joint.before[1] * stiffness.y, joint.before[2] * stiffness.z,
                ));
                node.ww += joint.before * stiff;
                coupling.ww = joint.behind * stiff;
                carry_ww = joint.behind * transpose(mat3x3f(
                    joint.behind[0] * stiffness.x, joint.behind[1] * stiffness.y, joint.behind[2] * stiffness.z,
                ));
            }
            if !(strand.stub && k == 0u) {
                let rest = segment_rest[segment];
                let stiffness = min(segment_stretch[segment], min(mass, next_mass) * frame.stiffest);
                let d1 = rotate(turn, vec3f(1.0, 0.0, 0.0));
                let d2 = rotate(turn, vec3f(0.0, 1.0, 0.0));
                let d3 = along(turn);
                let force = (next_place - place - d3 * rest) * stiffness;
                node.rx += force;
                carry_rx = -force;
                node.rw += vec3f(-dot(force, d2) * rest, dot(force, d1) * rest, 0.0);
                node.xx += ONE * stiffness;
                carry_k = stiffness;
                coupling.xx = ONE * -stiffness;
                let lever = stiffness * rest;
                coupling.xw = mat3x3f(d2 * lever, d1 * -lever, vec3f(0.0));
                node.wx = transpose(coupling.xw) * -1.0;
                let across = (lever + max(dot(force, d3), 0.0)) * rest;
                node.ww[0].x += across;
                node.ww[1].y += across;
            }
            if !strand.stub {
                // Nothing else holds a strand that is not clamped against turning about itself.
                node.ww[2].z += segment_twist[strand.first + strand.step - strand.base] * 1e-5;
            }
        }
        if particle_position[i].w == 0.0 {
            node.xx = ONE;
            node.wx = mat3x3f();
            node.rx = vec3f(0.0);
            coupling.xx = mat3x3f();
            before.w.xx = mat3x3f();
            before.w.xw = mat3x3f();
        }
        if k == last || (strand.stub && k == 0u) {
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
        keep_way(segment, before.back);
        place = next_place;
        turn = next_turn;
        mass = next_mass;
    }
    var step = vec3f(0.0);
    var spin = vec3f(0.0);
    var widest = 1.0;
    for (var back = 0u; back < strand.count; back++) {
        let segment = particle_of(strand, last - back) - strand.base;
        let way = way_at(segment);
        let to = way.yx - way.xx * step - way.xw * spin;
        spin = way.yw - way.wx * step - way.ww * spin;
        step = to;
        keep_step(segment, step, spin);
        widest = max(widest, max(abs(spin.x), abs(spin.y)));
    }
    // Turns of more than a radian are out of reach of the quadratic model. Twist moves no place.
    let scale = 1.0 / widest;
    for (var k = 0u; k < strand.count; k++) {
        let segment = particle_of(strand, k) - strand.base;
        let all = step_at(segment);
        segment_place[segment] += vec4f(all.step * scale, 0.0);
        if k < last {
            let angle = vec3f(all.turn.xy * scale, clamp(all.turn.z, -1.0, 1.0));
            segment_rotation[segment] = turned_within(segment_rotation[segment], angle);
        }
    }
}
