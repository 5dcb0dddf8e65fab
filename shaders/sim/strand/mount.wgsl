// Ends of strands on bodies with a mass: they go and turn with the body, and the strand pulls back at it.
//
// CPU twin: `mounts::place`, `collide::rigid::moved_by`, `collide::rigid::lever`.

#import <contact/pose.wgsl>
#import <strand/mount_end.wgsl>

// A body where the substep begins and where it ends.
fn body_before(c: u32) -> Pose {
    return Pose(pose_row[POSE_ROWS * c].xyz, pose_row[POSE_ROWS * c + 1u]);
}

fn body_after(c: u32) -> Pose {
    return Pose(pose_row[POSE_ROWS * c + 2u].xyz, pose_row[POSE_ROWS * c + 3u]);
}

// The frame of its stub, and the place at the end of that.
fn stub_of(row: u32, pose: Pose) -> Pose {
    let strand = strand_of_end(row);
    let turn = unit_rotation(after(pose.turn, strand_root_rotation[strand]));
    let length = segment_rest[strand_span[strand][0] - first_segment()];
    return Pose(to_world(pose, mount_place[row].xyz) - along(turn) * length, turn);
}

// The largest eigenvalue of -[r] D [r], [r] the matrix of the cross product: what turns move a place r of a body by at most, D its inverse
// inertia.
fn lever(r: vec3f, d: vec3f) -> f32 {
    let squares = r * r;
    let sum = dot(d, squares.yzx + squares.zxy);
    let product = dot(r, r) * dot(d.yzx * d.zxy, squares);
    return 0.5 * (sum + sqrt(max(sum * sum - 4.0 * product, 0.0)));
}

// Puts an end to where its body is: held, or as heavy as that is for it; for a solver of blocks with another mass along the strand, which w of
// its velocity tells as well.
fn put_mount(row: u32, heavy: bool) {
    let c = mount_body[row];
    let pose = body_after(c);
    let local = mount_place[row];
    let place = to_world(pose, local.xyz);
    let first = strand_span[strand_of_end(row)][0];
    if !is_tip_end(row) && is_stub(first - first_segment()) {
        let stub = stub_of(row, pose);
        segment_rotation[first - first_segment()] = stub.turn;
        put_end(first, vec4f(stub.place, 0.0), stub_of(row, body_before(c)).place);
    }
    let arm = place - pose.place;
    let inertia = collider_inverse_inertia[c].xyz;
    let most = collider_inverse_mass[c] + lever(local.xyz, inertia);
    let way = particle_inertial[next_particle(row)].xyz - place;
    let n = direction_of(way);
    let turn = rotate(pose.turn, rotate(conjugate(pose.turn), cross(arm, n)) * inertia);
    let along_it = collider_inverse_mass[c] + dot(cross(turn, arm), n);
    let w = along_it + (most - along_it) * min(mount_across[row] * most, 1.0);
    let i = end_particle(row);
    put_end(i, vec4f(place, select(0.0, w / local.w, heavy)), to_world(body_before(c), local.xyz));
#ifdef blocks
    if heavy {
        particle_velocity[i].w = max(w / along_it, 1.0);
    }
#endif
}
