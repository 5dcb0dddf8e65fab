// Tension of each row [N] as the last explicit substep felt it: at the positions and velocities it started from.
//
// Those are in `particle_next_position` and `particle_next_velocity`: the columns were swapped. CPU twin: `Springs` in
// sim-dylib/src/solvers/explicit/springs.rs, what it stores in `distance.force`.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    stability_cap: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_idx: array<vec2u>;
@group(0) @binding(2) var<storage, read> distance_rest: array<f32>;
@group(0) @binding(3) var<storage, read> distance_compliance: array<f32>;
@group(0) @binding(4) var<storage, read> distance_damping: array<f32>;
@group(0) @binding(5) var<storage, read> particle_next_position: array<vec4f>;
@group(0) @binding(6) var<storage, read> particle_next_velocity: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> distance_force: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let idx = distance_idx[row];
    let x0 = particle_next_position[idx.x];
    let x1 = particle_next_position[idx.y];
    let d = x1.xyz - x0.xyz;
    let l = sqrt(dot(d, d) + 1e-20);
    let bearable = bearable_of(frame.h, frame.stability_cap);
    let stiffness = spring_stiffness(bearable, distance_compliance[row], x0.w, x1.w);
    let damping = spring_damping(bearable, distance_damping[row], stiffness, x0.w, x1.w);
    let rate = dot(particle_next_velocity[idx.y].xyz - particle_next_velocity[idx.x].xyz, d) / l;
    distance_force[row] = stiffness * (l - distance_rest[row]) + damping * rate;
}
