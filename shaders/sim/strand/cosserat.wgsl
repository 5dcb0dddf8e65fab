// Vertex block descent on rods: a thread takes a strand through a substep, even particles, odd ones, even frames, odd ones. What
// descends, and from where: `sim-dylib/kernels/strands/cosserat.rs`.
//
// Hsu, Wang, Wu, Yuksel: Stable Cosserat Rods, SIGGRAPH 2025.
//
// CPU twin: `cosserat::run`, `loose::Descent::translate_loose`, `cosserat::Descent::settled`, `cosserat::toward`, `cosserat::least`.

#import <lib/clamped.wgsl>
#import <strand/stub.wgsl>
#import <strand/place.wgsl>
#import <strand/strand.wgsl>

// Steps of Newton's method on mu.
const MU_ROUNDS: u32 = 3u;

// Where inertia takes them; w: stiffness in use of the segment that starts there [N/m].
var<storage> segment_inertial: array<vec4f>;

@rows(32)
fn main(row: u32) {
    let strand = strand_of(row, inertial_place(strand_span[row][0]).xyz);
    let stub = select(0u, 1u, strand.stub);
    let free = free_end(strand);
    let fall = frame.gravity * (frame.h * frame.h);
    begin(row, strand, fall);
    for (var iteration = 0u; iteration < frame.iterations; iteration++) {
        for (var colour = 0u; colour < 2u; colour++) {
            for (var k = colour; k < strand.count; k += 2u) {
                descend(strand, k);
            }
        }
        for (var colour = 0u; colour < 2u; colour++) {
            for (var k = select(colour, 2u, colour < stub); k < free; k += 2u) {
                settle(strand, k);
            }
        }
    }
    translate_loose(strand, fall);
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let w = particle_position[i].w;
        if w > 0.0 {
            particle_position[i] = vec4f(strand.origin + segment_place[i - strand.base].xyz, w);
        }
        segment_spin[i - strand.base] = vec4f(0.0);
        let back = segment_inertial[i - strand.base].xyz - segment_place[i - strand.base].xyz;
        let share = clamp(dot(back, fall) / max(dot(fall, fall), 1e-30), 0.0, 1.0);
        segment_borne[i - strand.base] = select(0.0, share, w > 0.0);
    }
}

// Stiffness in use of a segment, for the mass of its lighter end [N/m].
fn stiffness_of(segment: u32, lighter: f32) -> f32 {
    return min(max(segment_stretch[segment], 0.0), lighter * min(frame.stiffest * frame.per_h2, SHOWN));
}

// w of a place: m / h² [N/m], 0 of what is held.
fn begin(row: u32, strand: Strand, fall: vec3f) {
    // What lies between these hangs together with the root no more; the other end of a ring does, and a tip that is held bears its
    // part. A free root is as a held one until its strand is cut, for that may lie on something.
    var cut = 0u;
    while cut < strand.count && !is_cut(row_of(strand, cut)) {
        cut++;
    }
    let root_bears = cut == strand.count || strand.borne.x < strand.count || inertial_place(particle_of(strand, 0u)).w == 0.0;
    var back = strand.count;
    let tip_bears = strand.borne.y < strand.count || inertial_place(particle_of(strand, strand.count - 1u)).w == 0.0;
    let held = select(tip_bears, root_bears, strand.segments == strand.count);
    while held && back > cut + 1u && !is_cut(row_of(strand, back - 1u)) {
        back--;
    }
    var before = vec3f(0.0);
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let segment = i - strand.base;
        let inertial = inertial_place(i);
        // What cloth or a body holds does not fall, and what is cut off does.
        let borne = inertial.w > 0.0 && !is_borne(strand.borne, k) && ((root_bears && k <= cut) || k >= back);
        segment_borne[segment] = select(0.0, segment_borne[segment], borne);
        let place = inertial.xyz - strand.origin - fall * segment_borne[segment];
        let own = mass_of(i, inertial.w);
        let mass = select(0.0, own * frame.per_h2, inertial.w > 0.0);
        segment_place[segment] = vec4f(place, mass);
        segment_inertial[segment] = vec4f(inertial.xyz - strand.origin, 0.0);
        if k > 0u {
            let last = segment - strand.step;
            let turn = segment_rotation[last];
            if k == 1u && strand.stub {
                segment_rotation[last] = stub_frame(row);
            } else if is_held(strand, k - 1u) {
                segment_rotation[last] = tip_frame(row);
            } else {
                segment_rotation[last] = onto(turn, place - before);
            }
            segment_inertial[last].w = stiffness_of(last, min(own, particle_mass[i - strand.step]));
        }
        before = place;
    }
    if strand.segments == strand.count {
        let last = row_of(strand, strand.count - 1u);
        let first = row_of(strand, 0u);
        segment_rotation[last] = onto(segment_rotation[last], segment_place[first].xyz - before);
        let lighter = min(particle_mass[first + strand.base], particle_mass[last + strand.base]);
        segment_inertial[last].w = stiffness_of(last, lighter);
    }
}

// Moves each piece between two cuts, of which nothing is held or touched a collider in the last substep, to where its centre is
// where inertia leads. What hangs pinned from a cloth goes along with its root, and gets what it started with.
fn translate_loose(strand: Strand, fall: vec3f) {
    let pinned = strand.borne.x == 0u;
    // Of a ring the first piece begins behind a cut.
    var start = 0u;
    for (var k = 0u; k < strand.count && strand.segments == strand.count; k++) {
        start = select(start, k + 1u, is_cut(row_of(strand, k)));
    }
    var first = 0u;
    var back = vec3f(0.0);
    var weight = 0.0;
    var loose = true;
    for (var n = 0u; n < strand.count; n++) {
        let k = (start + n) % strand.count;
        let segment = row_of(strand, k);
        let place = segment_place[segment];
        let not_fallen = fall * select(0.0, segment_borne[segment], pinned);
        back += (segment_inertial[segment].xyz - not_fallen - place.xyz) * place.w;
        weight += place.w;
        let holds = place.w == 0.0 || (k == strand.borne.x && !pinned);
        loose = loose && !holds && particle_predicted[particle_of(strand, k)].w <= 0.0;
        if n + 1u == strand.count || is_cut(segment) {
            for (var m = first; m <= n && loose; m++) {
                let own = row_of(strand, (start + m) % strand.count);
                segment_place[own] += vec4f(back / weight, 0.0);
            }
            first = n + 1u;
            back = vec3f(0.0);
            weight = 0.0;
            loose = true;
        }
    }
}

// k C of a segment [N]; 0 of a stub.
fn stretch_of(segment: u32, next: u32) -> vec3f {
    let way = segment_place[next].xyz - segment_place[segment].xyz;
    return (way - along(segment_rotation[segment]) * segment_rest[segment]) * segment_inertial[segment].w;
}

// A step of a particle.
fn descend(strand: Strand, k: u32) {
    let segment = row_of(strand, k);
    let place = segment_place[segment];
    if place.w == 0.0 {
        return;
    }
    let inertial = segment_inertial[segment];
    var pull = (inertial.xyz - place.xyz) * place.w;
    var block = place.w;
    if k > 0u || strand.segments == strand.count {
        let before = row_ahead_of(strand, k);
        pull -= stretch_of(before, segment);
        block += segment_inertial[before].w;
    }
    if k < strand.segments {
        pull += stretch_of(segment, row_behind(strand, k));
        block += inertial.w;
    }
    segment_place[segment] = vec4f(place.xyz + pull / block, place.w);
}

// Adds what a joint adds that wants the frame q at `wanted`.
fn toward(b: vec4f, q: vec4f, wanted: vec4f, bend: f32, twist: f32) -> vec4f {
    let error = after(conjugate(wanted), q);
    let weakest = min(bend, twist);
    let more_bend = bend - weakest;
    let more_twist = twist - weakest;
    let all = more_bend * 2.0 + more_twist;
    let v = vec3f(error.xy * (all - more_bend), error.z * (all - more_twist)) * 4.0;
    return b + after(wanted, vec4f(v, error.w * (weakest + all) * 4.0));
}

// The unit quaternion with the least -V . d3(q) - b . q; q where nothing pulls.
fn least(force: vec3f, slope_of_joints: vec4f, q: vec4f) -> vec4f {
    let twice = force * -2.0;
    let size_v = sqrt(dot(twice, twice));
    let size_b = sqrt(dot(slope_of_joints, slope_of_joints));
    let scale = 1.0 / max(size_v + size_b, 1e-30);
    let pull = size_v * scale;
    let bend = size_b * scale;
    let b = slope_of_joints * scale;
    let rolled = after(after(vec4f(twice * scale, 0.0), b), vec4f(0.0, 0.0, 1.0, 0.0));
    let shared_part = dot(b, rolled);
    var more = bend;
    for (var round = 0u; round < MU_ROUNDS; round++) {
        let mu = pull + more;
        let root = more * (pull * 2.0 + more);
        let left = root * root - (bend * bend * (mu * mu + pull * pull) + mu * shared_part * 2.0);
        let slope = (root * mu * 2.0 - (bend * bend * mu + shared_part)) * 2.0;
        more = max(more - left / max(slope, 1e-30), 0.0);
    }
    let sum = b * (pull + more) + rolled;
    if dot(sum, sum) <= 1e-30 {
        return q;
    }
    return unit_rotation(sum);
}

// Where the energy of a frame, with all else held, is least, or nearer to it.
fn settle(strand: Strand, k: u32) {
    let segment = row_of(strand, k);
    let next = row_behind(strand, k);
    let ring = strand.segments == strand.count;
    let q = segment_rotation[segment];
    let lever = segment_inertial[segment].w * segment_rest[segment];
    let force = (segment_place[next].xyz - segment_place[segment].xyz) * lever;
    var b = vec4f(0.0);
    if k > 0u || ring {
        let wanted = after(segment_rotation[row_ahead_of(strand, k)], segment_rest_turn[segment]);
        b = toward(b, q, wanted, max(segment_bend[segment], 0.0), max(segment_twist[segment], 0.0));
    }
    if k + 2u < strand.count || ring {
        let wanted = after(segment_rotation[next], conjugate(segment_rest_turn[next]));
        b = toward(b, q, wanted, max(segment_bend[next], 0.0), max(segment_twist[next], 0.0));
    }
    segment_rotation[segment] = least(force, b, q);
}
