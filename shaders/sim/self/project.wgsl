// Self collision 8: what each particle's pairs move it by, averaged, so that both sides move by opposite impulses.
//
// What a pair came closer in this substep is an impulse, with Coulomb friction along the sheets (Macklin et al.:
// Unified Particle Physics, 2014, eq. 24 and section 4.2 for the average); what it was too close already is a push that
// adds no speed. Where segments meet, each end gets its part of it.
//
// CPU twin: `self_collision::project::project`.

#import <self/pair.wgsl>
#import <self/segment.wgsl>

// Speed apart that the push may add [m/s].
const REST: f32 = 0.2;

// Sums for a particle.
struct Moved {
    change: vec3f,
    push: vec3f,
}

@rows(128)
fn main(i: u32) {
    var moved = Moved(vec3f(0.0), vec3f(0.0));
    if particle_position[i].w > 0.0 {
        moved = add_pairs_of(i, i, moved);
#ifdef strand
        let behind = layer_beside[i].y;
        if behind != i {
            moved = add_pairs_of(behind, i, moved);
        }
#endif
    }
    layer_position_at_narrow_phase[i] = vec4f(moved.change, 0.0);
    layer_position_at_broad_phase[i] = vec4f(moved.push, 0.0);
}

#ifdef strand
// How many pairs move an end of the segment that begins at i: those of the segments beside it as well.
fn crowd_of(i: u32) -> u32 {
    let beside = layer_beside[i];
    let own = layer_part_size[i];
    let behind = select(layer_part_size[beside.y], 0u, beside.y == i);
    let ahead = select(layer_part_size[beside.x], 0u, beside.x == i);
    return own + max(behind, ahead);
}
#else
fn crowd_of(i: u32) -> u32 {
    return layer_part_size[i];
}
#endif

// What the pairs of particle `first`, or of the segment that begins there, do to i, which is one of its ends.
fn add_pairs_of(first: u32, i: u32, sums: Moved) -> Moved {
    var moved = sums;
    let all = arrayLength(&layer_part);
    let x = particle_position[first];
    let begin = layer_last_valid[first].xyz;
    let hold = layer_friction_static[first];
    let slide = layer_friction_dynamic[first];
    let own = crowd_of(first);
#ifdef strand
    let second = layer_beside[first].x;
    let y = particle_position[second];
    let own_end = Ends(x.xyz, y.xyz);
    let own_begin = Ends(begin, layer_last_valid[second].xyz);
#endif
    let listed = layer_part[first];
    for (var slot = 0u; slot < listed; slot++) {
        let j = near_other[slot * all + first];
        let other = particle_position[j];
        let limit = near_limit[slot * all + first];
        var before = begin - layer_last_valid[j].xyz;
        var now = x.xyz - other.xyz;
        // What i moves by for a unit between the two, and that of all ends: the same for both sides.
        var follows = x.w;
        var sum = x.w + other.w;
#ifdef strand
        let next = layer_beside[j].x;
        if next != j || second != first {
            let z = particle_position[next];
            let end_of_other = Ends(other.xyz, z.xyz);
            let begin_of_other = Ends(layer_last_valid[j].xyz, layer_last_valid[next].xyz);
            let meeting = meeting_of(j < first, own_begin, begin_of_other, own_end, end_of_other, limit);
            before = meeting.before;
            now = meeting.now;
            let parts = vec4f(1.0 - meeting.at.x, meeting.at.x, 1.0 - meeting.at.y, meeting.at.y);
            follows = select(parts.y * y.w, parts.x * x.w, i == first);
            sum = dot(parts * parts, vec4f(x.w, y.w, other.w, z.w));
        }
#endif
        let bound = bound_of(before, now, limit);
        let depth = bound.w - dot(bound.xyz, now);
        if bound.w <= 0.0 || depth <= 0.0 || sum <= 0.0 {
            continue;
        }
        let way = now - before;
        let along = dot(bound.xyz, way);
        let impulse = min(depth, max(REST * frame.h - along, 0.0));
        let slip = way - bound.xyz * along;
        let length = sqrt(dot(slip, slip));
        var taken = 1.0;
        if length > 0.5 * (hold + layer_friction_static[j]) * impulse {
            taken = min(0.5 * (slide + layer_friction_dynamic[j]) * impulse / length, 1.0);
        }
        let share = follows / (sum * f32(max(max(own, crowd_of(j)), 1u)));
        moved.change += (bound.xyz * depth - slip * taken) * share;
        moved.push += bound.xyz * ((depth - impulse) * share);
    }
    return moved;
}
