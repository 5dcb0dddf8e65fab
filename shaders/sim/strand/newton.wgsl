// Implicit Euler of each strand for itself, by Newton's method with a direct solve: two threads take a strand from its root and from
// its tip to a node in the middle, and back. What is minimised, and the blocks: `sim-dylib/kernels/strands/newton.rs`, where one
// thread takes all of it.
// A thread alone waits for its own last result most of the time: halves of strands are taken out at once (a factorization from both
// ends, or twisted; van der Vorst, 1987). From the tip, turns of a node come before its places: then a block has its zeros
// where they are from the root.
// CPU twin: `newton::run`, `system::Solver::iterate`.

#import <strand/stub.wgsl>
#import <strand/lead.wgsl>
#import <strand/element.wgsl>
#import <strand/way.wgsl>
#ifdef bodies
#import <strand/weigh.wgsl>
#endif
#import <strand/move_on.wgsl>
#ifdef rings
#import <strand/ring.wgsl>
#endif

// Iterations beyond those that were asked for, as long as a strand turns far, meets something new or has not come to rest behind it.
const MORE: u32 = 24u;
// Turn of a segment in an iteration [rad] after which a strand is not there yet: what the quadratic model leaves of lengths is half of
// its square. It is asked from the last iteration that was asked for on.
const WIDE: f32 = 0.1;
// Change of the square of a segment's length in an iteration, by itself, that is as much.
const LONGER: f32 = 0.006;
// So many more go the whole step; what is not there then swings about the minimum, and goes this part of it.
const WHOLE: u32 = 3u;
const PART: f32 = 0.5;

// The nodes that a thread takes.
struct Half {
    // Number of the strand in its workgroup.
    slot: u32,
    // From the tip.
    mirrored: bool,
    // The node where both threads of a strand meet: the last of a ring, which one thread takes alone.
    middle: u32,
    // How many nodes it takes out, up to the middle.
    count: u32,
    // Its nodes: the first and the one behind them.
    first: u32,
    end: u32,
}

// What the threads from the tips leave for the nodes in the middle.
var<workgroup> handed: array<Node, THREADS>;
// What both threads of each strand tell each other.
var<workgroup> told: array<u32, 2u * THREADS>;

@rows(32, 2)
fn main(row: u32, lane: u32) {
    begin_to_keep();
    // Barriers are for all threads, also for those behind the last strand.
    let own = min(row, frame.end - 1u);
    let span = strand_span[own];
    var working = row < frame.end;
    if working && lane == 0u {
        lead(own, span, first_segment());
    }
    storageBarrier();
    let strand = strand_of(own, particle_position[span[0]].xyz);
    let half = half_of(strand, row % THREADS, lane == 1u);
    var cut = strand.count;
    if working {
        cut = begin(strand, half, own);
    }
    storageBarrier();
    // The first of both.
    cut = strand.count - larger(half, strand.count - cut);
    let most = frame.strand_iterations + MORE;
    for (var iteration = 1u; iteration <= most; iteration++) {
        let share = select(1.0, PART, iteration > frame.strand_iterations + WHOLE);
        let done = iterate(strand, half, Now(cut, iteration == 1u, share), working, iteration < most);
#ifdef colliders
        // A single iteration is no solve where surfaces are met.
        let asked = max(frame.strand_iterations, 2u);
#else
        let asked = frame.strand_iterations;
#endif
        working = working && (iteration < asked || done.found || done.widest > WIDE);
        if iteration >= frame.strand_iterations && !any_works(half, working) {
            break;
        }
    }
    if row < frame.end {
#ifdef colliders
        tell_contact(strand, half.first, half.end);
#endif
        end(strand, half);
    }
}

fn half_of(strand: Strand, slot: u32, mirrored: bool) -> Half {
    let last = strand.count - 1u;
    let middle = select(last / 2u, last, strand.segments == strand.count);
    if mirrored {
        return Half(slot, true, middle, last - middle, middle + 1u, strand.count);
    }
    return Half(slot, false, middle, middle, 0u, middle + 1u);
}

// All threads of the workgroup call it, and those that call it.
fn tell(half: Half, own: u32) {
    workgroupBarrier();
    told[2u * half.slot + select(0u, 1u, half.mirrored)] = own;
    workgroupBarrier();
}

// The larger of what both threads of a strand have.
fn larger(half: Half, own: u32) -> u32 {
    tell(half, own);
    return max(told[2u * half.slot], told[2u * half.slot + 1u]);
}

var<workgroup> works: u32;

// Whether a strand of the workgroup still works.
fn any_works(half: Half, own: bool) -> bool {
    tell(half, select(0u, 1u, own));
    if half.slot == 0u && !half.mirrored {
        works = 0u;
        for (var thread = 0u; thread < 2u * THREADS; thread++) {
            works |= told[thread];
        }
    }
    return workgroupUniformLoad(&works) != 0u;
}

// Places from the root's, with inverse masses, frames that are carried along their segments, and the surfaces that particles are about
// to meet. Returns the number of the first segment that is cut, or of the particles if none is.
fn begin(strand: Strand, half: Half, row: u32) -> u32 {
    var cut = strand.count;
    var before = particle_position[particle_of(strand, max(half.first, 1u) - 1u)].xyz - strand.origin;
    for (var k = half.first; k < half.end; k++) {
        let i = particle_of(strand, k);
        let here = particle_position[i];
        let place = here.xyz - strand.origin;
        segment_place[i - strand.base] = vec4f(place, here.w);
        if k + 1u < strand.count && is_cut(i - strand.base) {
            cut = min(cut, k);
        }
#ifdef colliders
        forget_plane(i);
        meets(i, here, 0.0);
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
    if strand.segments == strand.count && !half.mirrored {
        let last = row_of(strand, strand.count - 1u);
        segment_rotation[last] = onto(segment_rotation[last], segment_place[row_of(strand, 0u)].xyz - before);
    }
    return cut;
}

fn end(strand: Strand, half: Half) {
    for (var k = half.first; k < half.end; k++) {
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

// What an iteration did.
struct Done {
    // A particle that had no surface is about to meet one, or is well behind one, if that is looked for.
    found: bool,
    // The widest turn across a segment [rad], before it was made less, or what is as wide.
    widest: f32,
}

// An iteration of the strands that still work. All threads of the workgroup call it.
fn iterate(strand: Strand, half: Half, now: Now, working: bool, look: bool) -> Done {
    var left: Node;
    if working {
        left = take_out(strand, half, now);
        if half.mirrored {
            handed[half.slot] = left;
        }
    }
    workgroupBarrier();
    if working && !half.mirrored {
        solve_middle(strand, half, now, sum(left, handed[half.slot]));
    }
    storageBarrier();
    var widest = 0.0;
    if working {
        widest = back(strand, half);
    }
    widest = bitcast<f32>(larger(half, bitcast<u32>(widest)));
    var found = false;
    if working {
        found = move_on(strand, half, now, widest, look);
    }
    storageBarrier();
    return Done(larger(half, select(0u, 1u, found)) != 0u, widest);
}

// What a node has of itself: its mass, and the surface that it is behind.
fn alone(strand: Strand, k: u32, own: Given, now: Now) -> Node {
    var node = Node(ONE * own.mass, mat3x3f(), mat3x3f(), (own.inertial - own.place) * own.mass, vec3f(0.0));
#ifdef bodies
    node = weighed(node, strand, k, own);
#endif
#ifdef colliders
    node = touched(node, strand, particle_of(strand, k), own.place, own.mass, now.fresh);
#endif
    // Nothing else holds a strand that is not clamped, or what is behind a cut, against turning about itself.
    if k + 1u < strand.count && (!strand.stub || k > now.cut) {
        node.ww[2].z = abs(segment_twist[row_of(strand, 1u)]) * 1e-5;
    }
    return node;
}

fn with_share(node: Node, share: Share) -> Node {
    let xx = node.xx + ONE * share.k;
    return Node(xx, node.wx + share.wx, node.ww + share.ww, node.rx + share.rx, node.rw + share.rw);
}

// A node whose place or whose frame is held does not move or turn.
fn held_back(strand: Strand, k: u32, free: bool, node: Node) -> Node {
    var out = node;
    if !free {
        out.xx = ONE;
        out.wx = mat3x3f();
        out.rx = vec3f(0.0);
    }
    if k == strand.segments || is_held(strand, k) {
        out.ww = ONE;
        out.wx = mat3x3f();
        out.rw = vec3f(0.0);
    }
    return out;
}

// Takes out the nodes of a half up to the middle. Returns what they leave for that.
fn take_out(strand: Strand, half: Half, now: Now) -> Node {
    let last = strand.count - 1u;
    var carry: Share;
    var before: Factored;
#ifdef rings
    var end_node: Node;
    var across: Across;
    let ring = strand.segments == strand.count;
    if ring && !half.mirrored {
        let closed = element_of(strand, last, given(strand, last), given(strand, 0u));
        carry = closed.far;
        end_node = with_share(end_node, closed.near);
        across = closing(closed.coupling);
    }
#endif
    for (var n = 0u; n < half.count; n++) {
        let k = select(n, last - n, half.mirrored);
        let at = select(k, k - 1u, half.mirrored);
        let near = given(strand, at);
        let far = given(strand, at + 1u);
        let element = element_of(strand, at, near, far);
        var node: Node;
        var coupling = element.coupling;
        if half.mirrored {
            node = with_share(with_share(alone(strand, k, far, now), carry), element.far);
            node = mirrored(held_back(strand, k, far.free, node));
            coupling = mirrored_coupling(coupling);
            carry = element.near;
        } else {
            node = with_share(with_share(alone(strand, k, near, now), carry), element.near);
            node = held_back(strand, k, near.free, node);
            carry = element.far;
        }
#ifdef rings
        if ring && k + 1u == last {
            across.xx += coupling.xx;
            across.xw += coupling.xw;
            across.ww += coupling.ww;
            coupling = Coupling(mat3x3f(), mat3x3f(), mat3x3f());
        }
        if !near.free {
            across.xx = mat3x3f();
            across.wx = mat3x3f();
        }
#endif
        if n > 0u {
            node = eliminated(node, before);
        }
        before = factored(node, coupling);
        let row = row_of(strand, k);
#ifdef rings
        if ring {
            let crossing = crossed(end_node, across, before);
            end_node = crossing.last;
            across = crossing.next;
            keep_across(row, crossing.back);
        }
#endif
        keep_way(row, before.back);
    }
    var left: Node;
    left = with_share(left, carry);
#ifdef rings
    left = sum(left, end_node);
#endif
    if half.mirrored {
        return mirrored(eliminated(mirrored(left), before));
    }
    return eliminated(left, before);
}

// The step of the node in the middle. left: what both halves leave for it.
fn solve_middle(strand: Strand, half: Half, now: Now, left: Node) {
    let k = half.middle;
    let own = given(strand, k);
    let step = solved(held_back(strand, k, own.free, sum(alone(strand, k, own, now), left)));
    keep_step(row_of(strand, k), step);
}

// From the middle to the end. Returns the widest turn across a segment [rad], or what is as wide to one that became longer or shorter.
fn back(strand: Strand, half: Half) -> f32 {
    let last = strand.count - 1u;
    let met = step_at(row_of(strand, half.middle));
    var step = met;
    var widest = max(abs(met.turn.x), abs(met.turn.y));
    var place = segment_place[row_of(strand, half.middle)].xyz;
    var longer = 0.0;
    for (var n = half.count; n > 0u; n--) {
        let row = row_of(strand, select(n - 1u, last + 1u - n, half.mirrored));
        let way = way_at(row);
        let next = step.step;
        if half.mirrored {
            step = mirrored_step(way_back(way, mirrored_step(step)));
        } else {
            step = way_back(way, step);
        }
#ifdef rings
        if strand.segments == strand.count {
            let less = with_the_last(row, met);
            step = Step(step.step - less.step, step.turn - less.turn);
        }
#endif
        keep_step(row, step);
        widest = max(widest, max(abs(step.turn.x), abs(step.turn.y)));
        let own = segment_place[row].xyz;
        let edge = place - own;
        let after = edge + (next - step.step);
        let before = dot(edge, edge);
        longer = max(longer, abs(dot(after, after) - before) / max(before, 1e-20));
        place = own;
    }
    return max(widest, min(longer * (WIDE / LONGER), 1.0));
}
