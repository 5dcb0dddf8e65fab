// Bodies get what the strands on them gave to their ends: the way, the turn, and the velocity of both. A workgroup for each collider.
//
// CPU twin: `collide::rigid::pull`.

#import <strand/rotation.wgsl>
#import <lib/sums.wgsl>

@groups(256)
fn main(index: u32, lane: u32) {
    let c = min(index, frame.end - 1u);
    if collider_inverse_mass[c] == 0.0 {
        return;
    }
    var pull = vec3f(0.0);
    var turn = vec3f(0.0);
    for (var row = lane; row < arrayLength(&mount_pull); row += THREADS) {
        if mount_body[row] == c {
            pull += mount_pull[row].xyz;
            turn += mount_turn[row].xyz;
        }
    }
    let pulls = sum_up(lane, vec4f(pull, 0.0)).xyz;
    workgroupBarrier();
    let turns = sum_up(lane, vec4f(turn, 0.0)).xyz;
    if lane == 0u {
        let place = pose_row[POSE_ROWS * c + 2u].xyz;
        let rotation = pose_row[POSE_ROWS * c + 3u];
        let way = pulls * collider_inverse_mass[c];
        let angle = rotate(rotation, rotate(conjugate(rotation), turns) * collider_inverse_inertia[c].xyz);
        let to = vec4f(place + way, 0.0);
        let turned_to = turned(rotation, angle);
        pose_row[POSE_ROWS * c + 2u] = to;
        pose_row[POSE_ROWS * c + 3u] = turned_to;
        collider_position[c] = to;
        collider_rotation[c] = turned_to;
        collider_velocity[c] = vec4f(collider_velocity[c].xyz + way * frame.per_h, 0.0);
        collider_spin[c] = vec4f(collider_spin[c].xyz + angle * frame.per_h, 0.0);
    }
}
