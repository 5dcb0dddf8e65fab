// What two particles keep from each other in a substep, or two places on segments: n . (x - y) >= keep.
//
// The way of one as the other sees it is followed from where the substep began: the first place at `limit` gives n, so
// what would pass through comes back to the side it came from. Who began closer is pushed apart little by little.
//
// CPU twin: `self_collision::detect::detect`.

// Share of its distance by which a pair that is too close is pushed apart in a substep.
const PUSH: f32 = 0.1;

// n, and in w what to keep [m]; 0: nothing. before, now: from the other one to this one at both ends of the substep [m].
fn bound_of(before: vec3f, now: vec3f, limit: f32) -> vec4f {
    let start = sqrt(dot(before, before));
    let way = now - before;
    let far = dot(now, now) >= limit * limit;
    let passes = dot(way, way) > limit * limit;
    // Shorter ways lead to no other side.
    if start <= 0.0 || far && !passes {
        return vec4f(0.0);
    }
    if start <= limit {
        return vec4f(before / start, min(limit, start + PUSH * limit));
    }
    let a = dot(way, way);
    let b = dot(before, way);
    let free = b * b - a * (start * start - limit * limit);
    if b >= 0.0 || free < 0.0 {
        return vec4f(0.0);
    }
    let share = (-b - sqrt(free)) / a;
    if share > 1.0 {
        return vec4f(0.0);
    }
    return vec4f((before + way * share) / limit, limit);
}
