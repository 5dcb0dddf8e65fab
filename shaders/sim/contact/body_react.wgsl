// Takes from each body with a mass what the cloth got from it in this substep. A workgroup for each collider.
//
// CPU twin: `collide::rigid::react`.

#import <contact/pose.wgsl>
#import <lib/sums.wgsl>

@groups(256)
fn main(index: u32, lane: u32) {
    let c = min(index, frame.end - 1u);
    if collider_inverse_mass[c] == 0.0 {
        return;
    }
    let parts = arrayLength(&reaction_impulse) / frame.end;
    var impulse = vec4f(0.0);
    var angular = vec4f(0.0);
    for (var part = lane; part < parts; part += THREADS) {
        impulse += reaction_impulse[c * parts + part];
        angular += reaction_angular[c * parts + part];
    }
    let impulses = sum_up(lane, impulse).xyz;
    workgroupBarrier();
    let angulars = sum_up(lane, angular).xyz;
    if lane == 0u {
        let turn = pose_row[POSE_ROWS * c + 3u];
        let spin = rotate(turn, rotate(conjugate(turn), angulars) * collider_inverse_inertia[c].xyz);
        collider_velocity[c] = vec4f(collider_velocity[c].xyz - impulses * collider_inverse_mass[c], 0.0);
        collider_spin[c] = vec4f(collider_spin[c].xyz - spin, 0.0);
    }
}
