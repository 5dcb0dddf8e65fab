// XPBD on rods: a thread takes a strand through a substep, even segments, odd ones, even joints, odd ones. The constraints, and
// why frames have inertia: `sim-dylib/kernels/strands/compliant.rs`.
//
// CPU twin: `compliant::run`, `compliant::Sweeps::segment`, `compliant::Sweeps::joint`.

#import <strand/stub.wgsl>
#import <strand/joint.wgsl>
#import <strand/place.wgsl>
#import <strand/strand.wgsl>

// Frames at the start of the substep.
var<storage> segment_before: array<vec4f>;
// Multipliers of the joints before segments [N m s2].
var<storage> segment_turns: array<vec4f>;

@rows(32)
fn main(row: u32) {
    let strand = strand_of(row, inertial_place(strand_span[row][0]).xyz);
    let stub = select(0u, 1u, strand.stub);
    // Of a ring there is one before the first segment too.
    let joint = select(2u, 0u, strand.segments == strand.count);
    begin(row, strand);
    let free = free_end(strand);
    for (var k = stub; k < free; k++) {
        catch_up(row_of(strand, k), row_behind(strand, k));
    }
    for (var iteration = 0u; iteration < frame.iterations; iteration++) {
#ifdef colliders
        hold(strand);
#endif
        for (var colour = 0u; colour < 2u; colour++) {
            for (var k = select(colour, 2u, colour < stub); k < free; k += 2u) {
                project_segment(row_of(strand, k), row_behind(strand, k));
            }
        }
        for (var colour = 0u; colour < 2u; colour++) {
            for (var k = select(joint, 1u, colour == 1u); k < strand.segments; k += 2u) {
                project_joint(row_ahead_of(strand, k), row_of(strand, k));
            }
        }
    }
    end(strand);
}

// Where inertia takes particles and frames. w of a place: inverse mass [1/kg].
fn begin(row: u32, strand: Strand) {
    let keep = 1.0 / (1.0 + frame.h * frame.air_damping);
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let segment = i - strand.base;
        let inertial = inertial_place(i);
        segment_place[segment] = vec4f(inertial.xyz - strand.origin, inertial.w);
        segment_turns[segment] = vec4f(0.0);
        segment_pulls[segment] = vec4f(0.0);
#ifdef colliders
        // What sweeps over cloth took back from strands is not looked at.
        particle_plane_depth[i].x = 0.0;
#endif
        if k == strand.segments {
            break;
        }
        if is_held(strand, k) {
            var turn = stub_frame(row);
            if k > 0u {
                turn = tip_frame(row);
            }
            segment_before[segment] = turn;
            segment_rotation[segment] = turn;
            continue;
        }
        let turn = segment_rotation[segment];
        segment_before[segment] = turn;
        segment_rotation[segment] = turned(turn, segment_spin[segment].xyz * (frame.h * keep));
        // The particle at the root has half a segment's mass, that at the tip what hangs on it besides.
        let own = particle_mass[i];
        let next = particle_mass[row_behind(strand, k) + strand.base];
        let mass = select(max(own, next), own, k + 1u == strand.segments && strand.segments < strand.count);
        let rest = segment_rest[segment];
        segment_pulls[segment] = vec4f(0.0, 0.0, 0.0, 12.0 / (mass * rest * rest));
    }
}

// A frame that its segment leaves behind by more than 60 degrees goes along with it by the least turn.
fn catch_up(segment: u32, next: u32) {
    let edge = segment_place[next].xyz - segment_place[segment].xyz;
    let turn = segment_rotation[segment];
    if dot(along(turn), edge) - sqrt(dot(edge, edge)) * 0.5 <= 0.0 {
        segment_rotation[segment] = onto(turn, edge);
    }
}

#ifdef colliders
// Before each iteration: particles come back in front of their planes.
fn hold(strand: Strand) {
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        if particle_plane_depth[i].y < 0.0 {
            continue;
        }
        let plane = particle_plane[i];
        let place = segment_place[i - strand.base];
        let behind = plane.w - dot(plane.xyz, strand.origin) - dot(plane.xyz, place.xyz);
        if behind > 0.0 {
            segment_place[i - strand.base] = vec4f(place.xyz + plane.xyz * behind, place.w);
            particle_plane_depth[i].x += behind;
        }
    }
}
#endif

// h² / stiffness of a constraint; what is cut is as soft as a number can say.
fn softness_of(stiffness: f32) -> f32 {
    return min(frame.per_h2 / max(stiffness, 1e-30), 1e30);
}

fn project_segment(segment: u32, next: u32) {
    let a = segment_place[segment];
    let b = segment_place[next];
    let turn = segment_rotation[segment];
    let pulls = segment_pulls[segment];
    let rest = segment_rest[segment];
    let softness = softness_of(segment_stretch[segment]);
    let d3 = along(turn);
    let error = b.xyz - a.xyz - d3 * rest + pulls.xyz * softness;
    let both = a.w + b.w + softness;
    let stretch = d3 * dot(error, d3);
    let g = stretch / both + (error - stretch) / (both + rest * rest * pulls.w);
    segment_pulls[segment] = vec4f(pulls.xyz - g, pulls.w);
    segment_place[segment] = vec4f(a.xyz + g * a.w, a.w);
    segment_place[next] = vec4f(b.xyz - g * b.w, b.w);
    segment_rotation[segment] = turned(turn, cross(d3, g) * (rest * pulls.w));
}

// The joint between two segments.
fn project_joint(first: u32, segment: u32) {
    let before = segment_rotation[first];
    let behind = segment_rotation[segment];
    let rest = segment_rest_turn[segment];
    let inverse_before = segment_pulls[first].w;
    let inverse_behind = segment_pulls[segment].w;
    let lambda = segment_turns[segment].xyz;
    let bend = softness_of(segment_bend[segment]);
    let softness = vec3f(bend, bend, softness_of(segment_twist[segment]));
    let error = joint_error(before, behind, rest).xyz * 2.0;
    let change = -(error + softness * lambda) / (softness + (inverse_before + inverse_behind));
    segment_turns[segment] = vec4f(lambda + change, 0.0);
    let turn = rotate(after(before, rest), change);
    segment_rotation[first] = turned(before, turn * -inverse_before);
    segment_rotation[segment] = turned(behind, turn * inverse_behind);
}

fn end(strand: Strand) {
    for (var k = 0u; k < strand.count; k++) {
        let i = particle_of(strand, k);
        let segment = i - strand.base;
        let place = segment_place[segment];
        if place.w > 0.0 {
            particle_position[i] = vec4f(strand.origin + place.xyz, place.w);
        }
        if k == strand.segments {
            break;
        }
        let turn = segment_rotation[segment];
        let change = after(turn, conjugate(segment_before[segment]));
        let spin = change.xyz * select(2.0 / frame.h, -2.0 / frame.h, change.w < 0.0);
        segment_spin[segment] = vec4f(select(spin, vec3f(0.0), is_held(strand, k)), 0.0);
    }
}
