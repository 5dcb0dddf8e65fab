// After a solve: minus all that it gave to the strand, mass times way [kg m], and its moment about the body's centre; where something else
// took part, what the end itself was moved by, times its mass.
//
// CPU twin: `mounts::gather`.

#import <strand/mount_end.wgsl>

fn touches(i: u32) -> bool {
#ifdef planes
    return particle_plane_depth[i].y >= 0.0;
#else
    return false;
#endif
}

// What a solve gave to an end, by how far that went, and by its mass along the strand and across it.
fn given_to(i: u32, beside: u32) -> vec3f {
    let along = direction_of(particle_inertial[beside].xyz - particle_inertial[i].xyz);
    let by = moved(i);
    let more = max(particle_velocity[i].w, 1.0) - 1.0;
    return (by + along * (more * dot(along, by))) / particle_position[i].w;
}

@rows(64)
fn main(row: u32) {
    let strand = strand_of_end(row);
    let is_tip = is_tip_end(row);
    let span = strand_span[strand];
    let number = end_number(row);
    let own = end_particle(row);
    let center = pose_row[POSE_ROWS * mount_body[row] + 2u].xyz;
    var sum = vec3f(0.0);
    var moment = vec3f(0.0);
    // The number of its other end, if a body or cloth holds that.
    let ends = strand_borne[strand];
    let other = select(ends.y, ends.x, is_tip);
    let both = other < span[2];
    var elsewhere = !both && (is_tip || strand_tip[strand] != 0xffffffffu);
    let first = select(number, min(number, other), both);
    let hangs = hanging(span, first);
    for (var k = first + 1u; k < span[2] && !elsewhere; k++) {
        if (k >= hangs.end && k < hangs.back) || (both && (k == number || k == other)) {
            continue;
        }
        let i = span[0] + span[1] * k;
        // What holds a particle gives to the strand as well.
        elsewhere = particle_position[i].w == 0.0 || touches(i);
        let lost = moved(i) * -particle_mass[i];
        sum += lost;
        moment += cross(particle_position[i].xyz - center, lost);
    }
    // That end may be on cloth that is pinned, and the strand may be cut.
    let there = span[0] + span[1] * min(other, span[2] - 1u);
    let w = particle_position[there].w;
    elsewhere = elsewhere || (both && (hangs.end != span[2] || w == 0.0));
    let x = particle_position[own];
    if elsewhere || both {
        let by_itself = given_to(own, next_particle(row));
        // Of two ends it is known what they get together; each bears of what is left over as it is heavy.
        let beside = min(select(max(other, 1u) - 1u, other + 1u, is_tip), span[2] - 1u);
        let left = select(sum - by_itself - given_to(there, span[0] + span[1] * beside), vec3f(0.0), elsewhere);
        sum = by_itself + left * (w / (x.w + w));
        moment = cross(x.xyz - center, sum);
    }
    // Of what is held nothing is told.
    mount_pull[row] = vec4f(select(vec3f(0.0), sum, x.w > 0.0), 0.0);
    mount_turn[row] = vec4f(select(vec3f(0.0), moment, x.w > 0.0), 0.0);
}
