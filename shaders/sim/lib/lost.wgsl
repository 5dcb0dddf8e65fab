// What the last place of a position loses of a way that it should go; for the next iteration.
//
// CPU twin: `lanes::lost::go`.

// Of 1 m.
const LAST_PLACE: f32 = 1.1920929e-7;

// One place in a substep is a speed that is seen from here on [m/s].
const SEEN: f32 = 0.02;

// From x to where the position went; nothing is kept where one place is a speed that is seen.
fn lost_of(way: vec3f, x: vec3f, there: vec3f) -> vec3f {
    let far = abs(there);
    let near = max(max(far.x, far.y), far.z) < SEEN * frame.h / LAST_PLACE;
    return select(vec3f(0.0), way - (there - x), near);
}
