// Where two segments of strands meet, or one and a particle of cloth, which is a segment that ends where it begins.
//
// CPU twin: `self_collision::distance::edge_edge`.

// Where on two segments they are closest, from 0 at the particle that each begins at to 1 at the next; 0 where there is no next.
// d1, d2: from its beginning to its end; r: from the second one's beginning to the first one's (Ericson: Real-Time Collision
// Detection, 2005, section 5.1.9).
fn closest(d1: vec3f, d2: vec3f, r: vec3f) -> vec2f {
    let a = dot(d1, d1);
    let e = dot(d2, d2);
    let c = dot(d1, r);
    let f = dot(d2, r);
    if a <= 0.0 && e <= 0.0 {
        return vec2f(0.0);
    }
    if a <= 0.0 {
        return vec2f(0.0, clamp(f / e, 0.0, 1.0));
    }
    if e <= 0.0 {
        return vec2f(clamp(-c / a, 0.0, 1.0), 0.0);
    }
    let b = dot(d1, d2);
    let denominator = a * e - b * b;
    // Parallel ones meet in the middle of the first, if that is beside the second.
    var s = 0.5;
    if denominator > 1e-4 * a * e {
        s = clamp((b * f - c * e) / denominator, 0.0, 1.0);
    }
    let t = (b * s + f) / e;
    if t < 0.0 {
        return vec2f(clamp(-c / a, 0.0, 1.0), 0.0);
    }
    if t > 1.0 {
        return vec2f(clamp((b - c) / a, 0.0, 1.0), 1.0);
    }
    return vec2f(s, t);
}

// Both ends of a particle's segment; the same twice where none begins there.
struct Ends {
    first: vec3f,
    second: vec3f,
}

fn between(a: Ends, b: Ends, at: vec2f) -> vec3f {
    return mix(a.first, a.second, at.x) - mix(b.first, b.second, at.y);
}

fn closest_of(a: Ends, b: Ends) -> vec2f {
    return closest(a.second - a.first, b.second - b.first, a.first - b.first);
}

// Where two of them meet, if they do, and the way from the other to this one there at both ends of the substep.
struct Meeting {
    at: vec2f,
    before: vec3f,
    now: vec3f,
}

// Where they are closest now, or, if they keep off each other there, where the substep began: what is through went through there.
// `later`: the other one's number is smaller, so that it goes first and both sides find the same.
fn meeting_of(later: bool, begin: Ends, other_begin: Ends, end: Ends, other_end: Ends, limit: f32) -> Meeting {
    if later {
        let same = first_to_second(other_begin, begin, other_end, end, limit);
        return Meeting(same.at.yx, -same.before, -same.now);
    }
    return first_to_second(begin, other_begin, end, other_end, limit);
}

fn first_to_second(begin: Ends, other_begin: Ends, end: Ends, other_end: Ends, limit: f32) -> Meeting {
    var at = closest_of(end, other_end);
    let now = between(end, other_end, at);
    if dot(now, now) >= limit * limit {
        at = closest_of(begin, other_begin);
    }
    return Meeting(at, between(begin, other_begin, at), between(end, other_end, at));
}

// At most as far as any place of it went in a substep.
fn way_of(begin: Ends, end: Ends) -> f32 {
    return max(length(end.first - begin.first), length(end.second - begin.second));
}
