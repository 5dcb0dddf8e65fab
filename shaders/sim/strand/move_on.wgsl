// Where an iteration takes the nodes of a strand.
//
// CPU twin: `system::Solver::iterate`.

#import <strand/element.wgsl>
#import <strand/way.wgsl>
#ifdef colliders
#import <strand/touch.wgsl>
#endif

// What an iteration is told.
struct Now {
    // Number of the first segment that is cut, or of the particles.
    cut: u32,
    // It is the first of a substep.
    fresh: bool,
    share: f32,
}

// Turns of more than a radian are out of reach of the quadratic model. Twist moves no place. Surfaces are looked for on the way, where
// the place is at hand. Returns whether any was found.
fn move_on(strand: Strand, half: Half, now: Now, widest: f32, look: bool) -> bool {
    let scale = now.share / max(widest, 1.0);
    var found = false;
#ifdef colliders
    // Segments of a strand are as long as each other, but for the stub.
    let shallow = SHALLOW * segment_rest[row_of(strand, 1u)];
#endif
    for (var k = half.first; k < half.end; k++) {
        let i = particle_of(strand, k);
        let segment = i - strand.base;
        let by = step_at(segment);
        let before = segment_place[segment];
#ifdef colliders
        let mass = mass_of(i, before.w) * frame.per_h2;
        keep_rub(strand, i, before.xyz, by.step, mass, now.share, now.fresh);
#endif
        let place = before + vec4f(by.step * scale, 0.0);
        segment_place[segment] = place;
        if k < strand.segments {
            let angle = vec3f(by.turn.xy * scale, clamp(by.turn.z, -1.0, 1.0));
            segment_rotation[segment] = turned_within(segment_rotation[segment], angle);
        }
#ifdef colliders
        if look {
            found = meets(i, vec4f(strand.origin + place.xyz, place.w), shallow) || found;
        }
#endif
    }
    return found;
}
