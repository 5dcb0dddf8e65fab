// What the cloth got from each body with a mass in this substep, as impulse and angular impulse: parts of 1,024 particles.
//
// A workgroup for each collider and part, always added up in the same order, so that a run repeats bit for bit. CPU twin: the
// sums of `react` in sim-dylib/src/collide/rigid.rs, which have double precision.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    colliders: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_contact_push: array<vec4f>;
@group(0) @binding(3) var<storage, read> collider_inverse_mass: array<f32>;
@group(0) @binding(4) var<storage, read> pose_row: array<vec4f>;
// [N s], and about the body's centre [N m s]; all parts of a collider, then those of the next.
@group(0) @binding(5) var<storage, read_write> reaction_impulse: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> reaction_angular: array<vec4f>;

const PART: u32 = 1024u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let row = min(frame.first + group.y * frame.line + group.x, frame.end - 1u);
    let parts = frame.end / frame.colliders;
    let collider = row / parts;
    if collider_inverse_mass[collider] == 0.0 {
        return;
    }
    let center = pose_row[4u * collider + 2u].xyz;
    let start = (row % parts) * PART;
    var impulse = vec3f(0.0);
    var angular = vec3f(0.0);
    for (var i = start + lane; i < min(start + PART, arrayLength(&particle_position)); i += THREADS) {
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
