// Ends of strands on bodies with a mass: they go and turn with the body, and the strand pulls back at it.
//
// CPU twin: `mounts::place`, `collide::rigid::moved_by`.

#import <contact/pose.wgsl>
#import <strand/mount_end.wgsl>

// The particle beside it.
fn next_particle(row: u32) -> u32 {
    let span = strand_span[strand_of_end(row)];
    return span[0] + span[1] * select(end_number(row) + 1u, span[2] - 2u, is_tip_end(row));
}

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

// Puts an end to where its body is: held, or as heavy as that is for it.
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
    let most = collider_inverse_mass[c] + dot(arm, arm) * max(max(inertia.x, inertia.y), inertia.z);
    let way = particle_inertial[next_particle(row)].xyz - place;
    let n = way * (1.0 / max(sqrt(dot(way, way)), 1e-15));
    let turn = rotate(pose.turn, rotate(conjugate(pose.turn), cross(arm, n)) * inertia);
    let along_it = collider_inverse_mass[c] + dot(cross(turn, arm), n);
    let w = (along_it + (most - along_it) * mount_across[row]) / local.w;
    put_end(end_particle(row), vec4f(place, select(0.0, w, heavy)), to_world(body_before(c), local.xyz));
}
