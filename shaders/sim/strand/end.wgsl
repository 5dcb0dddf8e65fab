// Ends of strands that cloth or a body with a mass holds, and what hangs at them.
//
// CPU twin: `groups::hanging`.

// Which numbers behind an end hang together with it: those before `end`, and of a ring that is cut those from `back` on.
struct Hanging {
    end: u32,
    back: u32,
}

fn hanging(span: array<u32, 3>, root: u32) -> Hanging {
    var end = root;
    while end < span[2] && !is_cut(span[0] + span[1] * end - first_segment()) {
        end++;
    }
    end = min(end + 1u, span[2]);
    var back = span[2];
    if is_ring(span) {
        while back > end && !is_cut(span[0] + span[1] * (back - 1u) - first_segment()) {
            back--;
        }
    }
    return Hanging(end, back);
}

// What a solve moved a particle by.
fn moved(i: u32) -> vec3f {
    return particle_position[i].xyz - particle_inertial[i].xyz;
}

fn put_particle(i: u32, x: vec4f) {
    particle_position[i] = x;
    particle_inertial[i] = x;
}

// w: its inverse mass. What has one for the length of a solve meets nothing in it, which w of its velocity says: how heavy it is along the
// strand, as a share of how heavy it is across.
fn put_end(i: u32, x: vec4f, begin: vec3f) {
    put_particle(i, x);
    particle_velocity[i] = vec4f((x.xyz - begin) * frame.per_h, select(0.0, 1.0, x.w > 0.0));
}
