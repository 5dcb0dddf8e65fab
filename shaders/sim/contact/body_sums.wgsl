// What the cloth got from each body with a mass in this substep, as impulse and angular impulse: parts of 1,024
// particles.
//
// A workgroup for each collider and part, always added up in the same order, so that a run repeats bit for bit.
//
// CPU twin: `collide::rigid::react`.

#import <lib/sums.wgsl>

// [N s], and about the body's centre [N m s]; all parts of a collider, then those of the next.
var<storage> reaction_impulse: array<vec4f>;
var<storage> reaction_angular: array<vec4f>;

@groups(256)
fn main(index: u32, lane: u32) {
    let row = min(index, frame.end - 1u);
    let parts = frame.end / frame.colliders;
    let collider = row / parts;
    if collider_inverse_mass[collider] == 0.0 {
        return;
    }
    let center = pose_row[POSE_ROWS * collider + 2u].xyz;
    let start = (row % parts) * BODY_PART;
    var impulse = vec3f(0.0);
    var angular = vec3f(0.0);
    for (var i = start + lane; i < min(start + BODY_PART, arrayLength(&particle_position)); i += THREADS) {
        let push = particle_contact_push[i];
        if push.w == f32(collider) {
            impulse += push.xyz;
            angular += cross(particle_position[i].xyz - center, push.xyz);
        }
    }
    let impulses = sum_up(lane, vec4f(impulse, 0.0));
    // Lane 0 keeps its sum; the others are done with it.
    workgroupBarrier();
    let angulars = sum_up(lane, vec4f(angular, 0.0));
    if lane == 0u {
        reaction_impulse[row] = impulses;
        reaction_angular[row] = angulars;
    }
}
