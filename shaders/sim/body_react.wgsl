// Takes from each body with a mass what the cloth got from it in this substep. A workgroup for each collider.
//
// CPU twin: `react` in sim-dylib/src/collide/rigid.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> reaction_impulse: array<vec4f>;
@group(0) @binding(2) var<storage, read> reaction_angular: array<vec4f>;
@group(0) @binding(3) var<storage, read> collider_inverse_mass: array<f32>;
@group(0) @binding(4) var<storage, read> collider_inverse_inertia: array<vec4f>;
@group(0) @binding(5) var<storage, read> pose_row: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> collider_velocity: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> collider_spin: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let c = min(frame.first + group.y * frame.line + group.x, frame.end - 1u);
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
        let turn = pose_row[4u * c + 3u];
        let spin = rotate(turn, rotate(conjugate(turn), angulars) * collider_inverse_inertia[c].xyz);
        collider_velocity[c] = vec4f(collider_velocity[c].xyz - impulses * collider_inverse_mass[c], 0.0);
        collider_spin[c] = vec4f(collider_spin[c].xyz - spin, 0.0);
    }
}
