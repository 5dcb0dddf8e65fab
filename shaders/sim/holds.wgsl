// What the hand holds moves on along its way of this frame; its velocity is the hand's.
//
// One row per held particle. CPU twin: `move_holds` in sim-dylib/src/substep.rs, and for the velocity
// `velocities_of_holds` in solvers/explicit.rs (position-based solvers overwrite it).

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
    span: vec2f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> hold_particle: array<u32>;
@group(0) @binding(2) var<storage, read> hold_begin: array<vec4f>;
@group(0) @binding(3) var<storage, read> hold_end: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_velocity: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let i = hold_particle[row];
    let x = particle_position[i];
    let at = hold_begin[row].xyz + (hold_end[row].xyz - hold_begin[row].xyz) * frame.span.y;
    particle_position[i] = vec4f(at, x.w);
    particle_velocity[i] = vec4f((at - x.xyz) * frame.per_h, 0.0);
}
